from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db import models
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from partners.admin_base import ListedFilters, Unwritable

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:  # Django's own class takes no type argument
    ModelAdmin = admin.ModelAdmin


class ReadOnly(Unwritable, ListedFilters, ModelAdmin):
    """Records that the service writes and staff can only view."""

    actions = None
    show_full_result_count = False


def links_to(rows: Iterable[models.Model]) -> SafeString:
    return format_html_join(", ", '<a href="{}">{}</a>', ((page_of(row), row) for row in rows))


def link_to(row: models.Model, name: str) -> SafeString:
    return format_html('<a href="{}">{}</a>', page_of(row), name)


def page_of(row: models.Model, act: str = "change") -> str:
    """Return the address of a row's admin page, or of the page of an action on it."""
    meta = row._meta
    name = f"{meta.app_label}_{meta.model_name}_{act.replace('-', '_')}"
    return reverse(f"admin:{name}", args=[row.pk])
