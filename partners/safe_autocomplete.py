"""Autocomplete fields that survive invalid keys, such as the partner of a project."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.contrib.admin.options import BaseModelAdmin
from django.contrib.admin.widgets import AutocompleteSelect
from django.db.models import ForeignKey
from django.http import HttpRequest

_KEY = re.compile(r"[0-9]{1,18}", re.ASCII)


def is_key(text: str) -> bool:
    """Return whether a submitted text can be a primary key."""
    return bool(_KEY.fullmatch(text))


class SafeAutocompleteSelect(AutocompleteSelect):
    """Look up only values that can be a primary key.

    Django's widget passes any submitted value to the database, which fails for `abc`.
    """

    def optgroups(self, name: str, value: Any, attrs: Any = None) -> Any:
        keys = [each for each in value if is_key(str(each))]
        return super().optgroups(name, keys, attrs)


class SafeAutocomplete(BaseModelAdmin):  # type: ignore[type-arg]  # Django's takes none
    """Use SafeAutocompleteSelect for `autocomplete_fields`."""

    def formfield_for_foreignkey(
        self, db_field: ForeignKey[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> forms.ModelChoiceField[Any] | None:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs["widget"] = SafeAutocompleteSelect(
                db_field, self.admin_site, using=kwargs.get("using")
            )
        return super().formfield_for_foreignkey(db_field, request, **kwargs)
