from __future__ import annotations

from typing import Any

from assessments.management.people import PersonCommand
from assessments.support import exports
from partners.actor_context import command_actor


class Command(PersonCommand):
    help = (
        "Print everything that is stored about one student of a project, as JSON: what the "
        "partner sent, links and what fetched them, attempts with consent, answers and results, "
        "until when they are kept, and when somebody looked. It is what a person may ask for. It "
        "is noted in the audit trail. Send it to the person alone, over a safe channel."
    )

    def handle(self, *args: Any, project_id: str, email: str, json: bool, **options: Any) -> None:
        student = self.student(project_id, email)
        self.print_data(exports.person(student, **command_actor()))
