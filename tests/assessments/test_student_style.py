"""The one style sheet: whether its colours can be told apart, by day and by night, and its size."""

from __future__ import annotations

import re
from itertools import product

import pytest
from django.conf import settings

from partners.student_pages import Accent

STYLE = (settings.BASE_DIR / "static" / "student.css").read_text()
TEXT, CONTROL = 4.5, 3.0

# WCAG 2.2, 1.4.3 and 1.4.11: colours of words and of what has to be seen, on what they stand on.
GROUNDS = ("ground", "card", "tint")
PAIRS = [
    *product(("ink", "quiet", "accent"), GROUNDS, (TEXT,)),
    *product(("ink", "bad"), ("ground", "card", "bad-tint"), (TEXT,)),
    ("on-accent", "accent", TEXT),
    *product(("edge", "focus"), GROUNDS, (CONTROL,)),
    ("focus", "bad-tint", CONTROL),
    ("accent", "line", CONTROL),  # how far a bar of the result or of the progress is filled
]


def tokens(block: str) -> dict[str, str]:
    """Return the custom properties of a rule."""
    return dict(re.findall(r"--([\w-]+):\s*([^;}]+?)\s*[;}]", block))


def rule(selector: str, text: str = STYLE) -> dict[str, str]:
    """Return the custom properties of the first rule of this selector."""
    found = re.search(rf"^\s*{re.escape(selector)} \{{(.*?\}})", text, re.M | re.S)
    assert found, selector
    return tokens(found[1])


def palette(accent: str, scheme: str) -> dict[str, str]:
    """Return every token as a page of this accent has it, by day or by night."""
    found = rule(":root")
    if accent != "teal":  # which needs no rule
        found |= rule(f'[data-accent="{accent}"]')
    if scheme == "dark":
        night = STYLE.partition("@media screen and (prefers-color-scheme: dark)")[2]
        found |= rule(":root", night)
    return {
        name: found[value[6:-1]] if value.startswith("var(--") else value
        for name, value in found.items()
    }


def luminance(colour: str) -> float:
    """Return the relative luminance of "#abc" or "#aabbcc", as WCAG defines it."""
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("accent", Accent.values)
def test_colours_are_distinguishable(accent: str, scheme: str) -> None:
    colours = palette(accent, scheme)

    weak = {
        f"{one} on {other}": round(contrast(colours[one], colours[other]), 2)
        for one, other, least in PAIRS
        if contrast(colours[one], colours[other]) < least
    }
    assert weak == {}


def test_every_accent_that_staff_can_choose_has_colours_and_no_other() -> None:
    styled = re.findall(r'\[data-accent="(\w+)"\]', STYLE)

    assert sorted([*styled, "teal"]) == sorted(Accent.values)
