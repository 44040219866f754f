"""Markdown's `code` in templates."""

from __future__ import annotations

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def backticks(text: str) -> SafeString:
    parts = enumerate(text.split("`"))
    marked = ((format_html("<code>{}</code>" if at % 2 else "{}", part),) for at, part in parts)
    return format_html_join("", "{}", marked)
