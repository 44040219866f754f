"""Verbal logic in English: facts, kinds of things, and sentences of all scenes."""

from __future__ import annotations

from dataclasses import dataclass

from lab.generators.logic.scenes import Scene, extended
from lab.generators.logic.words.english_orders import ORDERS

NUMBERS = {3: "three", 4: "four", 5: "five"}

_ASKED = {"must": "Which of these must be true?", "cannot": "Which of these cannot be true?"}
_OPTIONS = {"thing": "{0}", "unknown": "This cannot be known from the text."}
_RULES = {
    "fact": "{0}.",
    "if": "If {0}, {1}.",
    "only_if": "{0} only if {1}.",
    "unless": "{0} unless {1}.",
    "either": "Either {0} or {1}, but not both.",
}


def _facts(intro: str, *facts: str) -> Scene:
    """Return a scene of facts such as "the lamp is/on"; their opposites use "is not"."""
    pairs = [fact.split("/") for fact in facts]
    things = [says for what, how in pairs for says in (f"{what} {how}", f"{what} not {how}")]
    return Scene(intro, tuple(things), _RULES, {})


_FACTS = {
    "lamps": _facts(
        "All of this is true of a board with lamps.",
        *(
            f"the {colour} lamp is/on"
            for colour in ("red", "blue", "green", "yellow", "white", "black")
        ),
    ),
    "market": _facts(
        "All of this is true in a market today.",
        *(f"the {shop} shop is/open" for shop in ("tea", "book", "toy", "shoe", "flower", "sweet")),
    ),
    "school": _facts(
        "All of this is true at a school today.",
        "the music room is/open",
        "the flag is/up",
        "the projector is/on",
        "the playground is/wet",
        "the notice board is/full",
        "the bus is/late",
    ),
    "farm": _facts(
        "All of this is true at a farm today.",
        "the shed is/locked",
        "the tractor is/outside",
        "the radio is/on",
        "the well is/covered",
        "the truck is/loaded",
        "the path is/dry",
    ),
    "machine": _facts(
        "All of this is true of a machine.",
        "the motor is/running",
        "the green light is/on",
        "the lid is/shut",
        "the buzzer is/on",
        "the counter is/at zero",
        "the tray is/full",
    ),
    "post": _facts(
        "All of this is true at a post office today.",
        "the first counter is/open",
        "the second counter is/open",
        "the third counter is/open",
        "the money counter is/open",
        "the stamp counter is/open",
        "the parcel counter is/open",
    ),
}


@dataclass(frozen=True, slots=True)
class Property:
    """A property in its forms: of many things or one, beside the name or as a predicate."""

    many: str
    one: str
    are: str
    has: str
    has_not: str


_QUANTITIES = {
    "all": "All the {0.many} {1.are}.",
    "no": "No {0.one} {1.has}.",
    "some": "Some {0.many} {1.are}.",
    "only": "Only {0.many} {1.are}.",
    "at_least": "At least one {0.one} {1.has}.",
    "at_least_not": "At least one {0.one} {1.has_not}.",
}


def _quantities(named: str) -> dict[str, str]:
    return {**_QUANTITIES, "is": f"{named} {{0.has}}.", "is_not": f"{named} {{0.has_not}}."}


def _being(intro: str, one: str, many: str, named: str, *properties: str) -> Scene:
    """Return a scene of things that are or are not like this."""
    things = tuple(
        Property(f"{how} {many}", f"{how} {one}", f"are {how}", f"is {how}", f"is not {how}")
        for how in properties
    )
    return Scene(intro, things, _quantities(named), {})


def _having(intro: str, one: str, many: str, named: str, *properties: str) -> Scene:
    """Return a scene of things that have or do not have this."""
    things = tuple(
        Property(
            f"{many} with {what}",
            f"{one} with {what}",
            f"have {what}",
            f"has {what}",
            f"does not have {what}",
        )
        for what in properties
    )
    return Scene(intro, things, _quantities(named), {})


def _selling(intro: str, named: str, *properties: str) -> Scene:
    """Return a scene of shops that sell or do not sell this."""
    things = tuple(
        Property(
            f"shops that sell {what}",
            f"shop that sells {what}",
            f"sell {what}",
            f"sells {what}",
            f"does not sell {what}",
        )
        for what in properties
    )
    return Scene(intro, things, _quantities(named), {})


_SETS = {
    "store": _being(
        "A store room has many boxes.",
        *("box", "boxes", "box 7"),
        *("tall", "wooden", "locked", "painted", "dusty", "numbered"),
    ),
    "transport": _being(
        "A city has many buses.",
        *("bus", "buses", "bus 12"),
        *("blue", "electric", "new", "long", "clean", "crowded"),
    ),
    "cards": _being(
        "A bag has many cards.",
        *("card", "cards", "card 5"),
        *("round", "blue", "shiny", "numbered", "thick", "torn"),
    ),
    "villages": _having(
        "A district has many villages.",
        *("village", "villages", "the village Navgaon"),
        *("a bank", "a bus stop", "a pond", "a post office", "a park", "a market"),
    ),
    "houses": _having(
        "A street has many houses.",
        *("house", "houses", "house 9"),
        *("a garden", "a well", "a red roof", "a blue door", "a swing", "a balcony"),
    ),
    "sellers": _selling(
        "A town has many shops.",
        "the corner shop",
        *("rice", "toys", "shoes", "lamps", "books", "soap"),
    ),
}

SCENES = {
    **extended(ORDERS, sentences=_OPTIONS, questions=_ASKED),
    **extended(_FACTS | _SETS, questions=_ASKED),
}
