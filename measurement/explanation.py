"""Put into words what `measurement.reasons` chose; the same stored data give the same text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import takewhile
from types import MappingProxyType
from typing import Any, TypedDict

from measurement.considered import DISLIKED, LESS
from measurement.reasons import FIELD, OF_STATEMENTS, Reason
from measurement.scales import FACETS, PREFERENCES
from measurement.wording import SHORT_STREAMS, WORDS, known_language

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
            sentence(Reason(**reason), language, names) for reason in recommendation["reasons"]
        ],
        "counterpoint": sentence(Reason(**counterpoint), language, names) if counterpoint else "",
        "note": WORDS[language].course_notes.get(recommendation["note"], ""),
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
    kept = [
        each
        for each in recommendation["reasons"]
        if each["code"] not in OF_STATEMENTS and each["about"] not in FACETS
    ]
    return {**recommendation, "reasons": kept or [asdict(Reason("mix"))]}


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


def sentence(point: Reason, language: str, names: Mapping[str, str] = NO_NAMES) -> str:
    """Put a point into words, in a language that has texts."""
    words = WORDS[language]
    code = point.code
    forms = [words.against[code]] if code in words.against else words.reasons[code]
    values: dict[str, str] = {}
    if code in (*OF_STATEMENTS, DISLIKED):
        quote = names[point.about]
        values = {"quote": quote[0].lower() + quote[1:]}
    elif code in (FIELD, LESS):
        values = {"field": names[point.about]}
    elif point.about in FACETS:
        values = {**words.skills[point.about], "use": words.uses[point.importance or 0]}
    elif point.about:
        scale = next(each for each in PREFERENCES if point.about in each.split("_"))
        ends = dict(zip(scale.split("_"), words.preferences[scale], strict=True))
        values = {"liking": ends[point.about]}
    return forms[point.form % len(forms)].format(**values)


def _facts(recommendation: Mapping[str, Any], required: Sequence[str], language: str) -> list[str]:
    words = WORDS[language]
    entry = words.entry_levels.get(recommendation["entry_level"])
    facts = [entry] if entry else []
    if required:
        facts.append(required_subjects(required, language))
    elif streams := recommendation["streams"]:
        facts.append(_subjects(streams, words.usual_streams, language))
    return facts


def required_subjects(streams: Sequence[str], language: str) -> str:
    """Say which subjects a course requires, any one of these."""
    language = known_language(language)
    return _subjects(streams, WORDS[language].required_streams, language)


def _subjects(streams: Sequence[str], sentence: Sequence[str], language: str) -> str:
    template, between = sentence
    # Stored codes that are no longer known are shown unchanged.
    words = {**WORDS[language].streams, **SHORT_STREAMS}
    return template.format(streams=between.join(words.get(stream, stream) for stream in streams))
