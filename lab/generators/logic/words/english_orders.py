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


def _all(template: str, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(template.format(name) for name in names)


ORDERS = {
    "kites": Scene(
        "{count} kites flew, each at a different height.",
        _all("the {} kite", _COLOURS),
        {
            "before": "{0} flew higher than {1}.",
            "after": "{0} flew lower than {1}.",
            "not_before": "{0} did not fly higher than {1}.",
            "not_after": "{0} did not fly lower than {1}.",
            "first": "{0} flew the highest.",
            "last": "{0} flew the lowest.",
        },
        {
            "first": "Which kite flew the highest?",
            "second": "Which kite flew the second highest?",
            "second_last": "Which kite flew the second lowest?",
            "last": "Which kite flew the lowest?",
        },
    ),
    "boxes": Scene(
        "{count} boxes each have a different weight.",
        _all("the {} box", _COLOURS),
        {
            "before": "{0} is heavier than {1}.",
            "after": "{0} is lighter than {1}.",
            "not_before": "{0} is not heavier than {1}.",
            "not_after": "{0} is not lighter than {1}.",
            "first": "{0} is the heaviest.",
            "last": "{0} is the lightest.",
        },
        {
            "first": "Which box is the heaviest?",
            "second": "Which box is the second heaviest?",
            "second_last": "Which box is the second lightest?",
            "last": "Which box is the lightest?",
        },
    ),
    "ropes": Scene(
        "{count} ropes each have a different length.",
        _all("the {} rope", _FIBRES),
        {
            "before": "{0} is longer than {1}.",
            "after": "{0} is shorter than {1}.",
            "not_before": "{0} is not longer than {1}.",
            "not_after": "{0} is not shorter than {1}.",
            "first": "{0} is the longest.",
            "last": "{0} is the shortest.",
        },
        {
            "first": "Which rope is the longest?",
            "second": "Which rope is the second longest?",
            "second_last": "Which rope is the second shortest?",
            "last": "Which rope is the shortest?",
        },
    ),
    "bags": Scene(
        "{count} bags each have a different price.",
        _all("the {} bag", _COLOURS),
        {
            "before": "{0} costs more than {1}.",
            "after": "{0} costs less than {1}.",
            "not_before": "{0} does not cost more than {1}.",
            "not_after": "{0} does not cost less than {1}.",
            "first": "{0} costs the most.",
            "last": "{0} costs the least.",
        },
        {
            "first": "Which bag costs the most?",
            "second": "Which bag has the second highest price?",
            "second_last": "Which bag has the second lowest price?",
            "last": "Which bag costs the least?",
        },
    ),
    "buildings": Scene(
        "{count} buildings were each built in a different year.",
        _all("the {}", _BUILDINGS),
        {
            "before": "{0} is older than {1}.",
            "after": "{0} is newer than {1}.",
            "not_before": "{0} is not older than {1}.",
            "not_after": "{0} is not newer than {1}.",
            "first": "{0} is the oldest.",
            "last": "{0} is the newest.",
        },
        {
            "first": "Which building is the oldest?",
            "second": "Which building is the second oldest?",
            "second_last": "Which building is the second newest?",
            "last": "Which building is the newest?",
        },
    ),
    "buses": Scene(
        "{count} buses leave, each at a different time.",
        _all("the {} bus", _TOWNS),
        {
            "before": "{0} leaves earlier than {1}.",
            "after": "{0} leaves later than {1}.",
            "not_before": "{0} does not leave earlier than {1}.",
            "not_after": "{0} does not leave later than {1}.",
            "first": "{0} leaves first.",
            "last": "{0} leaves last.",
        },
        {
            "first": "Which bus leaves first?",
            "second": "Which bus is the second to leave?",
            "second_last": "Which bus is the last but one to leave?",
            "last": "Which bus leaves last?",
        },
    ),
    "race": Scene(
        "{count} cars took part in a race. No two cars finished together.",
        _all("the {} car", _COLOURS),
        {
            "before": "{0} finished before {1}.",
            "after": "{0} finished after {1}.",
            "not_before": "{0} did not finish before {1}.",
            "not_after": "{0} did not finish after {1}.",
            "just_before": "{0} finished just before {1}.",
            "just_after": "{0} finished just after {1}.",
            "between": "{0} finished somewhere between {1} and {2}.",
            "first": "{0} finished first.",
            "last": "{0} finished last.",
            "not_first": "{0} did not finish first.",
            "not_last": "{0} did not finish last.",
        },
        {
            "first": "Which car finished first?",
            "second": "Which car finished second?",
            "middle": "Which car finished third?",
            "second_last": "Which car finished last but one?",
            "last": "Which car finished last?",
        },
    ),
    "shops": Scene(
        "You are facing {count} shops that stand in a row.",
        _all("the {} shop", _SHOPS),
        {
            "before": "{0} is to the left of {1}.",
            "after": "{0} is to the right of {1}.",
            "not_before": "{0} is not to the left of {1}.",
            "not_after": "{0} is not to the right of {1}.",
            "just_before": "{0} is just to the left of {1}.",
            "just_after": "{0} is just to the right of {1}.",
            "between": "{0} is somewhere between {1} and {2}.",
            "first": "{0} is at the left end.",
            "last": "{0} is at the right end.",
            "not_first": "{0} is not at the left end.",
            "not_last": "{0} is not at the right end.",
        },
        {
            "first": "Which shop is at the left end?",
            "second": "Which shop is second from the left?",
            "middle": "Which shop is in the middle?",
            "second_last": "Which shop is second from the right?",
            "last": "Which shop is at the right end?",
        },
    ),
    "floors": Scene(
        "A building has {count} floors, with one shop or office on each.",
        _all("the {}", _OFFICES),
        {
            "before": "{0} is on a higher floor than {1}.",
            "after": "{0} is on a lower floor than {1}.",
            "not_before": "{0} is not on a higher floor than {1}.",
            "not_after": "{0} is not on a lower floor than {1}.",
            "just_before": "{0} is one floor above {1}.",
            "just_after": "{0} is one floor below {1}.",
            "between": "{0} is somewhere between {1} and {2}.",
            "first": "{0} is on the top floor.",
            "last": "{0} is on the lowest floor.",
            "not_first": "{0} is not on the top floor.",
            "not_last": "{0} is not on the lowest floor.",
        },
        {
            "first": "Which one is on the top floor?",
            "second": "Which one is on the second floor from the top?",
            "middle": "Which one is on the middle floor?",
            "second_last": "Which one is one floor above the lowest?",
            "last": "Which one is on the lowest floor?",
        },
    ),
    "lessons": Scene(
        "A class has {count} lessons, one after another.",
        _all("the {} lesson", _LESSONS),
        {
            "before": "{0} comes before {1}.",
            "after": "{0} comes after {1}.",
            "not_before": "{0} does not come before {1}.",
            "not_after": "{0} does not come after {1}.",
            "just_before": "{0} comes just before {1}.",
            "just_after": "{0} comes just after {1}.",
            "between": "{0} comes somewhere between {1} and {2}.",
            "first": "{0} comes first.",
            "last": "{0} comes last.",
            "not_first": "{0} does not come first.",
            "not_last": "{0} does not come last.",
        },
        {
            "first": "Which lesson comes first?",
            "second": "Which lesson comes second?",
            "middle": "Which lesson comes third?",
            "second_last": "Which lesson comes last but one?",
            "last": "Which lesson comes last?",
        },
    ),
}
