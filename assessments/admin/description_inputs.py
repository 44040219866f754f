"""Inputs for what students read about a course: one for each text and language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import get_language_info

from assessments.catalogue.course_description import (
    ABOUT_MAX,
    KINDS_OF_WORK_MAX,
    TEXTS,
    WORK_MAX,
    about_faults,
    kinds_of_work,
    merged,
    refuse,
    work_faults,
)
from assessments.models import Course
from partners.plain_text import one_line

# The column and the language of each input.
INPUTS = {
    f"{text}_{language}": (text, language) for text in TEXTS for language, _ in settings.LANGUAGES
}


class AboutField(forms.CharField):
    """A short text; line breaks in it count as spaces."""

    widget = forms.Textarea

    def to_python(self, value: Any) -> str:
        return one_line(super().to_python(value) or "")

    def validate(self, value: str) -> None:
        super().validate(value)
        refuse(about_faults(value, "the text"))


class KindsOfWorkField(forms.CharField):
    """A list of texts, one a line or separated by semicolons."""

    widget = forms.Textarea

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        return kinds_of_work(super().to_python(value) or "")

    def validate(self, value: list[str]) -> None:
        super().validate(value)
        refuse(work_faults(value, "the list"))


def declared() -> dict[str, forms.Field]:
    """Return the form fields of INPUTS, to declare on a form."""
    return {name: _field(*column_and_language) for name, column_and_language in INPUTS.items()}


def initial(course: Course) -> dict[str, Any]:
    """Return the values of the inputs for a course."""
    return {
        name: getattr(course, text).get(language, "" if text == "about" else [])
        for name, (text, language) in INPUTS.items()
    }


def assign(course: Course, cleaned: Mapping[str, Any]) -> None:
    """Set a course's texts from valid inputs; an empty one removes its language."""
    for name, (text, language) in INPUTS.items():
        if name in cleaned:
            setattr(course, text, merged(getattr(course, text), {language: cleaned[name]}))


def _field(text: str, language: str) -> forms.Field:
    name = get_language_info(language)["name"]
    attributes = {"lang": language, "cols": 60}
    if text == "about":
        return AboutField(
            label=f"About, in {name}",
            required=False,
            widget=forms.Textarea({**attributes, "rows": 2}),
            help_text="What students learn. About 70 characters fill two lines on a phone; at "
            f"most {ABOUT_MAX}.",
        )
    return KindsOfWorkField(
        label=f"Leads to, in {name}",
        required=False,
        widget=forms.Textarea({**attributes, "rows": KINDS_OF_WORK_MAX}),
        help_text=f"Up to {KINDS_OF_WORK_MAX} kinds of work, one a line, of at most {WORK_MAX} "
        "characters each.",
    )
