"""Base classes of admin pages, which accept no filter or key that would fail in the database."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.options import BaseModelAdmin
from django.db import models
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.debug import sensitive_variables

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:  # Django's own class takes no type argument
    ModelAdmin = admin.ModelAdmin


# Django's filters append these to the name of the field.
_SUFFIXES = ("", "__exact", "__id__exact", "__isnull", "__isempty")


class ListedFilters(BaseModelAdmin):  # type: ignore[type-arg]  # Django's takes none
    """Refuse filters that the list lacks, with 400: a year of 99999 would fail in the database."""

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        listed: Any = getattr(self, "list_filter", ())
        names = set()
        for entry in listed:
            field = entry[0] if isinstance(entry, tuple) else entry
            if isinstance(field, str):
                names |= {f"{field}{suffix}" for suffix in _SUFFIXES}
            else:
                names.add(entry.parameter_name)
        return lookup in names

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changelist: Any = super().get_changelist_instance(request)  # type: ignore[misc]
        site: Any = self.admin_site
        changelist.title = site.name_of_list(self.model)
        return changelist

    def get_urls(self) -> list[URLPattern]:
        """Leave out Django's history page. The audit trail takes its place."""
        pages: list[URLPattern] = super().get_urls()  # type: ignore[misc]  # of ModelAdmin
        return [page for page in pages if not (page.name or "").endswith("_history")]


class Unwritable(BaseModelAdmin):  # type: ignore[type-arg]  # Django's takes none
    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class ReadOnly(Unwritable, ListedFilters, ModelAdmin):
    actions = None
    show_full_result_count = False


@sensitive_variables("context")
def admin_page(request: HttpRequest, template: str, title: str, **context: Any) -> HttpResponse:
    """Return a page of the admin's site. It may show a secret: no page of the admin is cached."""
    context = {**admin.site.each_context(request), "title": title, **context}
    return TemplateResponse(request, template, context)


def links_to(rows: Iterable[models.Model]) -> SafeString:
    return format_html_join(", ", '<a href="{}">{}</a>', ((page_of(row), row) for row in rows))


def link_to(row: models.Model, name: str) -> SafeString:
    return format_html('<a href="{}">{}</a>', page_of(row), name)


def page_of(row: models.Model, act: str = "change") -> str:
    """Return the address of a row's admin page, or of the page of an action on it."""
    meta = row._meta
    name = f"{meta.app_label}_{meta.model_name}_{act.replace('-', '_')}"
    return reverse(f"admin:{name}", args=[row.pk])
