from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from assessments.catalogue.catalogue import Catalogue
from assessments.catalogue.course_rows import HEADINGS, open_table, read_rows
from assessments.catalogue.field_choices import field_names
from assessments.catalogue.workbook import TableFault
from assessments.management.people import ProjectCommand
from assessments.models.course_description import FILE_COLUMNS
from partners.models.audit import command_actor


class Command(ProjectCommand):
    help = (
        "Load a project's courses from a CSV file or an Excel workbook, at most 10,000. Sheet, "
        "header and columns are recognised, and names are enough: a course without a code is known "
        "by its name. Loads all rows or none, and lists every error. A course that is not in the "
        "file becomes inactive. If a column is missing, courses keep their values. Empty fields of "
        "work are proposed from the name; if it suggests none, the course stays inactive. "
        f"Columns: {', '.join(FILE_COLUMNS)}. docs/content-editors.md has their values."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument(
            "--map",
            action="append",
            default=[],
            type=parse_mapping,
            metavar="COLUMN=HEADING",
            help='the heading of a column in the file, such as --map code="Roll No."; leave it '
            "empty to ignore the column; name_part is a second part of the name",
        )
        parser.add_argument(
            "--sheet", default="", help="sheet of a workbook; default: the first visible one"
        )
        parser.add_argument(
            "--check",
            action="store_true",
            help="list all errors and proposed fields and count the changes; load nothing",
        )
        parser.add_argument(
            "--yes",
            action="store_true",
            help="do not ask, even if more than a fifth of the active courses become inactive",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        catalogue, check = Catalogue(self.project(options["project_id"])), options["check"]
        rows = read_courses(options["file"], self.say, dict(options["map"]), options["sheet"])
        plan = catalogue.plan_rows(rows)
        if plan.deactivates_many and not (check or options["yes"]):
            self.confirm(
                f"This deactivates {len(plan.deactivated)} of {plan.active} active courses. Load "
                "it?"
            )
        if not check:
            plan = catalogue.load(rows, by=command_actor())
        if options["json"]:
            self.print_data(plan.counts)
        else:
            self.say(", ".join(f"{name} {count}" for name, count in plan.counts.items()))
        proposed = [each for each in plan.courses if each.is_active and each.fields_proposed]
        if proposed:
            self.say(f"Courses with proposed fields: {len(proposed)}. Confirm them in the admin.")
        for course in proposed if check else ():
            self.say(f"  {course.code}  {course.name}: {field_names(course.fields)}")
        for course in plan.courses:
            if not course.fields:
                self.say(f"Field missing, so inactive: {course.code}  {course.name}")


def parse_mapping(text: str) -> tuple[str, str]:
    column, equals, heading = text.partition("=")
    if not equals or column not in HEADINGS:
        raise ArgumentTypeError(f"write COLUMN=HEADING, with one of: {', '.join(HEADINGS)}")
    return column, heading


def read_courses(
    file: Path,
    say: Callable[[str], None],
    mapping: Mapping[str, str] | None = None,
    sheet: str = "",
) -> list[dict[str, Any]]:
    """Return a file's rows, and say what was ignored. Raise CommandError with all invalid rows."""
    try:
        table = open_table(file.read_bytes(), mapping, sheet)
        rows = read_rows(table)
    except OSError as error:
        raise CommandError(f"{file} can't be read: {error.strerror}.") from error
    except TableFault as fault:
        faults = "\n".join([f"{file} was not loaded:", *fault.findings])
        raise CommandError(faults) from fault
    for note in table.notes:
        say(note)
    return rows
