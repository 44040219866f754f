"""What the figures are called when a student reads them, per language.

The words speak of what somebody likes or how they stand at the moment, never of what they are.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interest:
    """A Holland type in plain words: its title, what people of it like, and "You liked …"."""

    label: str
    text: str
    activity: str


@dataclass(frozen=True, slots=True)
class Facet:
    """A kind of puzzles: its title and what they were about."""

    label: str
    text: str


INTEREST_WORDS: dict[str, dict[str, Interest]] = {
    "en": {
        "realistic": Interest(
            "Making and fixing",
            "Work you can touch: tools, machines, plants, materials, and seeing the thing done.",
            "practical work with your hands and with tools",
        ),
        "investigative": Interest(
            "Finding out",
            "Asking why, testing ideas, and staying with a problem until it makes sense.",
            "finding out how and why things work",
        ),
        "artistic": Interest(
            "Creating",
            "Making something of your own with words, pictures, sound, cloth or colour.",
            "creating things of your own with words, pictures or sound",
        ),
        "social": Interest(
            "Helping and teaching",
            "Being with people: explaining, caring, listening and helping them along.",
            "helping people and explaining things to them",
        ),
        "enterprising": Interest(
            "Leading and selling",
            "Starting things, winning people over, taking decisions and running a team.",
            "leading people, winning them over and running things",
        ),
        "conventional": Interest(
            "Organising",
            "Keeping numbers, records and plans complete, correct and in order.",
            "keeping records, numbers and plans in order",
        ),
    }
}

PREFERENCE_WORDS: dict[str, dict[str, tuple[str, str]]] = {
    "en": {
        "alone_group": ("studying alone", "studying with others"),
        "doing_reading": ("trying things out first", "reading about things first"),
        "planned_flexible": ("following a plan", "deciding day by day"),
        "online_classroom": ("learning online", "learning in a classroom"),
    }
}

FACET_WORDS: dict[str, dict[str, Facet]] = {
    "en": {
        "overall": Facet("Overall reasoning", "All puzzles together."),
        "numerical": Facet("Numbers", "Problems in rupees, tables and charts."),
        "abstract": Facet("Patterns", "Rows of numbers and squares of shapes."),
        "verbal": Facet("Letters and logic", "Groups of letters, and what follows from sentences."),
    }
}

BAND_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "lowest": "clearly below the middle",
        "lower": "a little below the middle",
        "middle": "around the middle",
        "higher": "a little above the middle",
        "highest": "clearly above the middle",
    }
}


def known_language(language: str) -> str:
    """Return the language of these words nearest to the one asked for; English if none is."""
    base = language.lower().split("-")[0]
    return base if base in INTEREST_WORDS else "en"
