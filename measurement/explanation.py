"""Write the texts for stored recommendations; the same data always give the same texts."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import takewhile
from typing import Any, TypedDict

from measurement.reasons import ABOUT_PUZZLES, ENJOYED_FIELD, ENJOYED_IN_PART, QUOTING, Reason
from measurement.recommendation import DISLIKED, LESS
from measurement.scales import PREFERENCES
from measurement.wording import SHORT_STREAMS, WORDS, Texts, known_language

MAX_BEST_MATCHES = 3
# The notes of courses that are no best matches.
NOT_WELL = ("modest", "little", "doubtful")


class CourseTexts(TypedDict):
    reasons: list[str]
    counterpoint: str
    note: str
    facts: list[str]


def course_texts(
    recommendation: Mapping[str, Any], language: str, names: Texts, required: Sequence[str] = ()
) -> CourseTexts:
    """Return the texts for a stored recommendation, in English if the language has none.

    `names` are the texts of statements and the names of fields, by code. `required` are the streams
    of which the course requires one; without them, its usual streams are named.
    """
    language = known_language(language)
    words = WORDS[language]
    reasons = [write_reason(Reason(**each), language, names) for each in recommendation["reasons"]]
    point = recommendation.get("counterpoint")
    facts = [words.entry_levels.get(recommendation["entry_level"], "")]
    if streams := required or recommendation["streams"]:
        facts.append(write_subjects(streams, language, are_required=bool(required)))
    return {
        "reasons": reasons,
        "counterpoint": write_reason(Reason(**point), language, names) if point else "",
        "note": words.course_notes.get(recommendation["note"], ""),
        "facts": [fact for fact in facts if fact],
    }


def count_best_matches(recommendations: Sequence[Mapping[str, Any]]) -> int:
    """Return how many courses, of MAX_BEST_MATCHES, come before the first that may not fit well."""
    well = takewhile(lambda each: each["note"] not in NOT_WELL, recommendations)
    return min(len(list(well)), MAX_BEST_MATCHES)


def without_answers(recommendation: Mapping[str, Any]) -> dict[str, Any]:
    """Drop reasons that quote an answer or rest on puzzles; "mix" is the reason if none is left."""
    kept = [
        reason
        for reason in recommendation["reasons"]
        if reason["code"] not in (*QUOTING, *ABOUT_PUZZLES)
    ]
    return {**recommendation, "reasons": kept or [asdict(Reason("mix"))]}


def without_puzzles(recommendation: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored recommendation without the reasons about puzzles and the counterpoint.

    UNMEASURED goes too: otherwise its absence would show that the puzzles count against the course.
    """
    kept = {name: value for name, value in recommendation.items() if name != "counterpoint"}
    return kept | {
        "reasons": [each for each in kept["reasons"] if each["code"] not in ABOUT_PUZZLES]
    }


def write_reason(reason: Reason, language: str, names: Texts) -> str:
    """Write a reason or counterpoint as a sentence, in a language that has texts."""
    words = WORDS[language]
    code, about = reason.code, reason.about
    forms = [words.against[code]] if code in words.against else words.reasons[code]
    values: dict[str, str] = {}
    if code in (*QUOTING, DISLIKED):
        quote = names[about][0].lower() + names[about][1:]
        values = {"quote": quote, "field": names[reason.field]}
    elif code in (ENJOYED_FIELD, ENJOYED_IN_PART, LESS):
        values = {"field": names[about]}
    elif about:
        scale = next(scale for scale in PREFERENCES if about in scale.split("_"))
        values = {"liking": words.preferences[scale][scale.split("_").index(about)]}
    return forms[reason.form % len(forms)].format(**values)


def write_subjects(streams: Sequence[str], language: str, *, are_required: bool = True) -> str:
    """Say that a course requires the subjects of one of these streams, or which are usual."""
    words = WORDS[language]
    template, separator = words.required_streams if are_required else words.usual_streams
    # A stored code without a name is shown unchanged.
    names = {**words.streams, **SHORT_STREAMS}
    return template.format(streams=separator.join(names.get(stream, stream) for stream in streams))
