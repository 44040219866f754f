"""What the commands share that are about a project's students."""

from __future__ import annotations

from django.core.management.base import CommandError, CommandParser

from assessments.models import Student
from partners.management.base import DataCommand
from partners.models import Project


class ProjectCommand(DataCommand):
    """A command about one project, named by its projectId."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("project_id", metavar="PROJECT_ID", help="prj_…")

    def project(self, project_id: str) -> Project:
        try:
            return Project.objects.get(project_id=project_id)
        except Project.DoesNotExist:
            raise CommandError(
                f"There is no project {project_id}. The admin lists the projects with their ids."
            ) from None


class PersonCommand(ProjectCommand):
    """A command about one student, named by project and e-mail address."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("email", metavar="EMAIL", help="as the partner gave it")

    def student(self, project_id: str, email: str) -> Student:
        """Return the student. Raise CommandError, which does not repeat the address."""
        project = self.project(project_id)
        try:
            return Student.objects.known_as(project, email)
        except Student.DoesNotExist:
            raise CommandError(
                f"Project {project_id} has no student of this e-mail address. Compare it with "
                "what the partner sent; whoever was erased is not found by it any more."
            ) from None
