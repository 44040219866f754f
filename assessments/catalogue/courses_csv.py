"""Write a catalogue as the CSV file that `courses_file` reads. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assessments.catalogue.course_description import FILE_TEXTS
from assessments.catalogue.courses_file import KNOWN_COLUMNS, WORD_LISTS
from assessments.measurement.courses import LEVELS
from assessments.support.spreadsheet import csv_lines


def lines_of(courses: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines of a file with these courses, given as their columns.

    Fields that the service proposed are left empty, so that loading the file again changes nothing.
    """
    rows = ([_cell(course, name) for name in KNOWN_COLUMNS] for course in courses)
    return csv_lines(KNOWN_COLUMNS, rows)


def _cell(course: Mapping[str, Any], name: str) -> str:
    if name == "fields" and course["fields_proposed"]:
        return ""
    if name in FILE_TEXTS:
        column, language = FILE_TEXTS[name]
        text: str | list[str] = course[column].get(language, "")
        return text if isinstance(text, str) else "; ".join(text)
    if name in WORD_LISTS:
        words: list[str] = course[name]
        return "; ".join(words)
    if name.endswith("_level") and name != "entry_level":
        level: int = course[name]
        return LEVELS[level]
    return str(course[name])
