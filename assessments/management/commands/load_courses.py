from argparse import ArgumentTypeError
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from assessments.catalogue.catalogue import Catalogue
from assessments.catalogue.course_rows import COURSES, HEADINGS, LABELS
from assessments.catalogue.headers import Choices, read_table
from assessments.catalogue.plans import plan_rows
from assessments.catalogue.workbook import TableFault
from assessments.management.people import ProjectCommand
from assessments.models.course_description import FILE_COLUMNS
from measurement.course_names import field_names


class Command(ProjectCommand):
    help = (
        "Load a project's courses from a CSV file or an Excel workbook, at most 10,000. Sheet, "
        "headings and columns are recognised, and names are enough: a course without a code is "
        "known by its name. Loads all rows or none, and lists every error. A course that is not in "
        "the file becomes inactive, except with --add. If a column is missing, courses keep their "
        "values. Empty fields of work are proposed from the name; if it suggests none, the course "
        f"stays inactive. Columns: {', '.join(FILE_COLUMNS)}. docs/content-editors.md has their "
        "values."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument(
            "--sheet",
            action="append",
            default=[],
            help="a sheet of a workbook; several may be given; default: the first visible one",
        )
        parser.add_argument(
            "--header-row",
            type=int,
            metavar="NUMBER",
            help="the row with the headings; 0 if the file has none",
        )
        parser.add_argument(
            "--map",
            action="append",
            default=[],
            type=parse_mapping,
            metavar="COLUMN=HEADING",
            help='the heading or the letter of a column, such as --map code="Roll No." or --map '
            "name=B; leave it empty to ignore the column; name_part is a second part of the name",
        )
        parser.add_argument(
            "--add", action="store_true", help="courses that are not in the file stay active"
        )
        parser.add_argument(
            "--keep-same-names",
            action="store_true",
            help="keep a course for each of several rows with one name, not only one; those that "
            "are all active courses already are kept anyway",
        )
        parser.add_argument(
            "--confirm-fields",
            action="store_true",
            help="the fields proposed for added courses are checked: they count as chosen",
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
        project, check = self.project(options["project_id"]), options["check"]
        choices = Choices(options["sheet"], options["header_row"], dict(options["map"]))
        rows = read_courses(options["file"], self.say, choices)
        today, keep = project.courses.as_data(), options["keep_same_names"]
        plan = plan_rows(today, rows, add=options["add"], keep_repeated=keep)
        if repeated := plan.repeated:
            kept = "all are kept" if keep else "one of each is kept"
            names = ", ".join(f"{name} ({count})" for name, count in repeated.items())
            self.say(f"Some names occur more than once, and {kept}: {names}.")
        if plan.deactivates_many and not (check or options["yes"]):
            self.confirm(
                f"{len(plan.deactivated)} of {plan.active} active courses are not in the file and "
                "become inactive. Load it?"
            )
        plan = plan.choose_fields({}, confirmed=options["confirm_fields"])
        if not check:
            Catalogue(project).apply(plan, "courses.loaded", by=self.by)
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
    file: Path, say: Callable[[str], None], choices: Choices | None = None
) -> list[dict[str, Any]]:
    """Return a file's rows, and say what was read. Raise CommandError with all invalid rows."""
    try:
        table = read_table(file.read_bytes(), COURSES, choices)
        for note in table.describe(LABELS):
            say(note)
        if table.faults:
            raise TableFault(*table.faults)
    except OSError as error:
        raise CommandError(f"{file} can't be read: {error.strerror}.") from error
    except TableFault as fault:
        faults = "\n".join([f"{file} was not loaded:", *fault.findings])
        raise CommandError(faults) from fault
    return table.values
