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

BAND_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "lowest": "clearly below the middle",
        "lower": "a little below the middle",
        "middle": "around the middle",
        "higher": "a little above the middle",
        "highest": "clearly above the middle",
    }
}

# How much of an interest a course holds, by its rating.
AMOUNT_WORDS: dict[str, tuple[str, str, str, str]] = {
    "en": ("has almost none of", "has a little of", "has a good deal of", "is full of")
}

REASON_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "liked": "You liked {activity}; this course {amount} that.",
        "preferred": (
            "Compared with the other activities, you were more drawn to {activity}; "
            "this course {amount} that."
        ),
        "spared": "You did not care much for {activity}; this course {amount} that.",
        "open": (
            "Your answers were much alike for all six kinds of activity, so look around: "
            "this course {amount} {activity}."
        ),
        "compare": (
            "This course {amount} {activity}. That is not what you liked most, "
            "but it is worth a look to compare."
        ),
    }
}


def known_language(language: str) -> str:
    """Return the language of these words nearest to the one asked for; English if none is."""
    base = language.lower().split("-")[0]
    return base if base in REASON_WORDS else "en"
