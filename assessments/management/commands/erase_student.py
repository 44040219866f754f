from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from assessments.management.people import PersonCommand
from assessments.models import Student
from assessments.models.students import REASON_MAX, Erased, ReasonNamesThePerson, Touched
from partners.actor_context import command_actor


class Command(PersonCommand):
    help = (
        "Erase what is known of a student in a project, at once and for good: name, e-mail "
        "address, mobile number and guardian go, links and browsers open nothing any more, an "
        "open attempt ends. Attempts, answers and results stay as nobody's, until purge deletes "
        "them. Leaves a receipt number in the audit trail. Asks first, unless --yes is given. The "
        "partner's own records are not touched; tell the partner."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--reason", default="", help="kept in the audit trail: name nobody in it"
        )
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(
        self,
        *args: Any,
        project_id: str,
        email: str,
        reason: str,
        yes: bool,
        json: bool,
        **options: Any,
    ) -> None:
        if len(reason) > REASON_MAX:
            raise CommandError(f"The reason has at most {REASON_MAX} characters.")
        student = self.student(project_id, email)
        # asked and said before: afterwards nobody knows the address
        others = [each.project.project_id for each in Student.objects.elsewhere(student)]
        if others:
            self.say(
                "The same e-mail address is a student's in other projects too, each to be erased "
                f"by itself if that is asked for: {', '.join(others)}."
            )
        if not yes:
            self.say(forecast(student.touched()))
            self.confirm(f"Erase {student} of project {student.project} for good?")
        try:
            erased = student.erase(reason=reason, **command_actor())
        except ReasonNamesThePerson as refusal:
            raise CommandError(str(refusal)) from None
        self.report(student, erased, others, as_json=json)

    def report(self, student: Student, erased: Erased, others: list[str], *, as_json: bool) -> None:
        if as_json:
            self.print_data(
                {
                    "receipt": erased.receipt,
                    "projectId": student.project.project_id,
                    "links": erased.links,
                    "attempts": erased.attempts,
                    "answers": erased.answers,
                    "sameAddressIn": others,
                }
            )
        else:
            self.stdout.write(erased.receipt)
        self.say(
            f"Erased. Receipt {erased.receipt}. As nobody's stay: links {erased.links}, attempts "
            f"{erased.attempts}, answers {erased.answers}."
        )


def forecast(touched: Touched) -> str:
    return (
        f"Links: {touched.links}, of which {touched.startable} can still be started. Attempts: "
        f"{touched.attempts}, of which {touched.open} are open and {touched.guardians} name a "
        f"guardian. Answers: {touched.answers}."
    )
