"""The bars of students' pages, as lengths and places in percent."""

from __future__ import annotations

from django import template

from measurement.drawings import number

register = template.Library()

# The smallest visible mark, in percent.
LEAST = 4


def clamp(value: float, low: float = 0, high: float = 100) -> float:
    return max(low, min(high, value))


@register.simple_tag
def percent(value: float, low: float = 0, high: float = 100) -> str:
    """Return a length such as "62.5%", limited to the range from low to high."""
    return f"{number(clamp(float(value), low, high))}%"


@register.simple_tag
def span(low: float, high: float) -> dict[str, str]:
    """Return the position of a mark from low to high, widened inwards if too small to see."""
    start = clamp(float(low), 0, 100 - LEAST)
    end = clamp(float(high), start + LEAST)
    return {"start": f"{number(start)}%", "width": f"{number(end - start)}%"}
