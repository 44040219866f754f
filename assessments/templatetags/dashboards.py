from __future__ import annotations

from django import template

register = template.Library()


@register.filter
def thousands(count: int) -> str:
    """Return a count as staff read it: 12,400."""
    return f"{count:,}"
