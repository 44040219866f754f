from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from assessments.catalogue import COLUMNS, CatalogueFault, parse
from assessments.models.courses import Course
from partners.models import Project
from partners.origin import of_command


class Command(BaseCommand):
    help = (
        "Make a project's course catalogue what a CSV file says, all or nothing: a bad row is "
        "named and nothing is loaded. The code is a course's key in the project. A course that is "
        "no longer in the file becomes inactive and is not recommended any more; it is not "
        f"deleted. The header is: {','.join(COLUMNS)}"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project_id", metavar="PROJECT_ID")
        parser.add_argument("file", metavar="FILE.csv", type=Path)
        parser.add_argument("--check", action="store_true", help="name every fault; load nothing")
        parser.add_argument("--json", action="store_true", help="print counts as JSON")

    def handle(
        self, *args: Any, project_id: str, file: Path, check: bool, json: bool, **options: Any
    ) -> None:
        try:
            project = Project.objects.get(project_id=project_id)
        except Project.DoesNotExist as error:
            raise CommandError(
                f"There is no project {project_id}. The admin lists the projects with their ids."
            ) from error
        rows = read_courses(file)
        if check:
            counts = {"rows": len(rows)}
        else:
            counts = Course.objects.load(project, rows, **of_command())
        self.report(counts, as_json=json)

    def report(self, counts: dict[str, int], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(counts))
        else:
            self.stderr.write(", ".join(f"{name} {count}" for name, count in counts.items()))


def read_courses(file: Path) -> list[dict[str, Any]]:
    """Return the rows of a catalogue file. Raise CommandError naming every bad row."""
    try:
        return parse(file.read_bytes())
    except OSError as error:
        raise CommandError(f"{file} can't be read: {error.strerror}.") from error
    except CatalogueFault as fault:
        raise CommandError("\n".join([f"{file} was not loaded:", *fault.findings])) from fault
