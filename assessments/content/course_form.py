"""A course's own page: its form, whose inputs are not always columns."""

from __future__ import annotations

from copy import copy
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import get_language_info

from assessments.content.field_choices import FIELD_CHOICES, FIELD_INPUTS
from assessments.models.catalogues import Catalogue
from assessments.models.course_description import (
    ABOUT_MAX,
    KINDS_OF_WORK_MAX,
    TEXTS,
    WORK_MAX,
    kinds_of_work,
    merged,
    text_faults,
    work_faults,
)
from partners.edit_forms import EditForm
from partners.plain_text import one_line

PREVIEW = "_preview"
# The column and the language of each input of a text for students.
INPUTS = {
    f"{text}_{language}": (text, language) for text in TEXTS for language, _ in settings.LANGUAGES
}


HELP = {
    "about": "What students learn. About 70 characters fill two lines on a phone; at most "
    f"{ABOUT_MAX}.",
    "leads_to": f"Up to {KINDS_OF_WORK_MAX} kinds of work, one a line, of at most {WORK_MAX} "
    "characters each.",
}


def text_input(text: str, language: str) -> forms.CharField:
    rows = 2 if text == "about" else KINDS_OF_WORK_MAX
    return forms.CharField(
        label=f"{text.replace('_', ' ').capitalize()}, in {get_language_info(language)['name']}",
        required=False,
        widget=forms.Textarea({"lang": language, "cols": 60, "rows": rows}),
        help_text=HELP[text],
    )


def field_input(label: str, help_text: str = "") -> forms.ChoiceField:
    """Return a choice among all fields, each with its explanation and examples, or none."""
    return forms.ChoiceField(
        label=label,
        choices=[("", "---------"), *((code, str(each)) for code, each in FIELD_CHOICES.items())],
        required=False,
        help_text=help_text,
    )


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
            stored = getattr(self.instance, text).get(language, "")
            self.initial[name] = stored if isinstance(stored, str) else "\n".join(stored)

    def lock(self, row: Any) -> None:
        # The catalogue first, as everywhere, so that no two changes wait for each other.
        Catalogue(row.project).lock()
        super().lock(row)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        for name, (text, language) in INPUTS.items():
            typed = data.get(name, "")
            value: Any
            if text == "about":
                value = one_line(typed)
                faults = text_faults(value, "the text")
            else:
                value = kinds_of_work(typed)
                faults = work_faults(value, "the list")
            for fault in faults:
                self.add_error(name, capfirst(fault))
            # An empty text removes its language.
            texts = merged(getattr(self.instance, text), {language: value})
            setattr(self.instance, text, texts)
        try:
            self._assign_fields(data)
        except ValidationError as refusal:
            self.add_error("main_field", refusal)
        return data

    def _assign_fields(self, data: dict[str, Any]) -> None:
        """Set the fields as `Course.assign` does: if nobody chose them, they follow the name."""
        fields = [data[name] for name in FIELD_INPUTS if data.get(name)]
        if fields and not data.get("main_field"):
            raise ValidationError("Choose the main field before the others.")
        if len(set(fields)) < len(fields):
            raise ValidationError("Choose each field only once.")
        course, name = copy(self.instance), data.get("name", self.instance.name)
        if course.fields_proposed and fields == course.fields and not data.get("confirmed"):
            fields = []
        course.assign({"name": name, "fields": fields})
        if not course.fields:
            raise ValidationError("Choose a main field: the name says nothing about it.")
        self.instance.fields = course.fields
        self.instance.fields_proposed = course.fields_proposed

    def is_valid(self) -> bool:
        return super().is_valid() and not self.is_preview

    @property
    def is_preview(self) -> bool:
        return self.is_bound and PREVIEW in self.data


CourseForm: type[PreviewedForm] = type(
    "CourseForm",
    (PreviewedForm,),
    {name: text_input(*column_and_language) for name, column_and_language in INPUTS.items()},
)
