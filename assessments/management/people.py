from django.core.management.base import CommandError, CommandParser

from assessments.models import Student
from partners.management.base import DataCommand


class ProjectCommand(DataCommand):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("project_id", metavar="PROJECT_ID", help="prj_…")


class PersonCommand(ProjectCommand):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("email", metavar="EMAIL", help="as the partner sent it")

    def student(self, project_id: str, email: str) -> Student:
        """Raises CommandError, without the address, if there is no such student."""
        project = self.project(project_id)
        try:
            return Student.objects.known_as(project, email)
        except Student.DoesNotExist:
            raise CommandError(
                f"Project {project_id} has no student with this e-mail address. Compare it with "
                "the address that the partner sent. Erased students cannot be found by it."
            ) from None
