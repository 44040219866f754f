"""Put into words what `measurement.reasons` chose; the same stored data give the same text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from types import MappingProxyType
from typing import Any, TypedDict

from measurement.considered import DISLIKED, LESS
from measurement.reason_wording import (
    AGAINST_WORDS,
    ALL_PUZZLES_WORDS,
    COURSE_NOTE_WORDS,
    ENTRY_LEVEL_WORDS,
    REASON_WORDS,
    REQUIRED_STREAMS_SENTENCE,
    SHORT_STREAM_WORDS,
    SKILL_WORDS,
    STREAMS_SENTENCE,
    USE_WORDS,
)
from measurement.reasons import FIELD, OF_ALL_PUZZLES, OF_STATEMENTS, Point
from measurement.scales import FACETS, PREFERENCES
from measurement.wording import PREFERENCE_WORDS, known_language

UNMEASURED = "unmeasured"
MOST_BEST_MATCHES = 3
NO_NAMES: Mapping[str, str] = MappingProxyType({})


class CourseTexts(TypedDict):
    """The texts about a recommended course."""

    reasons: list[str]
    counterpoint: str
    note: str
    facts: list[str]


def texts(
    recommendation: Mapping[str, Any],
    language: str,
    names: Mapping[str, str] = NO_NAMES,
    required: Sequence[str] = (),
) -> CourseTexts:
    """Return the texts for a stored recommendation.

    `names` are the texts of statements and the names of fields, by code. `required` are the streams
    of which the course asks one; without them, its usual subjects are named. Languages without
    texts get English.
    """
    language = known_language(language)
    counterpoint = recommendation.get("counterpoint")
    return {
        "reasons": [
            sentence(Point.from_json(reason), language, names)
            for reason in recommendation["reasons"]
        ],
        "counterpoint": sentence(Point.from_json(counterpoint), language, names)
        if counterpoint
        else "",
        "note": COURSE_NOTE_WORDS[language].get(recommendation["note"], ""),
        "facts": _facts(recommendation, required, language),
    }


def best_matches(recommendations: Sequence[Mapping[str, Any]]) -> int:
    """Return how many of the courses are best matches, at most MOST_BEST_MATCHES.

    They are those before the first one that is far from the student's interests.
    """
    near = takewhile(lambda each: each["note"] != "modest", recommendations)
    return min(len(list(near)), MOST_BEST_MATCHES)


def without_answers(recommendation: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored recommendation without the reasons that quote an answer or rest on puzzles.

    If none is left, the reason is that the course fits on the whole.
    """
    points = [Point.from_json(reason) for reason in recommendation["reasons"]]
    told = [each for each in points if each.code not in OF_STATEMENTS and each.about not in FACETS]
    kept = [each.to_json() for each in told]
    return {**recommendation, "reasons": kept or [Point("mix").to_json()]}


def without_puzzles(recommendation: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored recommendation without the reasons and the counterpoint about puzzles.

    The counterpoint "unmeasured" goes too: it says that no puzzle counts against the course, so
    where it is missing one would.
    """
    kept = dict(recommendation)
    kept["reasons"] = [each for each in kept["reasons"] if each["about"] not in FACETS]
    counterpoint = kept["counterpoint"]
    if counterpoint["about"] in FACETS or counterpoint["code"] == UNMEASURED:
        del kept["counterpoint"]
    return kept


def sentence(point: Point, language: str, names: Mapping[str, str] = NO_NAMES) -> str:
    """Put a point into words, in a language that has texts."""
    if point.code in AGAINST_WORDS[language]:
        return AGAINST_WORDS[language][point.code].format(**_values(point, language, names))
    forms = REASON_WORDS[language][point.code]
    return forms[point.form % len(forms)].format(**_values(point, language, names))


def _values(point: Point, language: str, names: Mapping[str, str]) -> dict[str, str]:
    if point.code in (*OF_STATEMENTS, DISLIKED):
        text = names[point.about]
        return {"quote": text[0].lower() + text[1:]}
    if point.code in (FIELD, LESS):
        return {"field": names[point.about]}
    if point.about in FACETS:
        skill = SKILL_WORDS[language][point.about]
        return {
            "puzzles": ALL_PUZZLES_WORDS[language]
            if point.code in OF_ALL_PUZZLES.values()
            else skill.puzzles,
            "work": skill.work,
            "prepare": skill.prepare,
            "use": USE_WORDS[language][point.importance or 0],
        }
    return {"liking": _end(point.about, language)} if point.about else {}


def _end(end: str, language: str) -> str:
    """Return the words for an end of a preference scale."""
    scale = next(scale for scale in PREFERENCES if end in scale.split("_"))
    return PREFERENCE_WORDS[language][scale][scale.split("_").index(end)]


def _facts(recommendation: Mapping[str, Any], required: Sequence[str], language: str) -> list[str]:
    entry = ENTRY_LEVEL_WORDS[language].get(recommendation["entry_level"], "")
    facts = [entry] if entry else []
    if required:
        facts.append(required_subjects(required, language))
    elif streams := recommendation["streams"]:
        facts.append(_subjects(streams, STREAMS_SENTENCE[language], language))
    return facts


def required_subjects(streams: Sequence[str], language: str) -> str:
    """Say which subjects a course requires, any one of these."""
    language = known_language(language)
    return _subjects(streams, REQUIRED_STREAMS_SENTENCE[language], language)


def _subjects(streams: Sequence[str], sentence: tuple[str, str], language: str) -> str:
    template, between = sentence
    # Stored codes that are no longer known are shown unchanged.
    words = SHORT_STREAM_WORDS[language]
    return template.format(streams=between.join(words.get(stream, stream) for stream in streams))
