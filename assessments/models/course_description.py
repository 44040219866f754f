"""What students read about a course: texts in each language, and the college's own pages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.text import capfirst

from measurement.courses import RANKED
from measurement.scales import FACETS
from partners.plain_text import fault_of, fault_of_address, one_line

# About four lines on a phone, and one for each kind of work.
ABOUT_MAX, WORK_MAX = 140, 40
KINDS_OF_WORK_MAX = 3
ADDRESS_MAX = 500
FALLBACK = "en"
# Columns of a catalogue: those that it needs, and facts by which courses are ranked.
REQUIRED = ("code", "name", "order")
FACTS = (
    *(f"{facet}_{what}" for facet in FACETS for what in ("level", "importance")),
    "entry_level",
    "streams",
    "department",
    "delivery",
    "fields",
    "required_streams",
)
ORDER_MAX = 100_000
COLUMNS = ("about", "leads_to", "url", "apply_url")
TEXTS, ADDRESSES = COLUMNS[:2], COLUMNS[2:]
# A file has texts in a column for each language: English without a suffix.
FILE_TEXTS: dict[str, tuple[str, str]] = {
    text if language == FALLBACK else f"{text}_{language}": (text, language)
    for text in TEXTS
    for language, _name in settings.LANGUAGES
}
FILE_COLUMNS = (*FILE_TEXTS, *ADDRESSES)
# What a snapshot of the catalogue stores of a course.
STORED = (*RANKED, "is_active", "fields_proposed", *COLUMNS)


@dataclass(frozen=True, slots=True)
class CourseDescription:
    """What a project says about a course, in one language; empty if it says nothing.

    `about` tells what students learn, `leads_to` up to three kinds of work. `url` is the
    college's page about the course, `apply_url` the one on which students apply. `required_streams`
    are the subjects of which the course asks one.
    """

    about: str = ""
    leads_to: tuple[str, ...] = ()
    url: str = ""
    apply_url: str = ""
    required_streams: tuple[str, ...] = ()


def in_language(texts: Mapping[str, Any], language: str) -> Any:
    """Return the text in a language, else in English, else None."""
    return texts.get(language) or texts.get(FALLBACK)


def merged(texts: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return texts by language after changes; an empty text removes its language."""
    return {language: text for language, text in {**texts, **changes}.items() if text}


def kinds_of_work(text: str) -> list[str]:
    """Return the different entries of a text that separates them by semicolons or lines."""
    return list(dict.fromkeys(filter(None, map(one_line, re.split(r"[;\r\n]", text)))))


def text_faults(text: str, called: str, longest: int = ABOUT_MAX) -> list[str]:
    """Say in sentences what is wrong with a text about a course; `called` is its subject."""
    if len(text) > longest:
        return [f"{called} has {len(text)} characters; shorten it to {longest}."]
    return [f"{called} holds {fault}"] if (fault := fault_of(text)) else []


def work_faults(entries: Sequence[str], called: str) -> list[str]:
    """Say in sentences what is wrong with kinds of work; `called` is their subject."""
    faults = []
    if len(entries) > KINDS_OF_WORK_MAX:
        faults.append(f"{called} has {len(entries)} entries; keep at most {KINDS_OF_WORK_MAX}.")
    for place, entry in enumerate(entries, 1):
        faults += text_faults(entry, f"entry {place} of {called}", WORK_MAX)
    return faults


def address_fault(text: str) -> str:
    """Say in a sentence how to correct an address; "" if it is sound or empty."""
    if not text:
        return ""
    if len(text) > ADDRESS_MAX:
        return f"The address has {len(text)} characters; give one of at most {ADDRESS_MAX}."
    return fault_of_address(text, ["https", "http"], "https://college.example/courses/bca")


def validate_about(value: Any) -> None:
    """Raise ValidationError unless `value` has a short plain text for each of its languages."""
    for language, text in _by_language(value).items():
        if not isinstance(text, str) or not text.strip():
            raise ValidationError(f"The text “{language}” must not be empty.")
        refuse(text_faults(text, f"the text “{language}”"))


def validate_leads_to(value: Any) -> None:
    """Raise ValidationError unless `value` lists one to three kinds of work for each language."""
    for language, entries in _by_language(value).items():
        texts = entries if isinstance(entries, list) else []
        if not texts or not all(isinstance(entry, str) and entry.strip() for entry in texts):
            raise ValidationError(f"The list “{language}” must have texts that are not empty.")
        refuse(work_faults(entries, f"the list “{language}”"))


def validate_address(address: str) -> None:
    """Raise ValidationError unless `address` is a plain https or http address."""
    if fault := address_fault(address):
        raise ValidationError(fault)


def _by_language(value: Any) -> dict[str, Any]:
    languages = dict(settings.LANGUAGES)
    if not isinstance(value, dict) or not value.keys() <= languages.keys():
        raise ValidationError(f"Give a text for each of these languages: {', '.join(languages)}.")
    return value


def refuse(faults: Sequence[str]) -> None:
    """Raise ValidationError with these sentences, if there are any."""
    if faults:
        raise ValidationError([capfirst(fault) for fault in faults])
