"""Lengths and positions, in percent, of the bars on students' pages."""

from django import template

register = template.Library()

MIN_WIDTH = 4  # percent; a narrower mark is hard to see


def clamp(value: float, low: float = 0, high: float = 100) -> float:
    return max(low, min(high, value))


@register.simple_tag
def percent(value: float, low: float = 0, high: float = 100) -> str:
    """Return a length such as "62.5%", with a point in every language, limited to low and high."""
    return f"{round(clamp(float(value), low, high), 1):g}%"


@register.simple_tag
def span(low: float, high: float) -> dict[str, str]:
    """Return the position of a mark from low to high, at least MIN_WIDTH wide, within the bar."""
    start = clamp(float(low), 0, 100 - MIN_WIDTH)
    end = clamp(float(high), start + MIN_WIDTH)
    return {"start": percent(start), "width": percent(end - start)}
