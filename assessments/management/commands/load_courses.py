from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from assessments.content.courses_file import (
    OPTIONAL_COLUMNS,
    CatalogueFault,
    open_table,
    rows_of,
)
from assessments.management.people import ProjectCommand
from assessments.models.catalogues import Catalogue
from assessments.models.course_description import ABOUT_MAX, KINDS_OF_WORK_MAX, REQUIRED
from assessments.models.courses import Course
from measurement.courses import DELIVERY, STREAMS
from measurement.fields import FIELDS
from partners.models.audit import command_actor


class Command(ProjectCommand):
    help = (
        "Load a project's course catalogue from a CSV file or an Excel workbook, at most 10,000 "
        "courses. If a row is invalid, nothing is "
        "loaded. The code identifies a course in the project. A course that is not in the file "
        "becomes inactive and is no longer recommended; it is not deleted. "
        f"The header is: {','.join(REQUIRED)}. Optional columns: "
        f"{','.join(OPTIONAL_COLUMNS)} (levels none, basic, "
        "average or strong; importance 0, 1 or 2; entry level class-10, class-12 or degree; "
        f"streams and required streams among {', '.join(STREAMS)}; delivery among "
        f"{', '.join(DELIVERY)}; up to three fields, the main one first, among "
        f"{', '.join(FIELDS)}; separate several values with semicolons; about up to "
        f"{ABOUT_MAX} characters and leads_to up to {KINDS_OF_WORK_MAX} kinds of work, also "
        "separated with semicolons, with a column for each further language; url and apply_url "
        "https or http addresses). Empty fields are proposed from the name. If a column is "
        "missing, existing courses keep their values and new ones get the default."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument(
            "--check",
            action="store_true",
            help="list all errors and proposed fields, and count the changes; load nothing",
        )
        parser.add_argument(
            "--yes",
            action="store_true",
            help="do not ask before more than a fifth of the active courses become inactive",
        )

    def handle(
        self,
        *args: Any,
        project_id: str,
        file: Path,
        check: bool,
        yes: bool,
        json: bool,
        **options: Any,
    ) -> None:
        project = self.project(project_id)
        rows = read_courses(file, self.say)
        try:
            planned = Catalogue(project).planned(rows).difference
            if planned.deactivates_many and not (check or yes):
                self.confirm(
                    f"This deactivates {len(planned.deactivated)} of {planned.active} active "
                    "courses. Load it?"
                )
            with transaction.atomic():
                counts = Catalogue(project).load(rows, **command_actor()).counts
                proposed = list(project.courses.active().filter(fields_proposed=True))
                # A check reports what would happen, especially courses that become inactive.
                transaction.set_rollback(check)
        except ValidationError as error:
            raise _not_loaded(file, error.messages) from error
        if json:
            self.print_data(counts)
        else:
            self.say(", ".join(f"{name} {count}" for name, count in counts.items()))
        self.report_proposals(proposed, check=check)

    def report_proposals(self, courses: list[Course], *, check: bool) -> None:
        """Report the courses whose fields no editor has chosen; a check lists the fields."""
        if not courses:
            return
        if not check:
            self.say(f"Courses with proposed fields: {len(courses)}. Confirm them in the admin.")
            return
        self.say("Proposed fields, to copy into the column fields or to replace:")
        for course in courses:
            self.say(f"  {course.code}  {course.name}: {';'.join(course.fields)}")


def read_courses(file: Path, say: Callable[[str], None]) -> list[dict[str, Any]]:
    """Return the rows of a catalogue file, and report what was ignored.

    Raise CommandError with every invalid row.
    """
    try:
        table = open_table(file.read_bytes())
        rows = rows_of(table)
    except OSError as error:
        raise CommandError(f"{file} can't be read: {error.strerror}.") from error
    except CatalogueFault as fault:
        raise _not_loaded(file, fault.findings) from fault
    for note in table.notes:
        say(note)
    return rows


def _not_loaded(file: Path, findings: list[str]) -> CommandError:
    return CommandError("\n".join([f"{file} was not loaded:", *findings]))
