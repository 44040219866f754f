from typing import Any

from assessments.keeping import exports
from assessments.management.people import PersonCommand


class Command(PersonCommand):
    help = (
        "Print everything stored about a student as JSON, to answer a subject access request: the "
        "data that the partner sent, links and their fetches, attempts with consent, answers and "
        "results, how long they are kept, and when staff viewed them. Recorded in the audit trail. "
        "Send it only to that person, over a secure channel."
    )

    def handle(self, *args: Any, project_id: str, email: str, **options: Any) -> None:
        student = self.student(project_id, email)
        self.print_data(exports.person(student, by=self.by))
