"""Edits that undo nobody's change: a page sends back the values that it showed.

A value that its user left alone stays as it is stored now. One that both the user and somebody else
changed is refused, with both values, until the user saves again.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.db import models, transaction
from django.http import HttpRequest, HttpResponse
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


@dataclass(frozen=True)
class Merge:
    """The stored values with the user's changes, and the names of values that both changed."""

    values: dict[str, Sent]
    conflicts: list[str]


def merged(
    shown: Mapping[str, Sent], stored: Mapping[str, Sent], sent: Mapping[str, Sent]
) -> Merge:
    """Merge what the user changed into what is stored now. All three have the same names."""
    changed = [name for name in sent if sent[name] != shown[name]]
    return Merge(
        {**stored, **{name: sent[name] for name in changed}},
        [name for name in changed if stored[name] not in (shown[name], sent[name])],
    )


def as_sent(value: Any) -> Sent:
    """Return an initial or posted value of an input in one spelling."""
    if value is None or value is False:
        return ""
    if value is True:
        return "on"
    if isinstance(value, list | tuple | models.QuerySet):
        return sorted(map(str, value)) or ""
    return str(value).replace("\r\n", "\n").strip()


def read_shown(text: Any, names: Mapping[str, Any]) -> dict[str, Sent] | None:
    """Return the values that a page showed, or None if it does not say that of all names."""
    try:
        shown = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return None
    return shown if isinstance(shown, dict) and names.keys() <= shown.keys() else None


def conflict(stored: str, mine: str) -> str:
    """Say what somebody else saved meanwhile, and how to go on."""
    return (
        f"Somebody saved “{stored}” here while you were editing. To replace it with “{mine}”, "
        "save again."
    )


class EditForm(ModelForm):
    """A form of a row. Of a row that exists, it saves only what its user changed.

    A template other than the admin's renders `shown_input` inside the form.
    """

    SHOWN = "shown_values"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_edit = self.instance.pk is not None
        self.conflicts: dict[str | None, str] = {}
        self._row = {
            column.name: copy.deepcopy(column.value_from_object(self.instance))
            for column in self.instance._meta.concrete_fields
        }

    @property
    def shown_input(self) -> str:
        """The hidden input with the values that the page shows."""
        if not self.is_edit:
            return ""
        name, stored = self.add_prefix(self.SHOWN), json.dumps(self._stored())
        return format_html('<input type="hidden" name="{}" value="{}">', name, stored)

    @property
    def changes(self) -> dict[str, tuple[Any, Any]]:
        """The columns that a valid form changes, each with its value before and after."""
        return {
            column.name: (self._row[column.name], after)
            for column in self.instance._meta.concrete_fields
            if (after := column.value_from_object(self.instance)) != self._row[column.name]
        }

    def full_clean(self) -> None:
        """Validate the user's changes together with what is stored now."""
        if self.is_bound and self.is_edit:
            self._merge()
        super().full_clean()
        for name, said in self.conflicts.items():
            self.add_error(name, said)

    def _merge(self) -> None:
        stored = self._stored()
        sent = {
            name: as_sent(field.widget.value_from_datadict(*self._posted(name)))
            for name, field in self.fields.items()
        }
        shown = read_shown(self.data.get(self.add_prefix(self.SHOWN)), self.fields)
        if shown is None:
            self.conflicts = {None: OUTDATED}
            return
        merge = merged(shown, stored, sent)
        data: Any = self.data  # a QueryDict
        self.data = data = data.copy()
        for name, value in merge.values.items():
            if value != sent[name]:
                texts = value if isinstance(value, list) else [value] if value else []
                data.setlist(self.add_prefix(name), texts)
        self.conflicts = {
            name: conflict(self._in_words(name, stored[name]), self._in_words(name, sent[name]))
            for name in merge.conflicts
        }

    def _stored(self) -> dict[str, Sent]:
        """Return the stored values, as a browser sends them."""
        return {
            name: as_sent(field.prepare_value(self.get_initial_for_field(field, name)))
            for name, field in self.fields.items()
        }

    def _posted(self, name: str) -> tuple[Any, Any, str]:
        return self.data, self.files, self.add_prefix(name)

    def _in_words(self, name: str, value: Sent) -> str:
        field = self.fields[name]
        if isinstance(field.widget, forms.CheckboxInput):
            return "ticked" if value else "not ticked"
        labels = {str(key): str(label) for key, label in getattr(field, "choices", ())}
        texts = value if isinstance(value, list) else [value]
        return ", ".join(labels.get(text, text) for text in texts) or "nothing"


class EditAdmin(ModelAdmin):
    """Admin pages whose edits undo nobody's change. Its forms derive from EditForm."""

    form = EditForm

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Lock the row that is saved, so that it stays as the form compares it."""
        if request.method != "POST" or not object_id:
            return super().changeform_view(request, object_id, form_url, extra_context)
        with transaction.atomic():
            if row := self.get_object(request, unquote(object_id)):
                self.lock_row(row)
            return super().changeform_view(request, object_id, form_url, extra_context)

    def lock_row(self, row: Any) -> None:
        """Lock the row until the transaction ends."""
        type(row)._base_manager.select_for_update(no_key=True).get(pk=row.pk)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Write the columns that the form changes; a new row as a whole."""
        obj.save(update_fields=list(form.changes) if change else None)
