from typing import Any

from django.core.management.base import CommandParser

from assessments.catalogue.filling import explain_filling, fill_results, results_without_courses
from assessments.management.people import ProjectCommand
from partners.management.base import add_reason


class Command(ProjectCommand):
    help = (
        "Add courses to the completed attempts of a project that had no active course for those "
        "who took the assessment: from their answers, by today's catalogue and settings, once. "
        "The partner reads these attempts once more in list-assessments, and webhooks send them "
        "once more. Erased students and test projects are left out. Says how many, then asks, "
        "unless you give --yes. You can stop it and run it again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_reason(parser)
        parser.add_argument("--yes", action="store_true", help="add them without asking")

    def handle(self, *args: Any, **options: Any) -> None:
        project, filled = self.project(options["project_id"]), 0
        waiting = results_without_courses(project).count()
        if waiting:
            for line in explain_filling(project):
                self.say(line)
            if not options["yes"]:
                self.confirm(f"Add courses to {waiting:,} results for good?")
            for count in fill_results(project, by=self.by, reason=options["reason"]):
                filled += count
                self.progress(f"{filled:,} results so far")
        if options["json"]:
            self.print_data({"withoutCourses": waiting, "filled": filled})
        self.say(f"Results that got courses: {filled:,}.")
