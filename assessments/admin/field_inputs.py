"""Inputs for the fields of a course, on its own page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from assessments.catalogue.course_table import FIELD_INPUTS
from assessments.catalogue.field_choices import FIELD_CHOICES
from assessments.models.catalogues import NOTHING_TO_PROPOSE
from assessments.models.courses import Course

LABELS = {
    "main_field": "Main field",
    "second_field": "Second field",
    "third_field": "Third field",
    "confirmed": "Confirm the proposed fields",
}


def field_input(name: str, help_text: str = "") -> forms.ChoiceField:
    """Return a choice among all fields, each with its explanation and examples, or none."""
    return forms.ChoiceField(
        label=LABELS[name],
        choices=[("", "---------"), *((code, str(each)) for code, each in FIELD_CHOICES.items())],
        required=False,
        help_text=help_text,
    )


def confirmed_input() -> forms.BooleanField:
    return forms.BooleanField(
        label=LABELS["confirmed"],
        required=False,
        help_text="The service proposed these fields; no editor has checked them yet. Tick to "
        "confirm them, or choose others.",
    )


def assign_inputs(course: Course, cleaned: Mapping[str, Any]) -> None:
    """Set a course's columns from valid inputs, as `Course.assign` does.

    Proposed fields stay proposed until they are changed or confirmed. Raises ValidationError by
    input, in which case some columns may have been set.
    """
    fields = [cleaned[name] for name in FIELD_INPUTS if cleaned.get(name)]
    if fields and not cleaned.get("main_field"):
        raise ValidationError({"main_field": "Choose the main field before the others."})
    if len(set(fields)) < len(fields):
        raise ValidationError({"main_field": "Choose each field only once."})
    was_proposed = course.fields if course.fields_proposed else None
    name = {"name": cleaned["name"]} if "name" in cleaned else {}
    course.assign({**name, "fields": fields})
    if not course.fields:
        raise ValidationError({"main_field": NOTHING_TO_PROPOSE})
    if course.fields == was_proposed and not cleaned.get("confirmed"):
        course.fields_proposed = True
