"""Edits that undo nobody's change: a page sends back the values that it showed.

Fields that the user did not change keep their stored values. If a colleague changed the same field
meanwhile, the form refuses it and shows both values, until the user saves again.
"""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils.html import format_html

if TYPE_CHECKING:
    ModelForm = forms.ModelForm[Any]
    ModelAdmin = admin.ModelAdmin[Any]
else:  # Django's own classes take no type argument
    ModelForm = forms.ModelForm
    ModelAdmin = admin.ModelAdmin

# A value as a browser sends it: several texts for a list of choices.
Sent = str | list[str]

OUTDATED = (
    "This page did not say which values it had shown, so we can't tell what you changed. Check all "
    "values, then save again."
)
CONFLICT = "A colleague saved “{}” while you were editing. To replace it with “{}”, save again."


def as_sent(value: Any) -> Sent:
    """Return an initial or posted value of an input in one spelling."""
    if isinstance(value, list | tuple | models.QuerySet):
        return sorted(map(str, value)) or ""
    if isinstance(value, bool):
        return "on" if value else ""
    return "" if value is None else str(value).replace("\r\n", "\n").strip()


class EditForm(ModelForm):
    """A form that changes of a stored row only what its user changed, in a transaction.

    A template other than the admin's renders `shown_input` inside the form.
    """

    SHOWN = "shown_values"

    def __init__(self, data: Any = None, files: Any = None, **kwargs: Any) -> None:
        if data is not None and (row := kwargs.get("instance")) and row.pk:
            self.lock(row)
        super().__init__(data, files, **kwargs)
        self._before = copy.deepcopy(self._columns())

    def lock(self, row: models.Model) -> None:
        locked = type(row)._base_manager.select_for_update(no_key=True)
        row.refresh_from_db(from_queryset=locked)

    @property
    def shown_input(self) -> str:
        """The hidden input with the values that the page shows."""
        if self.instance.pk is None:
            return ""
        name, stored = self.add_prefix(self.SHOWN), json.dumps(self._stored())
        return format_html('<input type="hidden" name="{}" value="{}">', name, stored)

    @property
    def changes(self) -> dict[str, tuple[Any, Any]]:
        """The columns that a valid form changes, each with its value before and after."""
        before = self._before
        return {
            name: (before[name], now)
            for name, now in self._columns().items()
            if now != before[name]
        }

    def full_clean(self) -> None:
        """Validate the user's changes together with what is stored now."""
        conflicts = self._merge() if self.is_bound and self.instance.pk else {}
        super().full_clean()
        for name, text in conflicts.items():
            self.add_error(name, text)

    def _merge(self) -> dict[str | None, str]:
        """Put stored values in place of those that the user left alone. Return conflicts."""
        try:
            shown = json.loads(self.data.get(self.add_prefix(self.SHOWN), ""))
        except (ValueError, RecursionError):
            shown = None
        if not isinstance(shown, dict) or not self.fields.keys() <= shown.keys():
            return {None: OUTDATED}
        conflicts: dict[str | None, str] = {}
        self.data: Any = self.data.copy()
        for name, stored in self._stored().items():
            key, widget = self.add_prefix(name), self.fields[name].widget
            sent = as_sent(widget.value_from_datadict(self.data, self.files, key))
            if sent == shown[name] != stored:
                values = stored if isinstance(stored, list) else [stored] if stored else []
                self.data.setlist(key, values)
            elif shown[name] != stored != sent:
                theirs, mine = self._in_words(name, stored), self._in_words(name, sent)
                conflicts[name] = CONFLICT.format(theirs, mine)
        return conflicts

    def _columns(self) -> dict[str, Any]:
        columns = self.instance._meta.concrete_fields
        return {each.name: each.value_from_object(self.instance) for each in columns}

    def _stored(self) -> dict[str, Sent]:
        return {
            name: as_sent(field.prepare_value(self.get_initial_for_field(field, name)))
            for name, field in self.fields.items()
        }

    def _in_words(self, name: str, value: Sent) -> str:
        labels = {str(key): str(label) for key, label in getattr(self.fields[name], "choices", ())}
        texts = value if isinstance(value, list) else [value]
        return ", ".join(labels.get(text, text) for text in texts) or "nothing"


class EditAdmin(ModelAdmin):
    """Admin pages whose edits undo nobody's change. Its forms derive from EditForm."""

    form = EditForm

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Write the columns that the form changes; a new row as a whole."""
        obj.save(update_fields=list(form.changes) if change else None)
