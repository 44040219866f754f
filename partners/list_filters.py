"""Which filters an admin list accepts in its address."""

from __future__ import annotations

import re
from typing import Any, NoReturn

from django.contrib.admin.options import BaseModelAdmin
from django.http import Http404, HttpRequest
from django.urls import URLPattern

# Django's filters append these to the name of the field.
_SUFFIXES = ("", "__exact", "__id__exact", "__isnull", "__isempty")
_DATE_PARTS = {"year": r"20[0-9]{2}", "month": r"[0-9]{1,2}", "day": r"[0-9]{1,2}"}


class ListedFilters(BaseModelAdmin):  # type: ignore[type-arg]  # Django's takes none
    """Accept only the filters that the list shows. Others get status 400.

    Django passes any lookup on the model's fields to the database, where a year of 99999 fails.
    """

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        field, _, part = lookup.rpartition("__")
        if field and field == getattr(self, "date_hierarchy", None):
            return bool(re.fullmatch(_DATE_PARTS.get(part, r"(?!)"), str(value), re.ASCII))
        return lookup in self._filter_names()

    def get_urls(self) -> list[URLPattern]:
        """Leave out Django's history page. The audit trail takes its place."""
        pages: list[URLPattern] = super().get_urls()  # type: ignore[misc]  # of ModelAdmin
        return [page for page in pages if not (page.name or "").endswith("_history")]

    def _get_obj_does_not_exist_redirect(
        self, request: HttpRequest, opts: Any, object_id: str
    ) -> NoReturn:
        """Answer 404 for an object that does not exist.

        Django redirects to the start page with a message that repeats the address. There is no
        documented way to change that.
        """
        raise Http404

    def _filter_names(self) -> set[str]:
        """Return the query parameters of all filters."""
        filters: Any = getattr(self, "list_filter", ())
        names = set()
        for entry in filters:
            named = entry[0] if isinstance(entry, list | tuple) else entry
            if isinstance(named, str):
                names |= {f"{named}{suffix}" for suffix in _SUFFIXES}
            else:
                names.add(str(getattr(named, "parameter_name", "")))
        return names
