"""A course's own page: its form, whose inputs are not always columns."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import get_language_info

from assessments.content.field_choices import FIELD_CHOICES, FIELD_INPUTS
from assessments.models.catalogues import NOTHING_TO_PROPOSE, Catalogue
from assessments.models.course_description import (
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
from assessments.models.courses import Course
from partners.edit_forms import EditForm
from partners.plain_text import one_line

PREVIEW = "_preview"
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


def description_input(text: str, language: str) -> forms.Field:
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


def field_input(label: str, help_text: str = "") -> forms.ChoiceField:
    """Return a choice among all fields, each with its explanation and examples, or none."""
    return forms.ChoiceField(
        label=label,
        choices=[("", "---------"), *((code, str(each)) for code, each in FIELD_CHOICES.items())],
        required=False,
        help_text=help_text,
    )


def assign_inputs(course: Course, cleaned: Mapping[str, Any]) -> None:
    """Set a course's columns from valid inputs, as `Course.assign` does.

    Proposed fields follow the name until they are changed or confirmed. Raises ValidationError by
    input, in which case some columns may have been set.
    """
    fields = [cleaned[name] for name in FIELD_INPUTS if cleaned.get(name)]
    if fields and not cleaned.get("main_field"):
        raise ValidationError({"main_field": "Choose the main field before the others."})
    if len(set(fields)) < len(fields):
        raise ValidationError({"main_field": "Choose each field only once."})
    if course.fields_proposed and fields == course.fields and not cleaned.get("confirmed"):
        fields = []  # nobody chose these: they follow the name
    name = {"name": cleaned["name"]} if "name" in cleaned else {}
    course.assign({**name, "fields": fields})
    if not course.fields:
        raise ValidationError({"main_field": NOTHING_TO_PROPOSE})


class PreviewedForm(EditForm):
    """Validates without saving if the Preview button was pressed.

    Fields and texts for students have inputs of their own; CourseForm has those of the texts, which
    depend on the languages.
    """

    main_field = field_input(
        "Main field", "Counts double. Leave empty to have fields proposed from the name."
    )
    second_field = field_input("Second field")
    third_field = field_input("Third field")
    confirmed = forms.BooleanField(
        label="Confirm the proposed fields",
        required=False,
        help_text="The service proposed these fields; no editor has checked them yet. Tick to "
        "confirm them, or choose others.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen = self.instance.fields if self.instance.pk else []
        self.initial.update(zip(FIELD_INPUTS, [*chosen, "", "", ""], strict=False))
        for name, (text, language) in INPUTS.items():
            empty: Any = "" if text == "about" else []
            self.initial[name] = getattr(self.instance, text).get(language, empty)

    def lock(self, row: Any) -> None:
        # The catalogue first, as everywhere, so that no two changes wait for each other.
        Catalogue(row.project).lock()
        super().lock(row)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        for name, (text, language) in INPUTS.items():
            if name in data:  # an empty text removes its language
                texts = merged(getattr(self.instance, text), {language: data[name]})
                setattr(self.instance, text, texts)
        course = copy.copy(self.instance)
        try:
            assign_inputs(course, data)
        except ValidationError as faults:
            self.add_error(None, faults)
            return data
        self.instance.fields = course.fields
        self.instance.fields_proposed = course.fields_proposed
        return data

    def is_valid(self) -> bool:
        return super().is_valid() and not self.is_preview

    @property
    def is_preview(self) -> bool:
        return self.is_bound and PREVIEW in self.data


CourseForm: type[PreviewedForm] = type(
    "CourseForm",
    (PreviewedForm,),
    {name: description_input(*column_and_language) for name, column_and_language in INPUTS.items()},
)
