"""Names of lists, as the admin's menu has them."""

from __future__ import annotations

from typing import Any

from django import template
from django.contrib import admin
from django.db.models.options import Options

register = template.Library()


@register.filter
def list_name(opts: Options[Any]) -> str:
    site: Any = admin.site
    name: str = site.name_of_list(opts.model)
    return name
