"""Amounts, units, names and nouns of the word problems, keyed by language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Noun:
    """A thing in the forms that a language's sentences need."""

    one: str
    an: str
    many: str


@dataclass(frozen=True, slots=True)
class Rupees:
    """An amount of money, to be written as a language writes it."""

    amount: int | Fraction


# A number, money, or the key of a noun, name or part below.
Value = int | Fraction | Rupees | str

# Rare to tell anybody's gender.
NAMES: dict[str, dict[str, str]] = {
    "en": {
        "kiran": "Kiran",
        "noor": "Noor",
        "robin": "Robin",
        "suman": "Suman",
        "mani": "Mani",
        "anmol": "Anmol",
    }
}

NOUNS: dict[str, dict[str, Noun]] = {
    "en": {
        "bicycle": Noun("bicycle", "a bicycle", "bicycles"),
        "smartphone": Noun("smartphone", "a smartphone", "smartphones"),
        "umbrella": Noun("umbrella", "an umbrella", "umbrellas"),
        "school_bag": Noun("school bag", "a school bag", "school bags"),
        "wall_clock": Noun("wall clock", "a wall clock", "wall clocks"),
        "table_fan": Noun("table fan", "a table fan", "table fans"),
        "pressure_cooker": Noun("pressure cooker", "a pressure cooker", "pressure cookers"),
        "sewing_machine": Noun("sewing machine", "a sewing machine", "sewing machines"),
        "electric_iron": Noun("electric iron", "an electric iron", "electric irons"),
        "study_table": Noun("study table", "a study table", "study tables"),
        "cricket_bat": Noun("cricket bat", "a cricket bat", "cricket bats"),
        "water_filter": Noun("water filter", "a water filter", "water filters"),
        "rice": Noun("rice", "some rice", "rice"),
        "wheat_flour": Noun("wheat flour", "some wheat flour", "wheat flour"),
        "sugar": Noun("sugar", "some sugar", "sugar"),
        "onions": Noun("onion", "an onion", "onions"),
        "potatoes": Noun("potato", "a potato", "potatoes"),
        "mangoes": Noun("mango", "a mango", "mangoes"),
        "tomatoes": Noun("tomato", "a tomato", "tomatoes"),
        "apples": Noun("apple", "an apple", "apples"),
    }
}

PARTS: dict[str, dict[str, str]] = {
    "en": {
        "1/2": "half",
        "1/3": "one third",
        "1/4": "one quarter",
        "1/5": "one fifth",
        "2/5": "two fifths",
    }
}

# How an answer is written; no answer is 1, so one form is enough.
UNITS: dict[str, dict[str, str]] = {
    "en": {
        "books": "{} books",
        "days": "{} days",
        "gb": "{} GB",
        "kg": "{} kg",
        "km": "{} km",
        "litres": "{} litres",
        "minutes": "{} minutes",
        "mm": "{} mm",
        "percent": "{}%",
        "plain": "{}",
        "runs": "{} runs",
        "trees": "{} trees",
        "units": "{} units",
        "visitors": "{} visitors",
        "weeks": "{} weeks",
    }
}


def grouped(value: int | Fraction) -> str:
    """Return a whole number from 0 with its digits grouped as in India: 12,34,567."""
    digits = str(int(value))
    head, tail = digits[:-3], digits[-3:]
    while head:
        head, tail = head[:-2], f"{head[-2:]},{tail}"
    return tail


MONEY: Mapping[str, Callable[[int | Fraction], str]] = {
    "en": lambda amount: f"Rs {grouped(amount)}"
}


def measured(value: int, unit: str, language: str) -> str:
    """Return an amount as this language writes it, such as "Rs 1,20,000" or "12 days"."""
    if unit == "rupees":
        return MONEY[language](value)
    return UNITS[language][unit].format(grouped(value))


def spoken(value: Value, language: str) -> str | Noun:
    """Return a value as a sentence of this language takes it."""
    if isinstance(value, Rupees):
        return MONEY[language](value.amount)
    if isinstance(value, int | Fraction):
        return grouped(value)
    if value in NOUNS[language]:
        return NOUNS[language][value]
    return NAMES[language].get(value) or PARTS[language][value]
