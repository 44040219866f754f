"""Edits that undo nobody's change: a page sends back the values that it showed.

A value that its user left alone stays as it is stored now. One that both the user and somebody else
changed is refused, with both values, until the user saves again.
"""

from __future__ import annotations

import copy
import json
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
CONFLICT = "Somebody saved “{}” here while you were editing. To replace it with “{}”, save again."


def as_sent(value: Any) -> Sent:
    """Return an initial or posted value of an input in one spelling."""
    if value is None or value is False:
        return ""
    if value is True:
        return "on"
    if isinstance(value, list | tuple | models.QuerySet):
        return sorted(map(str, value)) or ""
    return str(value).replace("\r\n", "\n").strip()


class EditForm(ModelForm):
    """A form of a row. Of a row that exists, it saves only what its user changed.

    A template other than the admin's renders `shown_input` inside the form.
    """

    SHOWN = "shown_values"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conflicts: dict[str | None, str] = {}
        self._row = copy.deepcopy(self._columns())

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
        return {
            name: (self._row[name], after)
            for name, after in self._columns().items()
            if after != self._row[name]
        }

    def full_clean(self) -> None:
        """Validate the user's changes together with what is stored now."""
        if self.is_bound and self.instance.pk is not None:
            self._merge()
        super().full_clean()
        for name, said in self.conflicts.items():
            self.add_error(name, said)

    def _merge(self) -> None:
        """Put stored values in place of those that the user left alone, and find conflicts."""
        try:
            shown = json.loads(self.data.get(self.add_prefix(self.SHOWN), ""))
        except (ValueError, RecursionError):
            shown = None
        if not isinstance(shown, dict) or not self.fields.keys() <= shown.keys():
            self.conflicts = {None: OUTDATED}
            return
        data: Any = self.data  # a QueryDict
        self.data = data = data.copy()
        for name, stored in self._stored().items():
            key, widget = self.add_prefix(name), self.fields[name].widget
            sent = as_sent(widget.value_from_datadict(data, self.files, key))
            if sent == stored:
                continue
            if sent == shown[name]:
                data.setlist(
                    key, stored if isinstance(stored, list) else [stored] if stored else []
                )
            elif stored != shown[name]:
                theirs, mine = self._in_words(name, stored), self._in_words(name, sent)
                self.conflicts[name] = CONFLICT.format(theirs, mine)

    def _columns(self) -> dict[str, Any]:
        columns = self.instance._meta.concrete_fields
        return {each.name: each.value_from_object(self.instance) for each in columns}

    def _stored(self) -> dict[str, Sent]:
        """Return the stored values, as a browser sends them."""
        return {
            name: as_sent(field.prepare_value(self.get_initial_for_field(field, name)))
            for name, field in self.fields.items()
        }

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
