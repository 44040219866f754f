"""What students read about a course: texts in each language, and the college's own pages."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError

from measurement.courses import COLUMNS
from partners.plain_text import fault_of, fault_of_address, one_line

# About four lines on a phone, and one for each kind of work.
ABOUT_MAX, WORK_MAX = 140, 40
KINDS_OF_WORK_MAX = 3
ADDRESS_MAX = 500
FALLBACK = "en"
ADDRESSES = ("url", "apply_url")


def kinds_of_work(text: str) -> list[str]:
    """Split a text by semicolons and lines, and drop repeated entries."""
    return list(dict.fromkeys(filter(None, map(one_line, re.split(r"[;\r\n]", text)))))


# Columns with texts for students, by language, and how a typed text is read.
TEXTS: Mapping[str, Callable[[str], Any]] = {"about": one_line, "leads_to": kinds_of_work}
# A file has texts in a column for each language: English without a suffix.
FILE_TEXTS: dict[str, tuple[str, str]] = {
    text if language == FALLBACK else f"{text}_{language}": (text, language)
    for text in TEXTS
    for language, _name in settings.LANGUAGES
}
FILE_COLUMNS = (*COLUMNS[: COLUMNS.index("is_active")], *FILE_TEXTS, *ADDRESSES)


def validate_about(value: Any) -> None:
    """Raise ValidationError unless `value` has a short plain text for each of its languages."""
    faults = []
    for language, text in _by_language(value).items():
        if not isinstance(text, str) or not text.strip():
            raise ValidationError(f"The text “{language}” must not be empty.")
        faults += _faults_of_text(text, f"The text “{language}”", ABOUT_MAX)
    if faults:
        raise ValidationError(faults)


def validate_leads_to(value: Any) -> None:
    """Raise ValidationError unless `value` lists one to three kinds of work for each language."""
    faults = []
    for language, entries in _by_language(value).items():
        texts = entries if isinstance(entries, list) else []
        if not texts or not all(isinstance(entry, str) and entry.strip() for entry in texts):
            raise ValidationError(f"The list “{language}” must have texts that are not empty.")
        if (count := len(texts)) > KINDS_OF_WORK_MAX:
            keep = f"keep at most {KINDS_OF_WORK_MAX}."
            faults.append(f"The list “{language}” has {count} entries; {keep}")
        for place, text in enumerate(texts, 1):
            faults += _faults_of_text(text, f"Entry {place} of the list “{language}”", WORK_MAX)
    if faults:
        raise ValidationError(faults)


def validate_address(address: str) -> None:
    if fault := fault_of_address(address, ["https", "http"], "https://college.example/courses/bca"):
        raise ValidationError(fault)


def _by_language(value: Any) -> dict[str, Any]:
    languages = dict(settings.LANGUAGES)
    if not isinstance(value, dict) or not value.keys() <= languages.keys():
        raise ValidationError(f"Give a text for each of these languages: {', '.join(languages)}.")
    return value


def _faults_of_text(text: str, called: str, longest: int) -> list[str]:
    if len(text) > longest:
        return [f"{called} has {len(text)} characters; shorten it to {longest}."]
    return [f"{called} holds {fault}"] if (fault := fault_of(text)) else []
