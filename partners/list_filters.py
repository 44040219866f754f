"""Which filters an admin list takes from its address."""

from __future__ import annotations

import re
from typing import Any

from django.contrib.admin.options import BaseModelAdmin
from django.http import HttpRequest

# What Django's own filters append to the name of their field.
_SUFFIXES = ("", "__exact", "__id__exact", "__isnull", "__isempty")
_DATE_PARTS = {"year": r"20[0-9]{2}", "month": r"[0-9]{1,2}", "day": r"[0-9]{1,2}"}


class ListedFilters(BaseModelAdmin):  # type: ignore[type-arg]
    """Take the filters that the list shows and no other: a made-up one is answered with 400.

    Django passes every lookup on any own field to the database, where a far year fails.
    """

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        field, _, part = lookup.rpartition("__")
        if field and field == getattr(self, "date_hierarchy", None):
            return bool(re.fullmatch(_DATE_PARTS.get(part, r"(?!)"), str(value), re.ASCII))
        return any(
            lookup == f"{name}{suffix}" for name in self._filter_names() for suffix in _SUFFIXES
        )

    def _filter_names(self) -> list[str]:
        """Return the name in the address of each filter: its own, or its field's."""
        filters: Any = getattr(self, "list_filter", ())
        found = (entry[0] if isinstance(entry, list | tuple) else entry for entry in filters)
        return [str(getattr(entry, "parameter_name", entry)) for entry in found]
