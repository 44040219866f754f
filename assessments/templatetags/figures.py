from __future__ import annotations

from datetime import datetime

from django import template

from partners.times import moment_in_words

register = template.Library()


@register.filter
def thousands(count: int) -> str:
    """Return a count as staff read it: 12,400."""
    return f"{count:,}"


@register.filter
def moment(at: datetime, zone: str) -> str:
    return moment_in_words(at, zone)
