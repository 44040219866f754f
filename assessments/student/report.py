"""The template context of the result page: what it says of a profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from measurement import explanation
from measurement.ability import Ability, interval, reported_bands
from measurement.bank import Bank
from measurement.fields import is_enjoyed
from measurement.profile import OVERALL, Profile
from measurement.reason_wording import PAGE_NOTE_WORDS
from measurement.scales import INTERESTS, NEITHER, PREFERENCES, ScaleScore, leaning
from measurement.wording import (
    BAND_WORDS,
    INTEREST_WORDS,
    LEANING_ADVICE,
    PREFERENCE_WORDS,
    STUDY_ADVICE,
    known_language,
)

# The reference of banks that compare with students who have taken the assessment.
STUDENTS = "students"
MOST_ENJOYED = 3
# How far above the mean of one's own fields, in SDs, a field must be to be named where the answers
# are much alike or look careless.
LEAD_IF_UNSURE = 0.5


def report(
    profile: Profile,
    recommendations: Sequence[Mapping[str, Any]],
    language: str,
    bank: Bank,
    reference: str = "assumed",
    names: Mapping[str, str] = explanation.NO_NAMES,
    *,
    given_name: str = "",
    has_norms_of_students: bool = False,
    other_subjects: Sequence[Mapping[str, Any]] = (),
    answers: Sequence[str] = (),
) -> dict[str, Any]:
    """Return what the result page says of a profile; `courses.groups` has its courses.

    `recommendations` are as stored at completion, `bank` is that of the attempt. `reference` says
    whom aptitude is compared with: "assumed", or "students" of this service. `names` are the texts
    of statements and the names of fields in this language, by code. `has_norms_of_students` tells
    whether likings are compared with those of students of this service. `other_subjects` are the
    courses that need other subjects, as stored. `answers` are the labels of the five answers to
    statements.
    """
    language = known_language(language)
    interests = [
        _interest(name, profile.interests.scales[name], language, answers) for name in INTERESTS
    ]
    is_sure = profile.confidence == "usual"
    leading = enjoyed(profile, bank)
    fields = joined([names[name] for name in leading])
    preferences = [_preference(name, profile.preferences[name], language) for name in PREFERENCES]
    return {
        "headline": headline(given_name, fields if is_sure else ""),
        "leaning_fields": "" if is_sure else fields,
        "headline_for_others": headline_for_others(given_name, fields),
        "leading": [
            {"name": names[name], "percent": 50 + 25 * profile.fields[name]} for name in leading
        ],
        "interests": sorted(interests, key=lambda interest: -interest["mean"]),
        "highest": _highest(interests) if not profile.is_flat else [],
        "flat": profile.is_flat,
        "fields_note": _fields_note(has_norms_of_students) if fields else "",
        "reasoning": _reasoning(
            profile.aptitude[OVERALL], language, is_calibrated=reference == STUDENTS
        ),
        "compared_with_students": reference == STUDENTS,
        "preferences": preferences,
        "leanings": [each for each in preferences if each["advice"]],
        "advice": STUDY_ADVICE[language],
        "other_subjects": [
            {
                "name": course["name"],
                "subjects": explanation.required_subjects(course["streams"], language),
            }
            for course in other_subjects
        ],
        "few_open": _few_open(len(recommendations)) if other_subjects else "",
        "confidence_note": _confidence_note(profile, language),
        # Measured by part 10 of bench.measurement: 2.9 of five stay.
        "retake_note": _(
            "If you took this again, about two in five of these courses would be others."
        )
        if is_sure and len(recommendations) > 1
        else "",
    }


def headline(given_name: str, fields: str) -> SafeString:
    """Return the heading of a result, with the fields that the student enjoys, or ""."""
    if fields and given_name:
        return format_html(_("{name}, you enjoy <b>{fields}</b>"), name=given_name, fields=fields)
    if fields:
        return format_html(_("You enjoy <b>{fields}</b>"), fields=fields)
    if given_name:
        return format_html(_("{name}, here is your result"), name=given_name)
    return format_html("{}", _("Here is your result"))


def headline_for_others(given_name: str, fields: str) -> SafeString:
    """Return the heading of a shared result."""
    if fields and given_name:
        return format_html(_("{name} enjoys <b>{fields}</b>"), name=given_name, fields=fields)
    if fields:
        return format_html(_("The student enjoys <b>{fields}</b>"), fields=fields)
    if given_name:
        return format_html(_("Courses for {name} to explore"), name=given_name)
    return format_html("{}", _("Courses to explore"))


def joined(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: "a", "a and b", "a, b and c".

    If some contain "and" themselves, commas separate all, and these come last: "a, b and c".
    """
    conjunction = " ".join(["", _("and"), ""])
    if len(words) < 2 or any(conjunction in word for word in words):
        return ", ".join(sorted(words, key=lambda word: conjunction in word))
    return ", ".join(words[:-1]) + conjunction + words[-1]


def enjoyed(profile: Profile, bank: Bank) -> list[str]:
    """Return up to three fields that the student enjoys, the highest scores first.

    If confidence is low, they must stand out among the student's own fields as well.
    """
    least = 0.0
    if profile.confidence == "low":
        least = fmean(profile.fields.values()) + LEAD_IF_UNSURE
    named = [
        name
        for name, score in profile.fields.items()
        if score > least and is_enjoyed(bank, name, score)
    ]
    return sorted(named, key=lambda name: -profile.fields[name])[:MOST_ENJOYED]


def _fields_note(has_norms_of_students: bool) -> str:
    if has_norms_of_students:
        return _(
            "The fields named at the top are those that you like more than other students here do."
        )
    return _(
        "The fields named at the top are those that you like more than most students do, as far as "
        "we can tell so far."
    )


def _interest(
    name: str, score: ScaleScore, language: str, answers: Sequence[str]
) -> dict[str, Any]:
    words = INTEREST_WORDS[language][name]
    return {
        "code": name,
        "label": words.label,
        "text": words.text,
        "mean": score.mean,
        "percent": score.percent,
        "answer": answers[round(score.mean) - 1] if answers else "",
    }


def _highest(interests: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return the highest interest and, if it is liked, the second one; of equal ones the first."""
    first, second, *_rest = sorted(interests, key=lambda interest: -interest["mean"])
    return [first, second] if second["mean"] > NEITHER else [first]


def _reasoning(ability: Ability, language: str, *, is_calibrated: bool) -> dict[str, Any]:
    low, high = interval(ability, is_calibrated=is_calibrated)
    bands = reported_bands(ability, is_calibrated=is_calibrated)
    words = [BAND_WORDS[language][each.code] for each in bands]
    return {"lowest": words[0], "highest": words[-1], "low": low, "high": high}


def _preference(name: str, score: ScaleScore, language: str) -> dict[str, Any]:
    left, right = PREFERENCE_WORDS[language][name]
    ends = dict(zip(name.split("_"), (left, right), strict=True))
    clear = leaning(name, score)
    label = _("You lean towards %(end)s.") % {"end": ends[clear]} if clear else ""
    return {
        "left": left,
        "right": right,
        "label": label or _("No strong preference."),
        "percent": score.percent,
        "advice": LEANING_ADVICE[language][clear] if clear else "",
    }


def _few_open(count: int) -> str:
    few = (
        _("No course is open with your subjects."),
        _("Only one course is open with your subjects."),
        _("Only two courses are open with your subjects."),
    )
    return few[count] if count < len(few) else ""


def _confidence_note(profile: Profile, language: str) -> str:
    """Return the note about the whole list, or "".

    There is one if the answers show signs of carelessness or the interests show no direction.
    """
    words = PAGE_NOTE_WORDS[language]
    if profile.validity.flags:
        return words["flagged"]
    return words["flat"] if profile.is_flat else ""
