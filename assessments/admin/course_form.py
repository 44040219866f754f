"""A course's own page: its form, whose inputs are not always columns."""

from __future__ import annotations

import copy
from typing import Any

from django.core.exceptions import ValidationError

from assessments.admin import description_inputs
from assessments.admin.field_inputs import assign_inputs, confirmed_input, field_input
from assessments.catalogue.course_table import FIELD_INPUTS
from assessments.models.catalogues import Catalogue
from partners.edit_forms import EditForm

PREVIEW = "_preview"


class PreviewedForm(EditForm):
    """Validates without saving if the Preview button was pressed.

    Fields and texts for students have inputs of their own; those of the texts depend on the
    languages, and `with_descriptions` declares them.
    """

    main_field = field_input(
        "main_field", "Counts double. Leave empty to have fields proposed from the name."
    )
    second_field = field_input("second_field")
    third_field = field_input("third_field")
    confirmed = confirmed_input()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        shown = self.instance.inputs if self.instance.pk else {}
        self.initial.update({name: shown.get(name, "") for name in FIELD_INPUTS})
        self.initial.update(description_inputs.initial(self.instance))

    def lock(self, row: Any) -> None:
        # The catalogue first, as everywhere, so that no two changes wait for each other.
        Catalogue(row.project).lock()
        super().lock(row)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        description_inputs.assign(self.instance, data)
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


def with_descriptions(form: type[PreviewedForm]) -> type[PreviewedForm]:
    """Return a form that also has an input for each text and language."""
    described: type[PreviewedForm] = type(
        form.__name__, (form,), dict(description_inputs.declared())
    )
    return described
