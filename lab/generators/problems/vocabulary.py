"""Amounts, units, names and nouns of the word problems, keyed by language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Noun:
    """A thing in the forms that English sentences need."""

    one: str
    an: str
    many: str


@dataclass(frozen=True, slots=True)
class HindiNoun:
    """A thing in the forms that Hindi sentences need.

    `of` (singular) and `many` (plural) precede a postposition ("की", "पर"); `one` is the singular
    elsewhere.
    """

    one: str
    of: str
    many: str


@dataclass(frozen=True, slots=True)
class Rupees:
    """An amount of money."""

    amount: int | Fraction


# A number, money, or the key of a noun, name or part below.
Value = int | Fraction | Rupees | str

# Names that rarely reveal a person's gender.
NAMES: dict[str, dict[str, str]] = {
    "en": {
        "kiran": "Kiran",
        "noor": "Noor",
        "robin": "Robin",
        "suman": "Suman",
        "mani": "Mani",
        "anmol": "Anmol",
    },
    "hi": {
        "kiran": "किरण",
        "noor": "नूर",
        "robin": "रॉबिन",
        "suman": "सुमन",
        "mani": "मणि",
        "anmol": "अनमोल",
    },
}


def _thing(one: str) -> tuple[str, Noun]:
    an = "an" if one[0] in "aeiou" else "a"
    return one.replace(" ", "_"), Noun(one, f"{an} {one}", f"{one}s")


NOUNS: dict[str, Mapping[str, Noun | HindiNoun]] = {
    "en": {
        **dict(map(_thing, ("bicycle", "smartphone", "umbrella", "school bag", "wall clock"))),
        **dict(map(_thing, ("table fan", "pressure cooker", "sewing machine", "electric iron"))),
        **dict(map(_thing, ("study table", "cricket bat", "water filter"))),
        "rice": Noun("rice", "some rice", "rice"),
        "wheat_flour": Noun("wheat flour", "some wheat flour", "wheat flour"),
        "sugar": Noun("sugar", "some sugar", "sugar"),
        "onions": Noun("onion", "an onion", "onions"),
        "potatoes": Noun("potato", "a potato", "potatoes"),
        "mangoes": Noun("mango", "a mango", "mangoes"),
        "tomatoes": Noun("tomato", "a tomato", "tomatoes"),
        "apples": Noun("apple", "an apple", "apples"),
    },
    "hi": {
        "bicycle": HindiNoun("साइकिल", "साइकिल", "साइकिलों"),
        "smartphone": HindiNoun("स्मार्टफ़ोन", "स्मार्टफ़ोन", "स्मार्टफ़ोनों"),
        "umbrella": HindiNoun("छाता", "छाते", "छातों"),
        "school_bag": HindiNoun("स्कूल बैग", "स्कूल बैग", "स्कूल बैगों"),
        "wall_clock": HindiNoun("दीवार घड़ी", "दीवार घड़ी", "दीवार घड़ियों"),
        "table_fan": HindiNoun("पंखा", "पंखे", "पंखों"),
        "pressure_cooker": HindiNoun("प्रेशर कुकर", "प्रेशर कुकर", "प्रेशर कुकरों"),
        "sewing_machine": HindiNoun("सिलाई मशीन", "सिलाई मशीन", "सिलाई मशीनों"),
        "electric_iron": HindiNoun("इस्त्री", "इस्त्री", "इस्त्रियों"),
        "study_table": HindiNoun("पढ़ने की मेज़", "पढ़ने की मेज़", "पढ़ने की मेज़ों"),
        "cricket_bat": HindiNoun("क्रिकेट बैट", "क्रिकेट बैट", "क्रिकेट बैटों"),
        "water_filter": HindiNoun("वॉटर फ़िल्टर", "वॉटर फ़िल्टर", "वॉटर फ़िल्टरों"),
        "rice": HindiNoun("चावल", "चावल", "चावल"),
        "wheat_flour": HindiNoun("आटा", "आटे", "आटे"),
        "sugar": HindiNoun("चीनी", "चीनी", "चीनी"),
        "onions": HindiNoun("प्याज़", "प्याज़", "प्याज़ों"),
        "potatoes": HindiNoun("आलू", "आलू", "आलुओं"),
        "mangoes": HindiNoun("आम", "आम", "आमों"),
        "tomatoes": HindiNoun("टमाटर", "टमाटर", "टमाटरों"),
        "apples": HindiNoun("सेब", "सेब", "सेबों"),
    },
}

PARTS: dict[str, dict[str, str]] = {
    "en": {
        "1/2": "half",
        "1/3": "one third",
        "1/4": "one quarter",
        "1/5": "one fifth",
        "2/5": "two fifths",
    },
    # All end in the same noun, because the verb agrees with it.
    "hi": {
        "1/2": "आधा हिस्सा",
        "1/3": "एक तिहाई हिस्सा",
        "1/4": "एक चौथाई हिस्सा",
        "1/5": "पाँचवाँ हिस्सा",
        "2/5": "दो बटा पाँच हिस्सा",
    },
}

# The format of an answer with its unit. No answer is 1, so the plural is enough.
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
    },
    "hi": {
        "books": "{} किताबें",
        "days": "{} दिन",
        "gb": "{} GB",
        "kg": "{} किलो",
        "km": "{} किमी",
        "litres": "{} लीटर",
        "minutes": "{} मिनट",
        "mm": "{} मिमी",
        "percent": "{}%",
        "plain": "{}",
        "runs": "{} रन",
        "trees": "{} पेड़",
        "units": "{} यूनिट",
        "visitors": "{} लोग",
        "weeks": "{} हफ़्ते",
    },
}


def grouped(value: int | Fraction) -> str:
    """Return a non-negative whole number with its digits grouped as in India: 12,34,567."""
    digits = str(int(value))
    head, tail = digits[:-3], digits[-3:]
    while head:
        head, tail = head[:-2], f"{head[-2:]},{tail}"
    return tail


def rupees(amount: int | Fraction) -> str:
    """Return an amount of money, which is written alike in every language."""
    return f"₹{grouped(amount)}"


def measured(value: int, unit: str, language: str) -> str:
    """Return an amount in the format of a language, such as "₹1,20,000" or "12 days"."""
    if unit == "rupees":
        return rupees(value)
    return UNITS[language][unit].format(grouped(value))


def spoken(value: Value, language: str) -> str | Noun | HindiNoun:
    """Return a value in the form for the sentences of a language."""
    if isinstance(value, Rupees):
        return rupees(value.amount)
    if isinstance(value, int | Fraction):
        return grouped(value)
    if value in NOUNS[language]:
        return NOUNS[language][value]
    return NAMES[language].get(value) or PARTS[language][value]
