"""Which filters an admin list takes from its address."""

from __future__ import annotations

import re
from typing import Any, NoReturn

from django.contrib.admin.options import BaseModelAdmin
from django.http import Http404, HttpRequest
from django.urls import URLPattern

# What Django's own filters append to the name of their field.
_SUFFIXES = ("", "__exact", "__id__exact", "__isnull", "__isempty")
_DATE_PARTS = {"year": r"20[0-9]{2}", "month": r"[0-9]{1,2}", "day": r"[0-9]{1,2}"}


class ListedFilters(BaseModelAdmin):  # type: ignore[type-arg]  # Django's takes none
    """Take the filters that the list shows and no other: a made-up one is answered with 400.

    Django passes every lookup on any own field to the database, where a far year fails.
    """

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        field, _, part = lookup.rpartition("__")
        if field and field == getattr(self, "date_hierarchy", None):
            return bool(re.fullmatch(_DATE_PARTS.get(part, r"(?!)"), str(value), re.ASCII))
        return lookup in self._filter_names()

    def get_urls(self) -> list[URLPattern]:
        """Leave out Django's History: it knows nothing of what the audit trail keeps."""
        pages: list[URLPattern] = super().get_urls()  # type: ignore[misc]  # of ModelAdmin
        return [page for page in pages if not (page.name or "").endswith("_history")]

    def _get_obj_does_not_exist_redirect(
        self, request: HttpRequest, opts: Any, object_id: str
    ) -> NoReturn:
        """Answer 404 for an object that is not there, or no more.

        Django leads to the start page, with a message that repeats the address.
        """
        raise Http404

    def _filter_names(self) -> set[str]:
        """Return the names in the address of all filters: their own, or those of their fields."""
        filters: Any = getattr(self, "list_filter", ())
        names = set()
        for entry in filters:
            named = entry[0] if isinstance(entry, list | tuple) else entry
            if isinstance(named, str):
                names |= {f"{named}{suffix}" for suffix in _SUFFIXES}
            else:
                names.add(str(getattr(named, "parameter_name", "")))
        return names
