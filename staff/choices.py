"""Autocomplete for the fields of our own forms, such as the partner of a project."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.exceptions import NotRegistered
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest


class OfferedRows(AutocompleteJsonView):
    """Serve only the autocomplete fields of our forms. Raises PermissionDenied for any other.

    Django would serve every foreign key, and so list students' addresses without an audit event.
    """

    def process_request(self, request: HttpRequest) -> Any:
        term, model_admin, source_field, to_field_name = super().process_request(request)
        try:
            asking = admin.site.get_model_admin(source_field.model)
        except NotRegistered:
            raise PermissionDenied from None
        if source_field.name not in asking.get_autocomplete_fields(request):
            raise PermissionDenied
        return term, model_admin, source_field, to_field_name

    def get_queryset(self) -> QuerySet[Any]:
        """Return the rows in a stable order, so that no page repeats a row."""
        rows: QuerySet[Any] = super().get_queryset()
        ordering = self.model_admin.get_ordering(self.request)
        return rows if rows.ordered else rows.order_by(*ordering, "pk")
