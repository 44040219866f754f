from typing import Any

from django.core.management.base import CommandParser

from assessments.management.people import PersonCommand
from assessments.models import Student
from assessments.models.students import REASON_MAX
from partners.management.base import add_reason


class Command(PersonCommand):
    help = (
        "Erase a student's identity in a project, at once and for good: name, e-mail address, "
        "mobile number and guardian. Their links and browsers stop working, and an open attempt "
        "ends. Attempts, answers and results stay without a name until purge deletes them. Prints "
        "a receipt, which the audit trail keeps. Asks first, unless you give --yes. The partner's "
        "own records do not change: tell the partner."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_reason(parser, REASON_MAX)
        parser.add_argument("--yes", action="store_true", help="erase without asking")

    def handle(self, *args: Any, **options: Any) -> None:
        student = self.student(options["project_id"], options["email"])
        # Before the erasure, which deletes the address.
        others = [each.project.project_id for each in Student.objects.elsewhere(student)]
        if others:
            self.say(
                "Other projects have a student with the same e-mail address. Erase each separately "
                f"if that is requested: {', '.join(others)}."
            )
        counts = student.row_counts()
        kept = ", ".join(f"{kind} {count}" for kind, count in counts.items())
        if not options["yes"]:
            self.say(f"Kept without a name: {kept}.")
            self.confirm(f"Erase {student} of project {student.project} for good?")
        receipt = student.erase(by=self.by, reason=options["reason"])
        if options["json"]:
            erased = {"receipt": receipt, "projectId": options["project_id"], **counts}
            self.print_data({**erased, "sameAddressIn": others})
        else:
            self.stdout.write(receipt)
        self.say(f"Erased. Receipt {receipt}. Kept without a name: {kept}.")
