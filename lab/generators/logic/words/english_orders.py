"""Verbal logic in English: things in an order, such as heavier, earlier or further left."""

from __future__ import annotations

from collections.abc import Sequence

from lab.generators.logic.scenes import Scene

_COLOURS = ("red", "blue", "green", "yellow", "white", "black", "orange")
_OFFICES = ("bank", "clinic", "law office", "music school", "gym", "tailor", "dance school")
_BUILDINGS = ("bank", "library", "post office", "clinic", "school", "museum", "town hall")
_SHOPS = ("tea", "book", "toy", "shoe", "flower", "sweet", "clothes")
_LESSONS = ("maths", "art", "music", "science", "history", "English", "computer")
_TOWNS = ("Pune", "Nagpur", "Surat", "Indore", "Patna", "Kochi", "Mysuru")
_FIBRES = ("cotton", "jute", "nylon", "silk", "plastic", "leather", "wool")


# The verbs of the sentences, and how they are denied.
_DENIED = {
    **{"is": "is not", "flew": "did not fly", "costs": "does not cost"},
    **{"leaves": "does not leave", "finished": "did not finish", "comes": "does not come"},
}


def _all(template: str, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(template.format(name) for name in names)


def _order(intro: str, noun: str, things: tuple[str, ...], **says: str) -> Scene:
    """Return a scene from what is said of a thing, compared with another one or of its place.

    Scenes with places, where things can be next to each other, also have `just_before`,
    `just_after` and `middle`.
    """
    has_places = "just_before" in says
    verb = says["first"].split()[0]
    compared = [name for name in ("before", "after", "just_before", "just_after") if name in says]
    sentences: dict[str, str] = {name: f"{{0}} {says[name]} {{1}}." for name in compared}
    sentences |= {name: f"{{0}} {says[name]}." for name in ("first", "last")}
    for name in ("before", "after", *(("first", "last") if has_places else ())):
        sentences[f"not_{name}"] = sentences[name].replace(verb, _DENIED[verb], 1)
    if has_places:
        sentences["between"] = f"{{0}} {verb} somewhere between {{1}} and {{2}}."
    asked = ("first", "second", "middle", "second_last", "last")
    questions = {name: f"Which {noun} {says[name]}?" for name in asked if name in says}
    return Scene(intro, things, sentences, questions)


ORDERS = {
    "kites": _order(
        "{count} kites flew, each at a different height.",
        "kite",
        _all("the {} kite", _COLOURS),
        before="flew higher than",
        after="flew lower than",
        first="flew the highest",
        last="flew the lowest",
        second="flew the second highest",
        second_last="flew the second lowest",
    ),
    "boxes": _order(
        "{count} boxes each have a different weight.",
        "box",
        _all("the {} box", _COLOURS),
        before="is heavier than",
        after="is lighter than",
        first="is the heaviest",
        last="is the lightest",
        second="is the second heaviest",
        second_last="is the second lightest",
    ),
    "ropes": _order(
        "{count} ropes each have a different length.",
        "rope",
        _all("the {} rope", _FIBRES),
        before="is longer than",
        after="is shorter than",
        first="is the longest",
        last="is the shortest",
        second="is the second longest",
        second_last="is the second shortest",
    ),
    "bags": _order(
        "{count} bags each have a different price.",
        "bag",
        _all("the {} bag", _COLOURS),
        before="costs more than",
        after="costs less than",
        first="costs the most",
        last="costs the least",
        second="has the second highest price",
        second_last="has the second lowest price",
    ),
    "buildings": _order(
        "{count} buildings were each built in a different year.",
        "building",
        _all("the {}", _BUILDINGS),
        before="is older than",
        after="is newer than",
        first="is the oldest",
        last="is the newest",
        second="is the second oldest",
        second_last="is the second newest",
    ),
    "buses": _order(
        "{count} buses leave, each at a different time.",
        "bus",
        _all("the {} bus", _TOWNS),
        before="leaves earlier than",
        after="leaves later than",
        first="leaves first",
        last="leaves last",
        second="is the second to leave",
        second_last="is the last but one to leave",
    ),
    "race": _order(
        "{count} cars took part in a race. No two cars finished together.",
        "car",
        _all("the {} car", _COLOURS),
        before="finished before",
        after="finished after",
        first="finished first",
        last="finished last",
        second="finished second",
        second_last="finished last but one",
        just_before="finished just before",
        just_after="finished just after",
        middle="finished third",
    ),
    "shops": _order(
        "You are facing {count} shops that stand in a row.",
        "shop",
        _all("the {} shop", _SHOPS),
        before="is to the left of",
        after="is to the right of",
        first="is at the left end",
        last="is at the right end",
        second="is second from the left",
        second_last="is second from the right",
        just_before="is just to the left of",
        just_after="is just to the right of",
        middle="is in the middle",
    ),
    "floors": _order(
        "A building has {count} floors, with one shop or office on each.",
        "one",
        _all("the {}", _OFFICES),
        before="is on a higher floor than",
        after="is on a lower floor than",
        first="is on the top floor",
        last="is on the lowest floor",
        second="is on the second floor from the top",
        second_last="is one floor above the lowest",
        just_before="is one floor above",
        just_after="is one floor below",
        middle="is on the middle floor",
    ),
    "lessons": _order(
        "A class has {count} lessons, one after another.",
        "lesson",
        _all("the {} lesson", _LESSONS),
        before="comes before",
        after="comes after",
        first="comes first",
        last="comes last",
        second="comes second",
        second_last="comes last but one",
        just_before="comes just before",
        just_after="comes just after",
        middle="comes third",
    ),
}
