from datetime import date
from typing import Any

from django.core.management.base import CommandParser

from assessments.keeping import exports
from assessments.management.people import ProjectCommand


class Command(ProjectCommand):
    help = (
        "Print a project's completed and abandoned attempts, one per row, in the order they "
        "started: as CSV, or as JSON with --json. In CSV, an apostrophe precedes text that looks "
        "like a formula. Times are UTC. Erased students have no name and no e-mail address. "
        "Recorded in the audit trail. The file contains personal data: protect it, and delete it "
        "when you no longer need it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--since",
            type=date.fromisoformat,
            metavar="2026-06-01",
            help="only attempts that ended on this day (UTC) or later",
        )

    def handle(
        self, *args: Any, project_id: str, since: date | None, json: bool, **options: Any
    ) -> None:
        project = self.project(project_id)
        file: exports.Format = "json" if json else "csv"
        for piece in exports.results(project, file, since=since, by=self.by):
            self.stdout.write(piece, ending="")
