from __future__ import annotations

from django import template

from partners.times import moment_in_words

register = template.Library()
register.filter("moment", moment_in_words)


@register.filter
def thousands(count: int) -> str:
    """Return a count as staff read it: 12,400."""
    return f"{count:,}"
