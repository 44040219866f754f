"""Optimistic locking by field: a page posts back the values that it showed.

Fields that the user did not change keep their stored values. If a colleague changed the same field
meanwhile, the form refuses it and shows both values, until the user saves again.
"""

import copy
from functools import partial
from typing import Any

from django import forms
from django.db import models

CONFLICT = "A colleague saved “{}” while you were editing. To replace it with “{}”, save again."


class EditForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's takes none
    """Changes only the columns that its user changed. Locks the row, so it needs a transaction."""

    def __init__(self, data: Any = None, files: Any = None, **kwargs: Any) -> None:
        if data is not None and (row := kwargs.get("instance")) and row.pk:
            self.lock(row)
        super().__init__(data, files, **kwargs)
        self._before = copy.deepcopy(self._columns())
        for field in self.fields.values():
            field.show_hidden_initial = self.instance.pk is not None

    def lock(self, row: models.Model) -> None:
        locked = type(row)._base_manager.select_for_update(no_key=True)
        row.refresh_from_db(from_queryset=locked)

    @property
    def changes(self) -> dict[str, tuple[Any, Any]]:
        """The columns that a valid form changes, each with its value before and after."""
        now = self._columns()
        return {name: (was, now[name]) for name, was in self._before.items() if was != now[name]}

    def full_clean(self) -> None:
        """Validate the user's changes together with what is stored now."""
        conflicts = self._merge() if self.is_bound and self.instance.pk else {}
        super().full_clean()
        for name, text in conflicts.items():
            self.add_error(name, text)

    def _merge(self) -> dict[str, str]:
        """Put stored values in place of those that the user left alone. Return conflicts."""
        conflicts: dict[str, str] = {}
        self.data: Any = self.data.copy()
        for bound in self:
            read = partial(bound.field.widget.value_from_datadict, self.data, self.files)
            stored = as_texts(bound.field.prepare_value(bound.initial))
            sent, shown = as_texts(read(bound.html_name)), as_texts(read(bound.html_initial_name))
            # Also if equal: for a list that was shown empty, Django would render the sent values.
            self.data.setlist(bound.html_initial_name, stored)
            if sent == shown != stored:
                self.data.setlist(bound.html_name, stored)
            elif stored not in (sent, shown):
                values = (values_in_words(bound.field, texts) for texts in (stored, sent))
                conflicts[bound.name] = CONFLICT.format(*values)
        return conflicts

    def _columns(self) -> dict[str, Any]:
        columns = self.instance._meta.concrete_fields
        return {each.name: each.value_from_object(self.instance) for each in columns}


def as_texts(value: Any) -> list[str]:
    """Return the stored or posted value of an input in one spelling: several texts for a list."""
    if isinstance(value, list | tuple):
        return sorted(map(str, value))
    if isinstance(value, bool):
        return ["on" if value else ""]
    return ["" if value is None else str(value).replace("\r\n", "\n").strip()]


def values_in_words(field: forms.Field, texts: list[str]) -> str:
    labels = {str(key): str(label) for key, label in getattr(field, "choices", ())}
    return ", ".join(labels.get(text, text) for text in texts) or "nothing"
