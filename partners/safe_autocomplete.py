"""Foreign keys that a form lets staff search for, such as the partner of a project."""

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
    """Say whether a text from outside can be a primary key, so that the database may be asked."""
    return bool(_KEY.fullmatch(text))


class KeysOnly(AutocompleteSelect):
    """Look up what is chosen only if it can be a key: an address or a forged form says anything.

    Django's own asks the database for whatever was sent, which fails for `abc`.
    """

    def optgroups(self, name: str, value: Any, attrs: Any = None) -> Any:
        keys = [each for each in value if is_key(str(each))]
        return super().optgroups(name, keys, attrs)


class SearchedKeys(BaseModelAdmin):  # type: ignore[type-arg]  # Django's takes none
    """Give `autocomplete_fields` the widget that no value upsets."""

    def formfield_for_foreignkey(
        self, db_field: ForeignKey[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> forms.ModelChoiceField[Any] | None:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs["widget"] = KeysOnly(db_field, self.admin_site, using=kwargs.get("using"))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)
