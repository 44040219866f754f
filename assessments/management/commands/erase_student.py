from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from assessments.management.people import PersonCommand
from assessments.models import Student
from assessments.models.students import REASON_MAX
from partners.models.audit import command_actor


class Command(PersonCommand):
    help = (
        "Erase the identity of a student in a project, at once and for good: delete name, e-mail "
        "address, mobile number and guardian, disable links and browsers, and end an open "
        "attempt. Attempts, answers and results are kept without a name until purge deletes "
        "them. Records a receipt number in the audit trail. Asks for confirmation, unless --yes is "
        "given. The partner's own records do not change; tell the partner."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--reason", default="", help="kept in the audit trail, so do not name anybody"
        )
        parser.add_argument("--yes", action="store_true", help="erase without asking")

    def handle(self, *args: Any, **options: Any) -> None:
        reason = options["reason"]
        if len(reason) > REASON_MAX:
            raise CommandError(f"The reason has at most {REASON_MAX} characters.")
        student = self.student(options["project_id"], options["email"])
        # Query and report first, because the address is unknown afterwards.
        others = [each.project.project_id for each in Student.objects.elsewhere(student)]
        if others:
            self.say(
                "Other projects have a student with the same e-mail address. Erase each separately "
                f"if that is requested: {', '.join(others)}."
            )
        if not options["yes"]:
            touched = student.touched()
            self.say(
                f"Links: {touched.links}, of which {touched.startable} can still be started. "
                f"Attempts: {touched.attempts}, of which {touched.open} are open and "
                f"{touched.guardians} name a guardian. Answers: {touched.answers}."
            )
            self.confirm(f"Erase {student} of project {student.project} for good?")
        receipt, left = student.erase(reason=reason, **command_actor()), student.touched()
        if options["json"]:
            self.print_data(
                {
                    "receipt": receipt,
                    "projectId": student.project.project_id,
                    "links": left.links,
                    "attempts": left.attempts,
                    "answers": left.answers,
                    "sameAddressIn": others,
                }
            )
        else:
            self.stdout.write(receipt)
        self.say(
            f"Erased. Receipt {receipt}. Kept without a name: links {left.links}, "
            f"attempts {left.attempts}, answers {left.answers}."
        )
