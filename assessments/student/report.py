"""The template context of the result page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from assessments.measurement.ability import Ability, band, interval, stronger
from assessments.measurement.advice_wording import LEANING_ADVICE, STUDY_ADVICE
from assessments.measurement.profile import OVERALL, Profile
from assessments.measurement.reason_wording import PAGE_NOTE_WORDS, SKILL_WORDS
from assessments.measurement.scales import INTERESTS, PREFERENCES, ScaleScore, leaning
from assessments.measurement.wording import (
    BAND_WORDS,
    FACET_WORDS,
    INTEREST_WORDS,
    PREFERENCE_WORDS,
    known_language,
)
from assessments.student import explanation

# The reference of banks that compare with students who have taken the assessment.
STUDENTS = "students"
MOST_ENJOYED = 3


def report(
    profile: Profile,
    recommendations: Sequence[Mapping[str, Any]],
    language: str,
    reference: str = "assumed",
    names: Mapping[str, str] = explanation.NO_NAMES,
) -> dict[str, Any]:
    """Return what the result page shows of a profile; the view adds the name and the dates.

    `recommendations` are as stored at completion. `reference` says whom aptitude is
    compared with: "assumed", or "students" of this service. `names` are the texts of statements and
    the names of fields in this language, by code.
    """
    language = known_language(language)
    interests = [_interest(name, profile.interests.scales[name], language) for name in INTERESTS]
    return {
        "interests": interests,
        "highest": _highest(interests) if not profile.interests.is_flat else [],
        "flat": profile.interests.is_flat,
        "enjoyed": [names[name] for name in enjoyed(profile)],
        "aptitude": [
            _aptitude(name, ability, language)
            for name, ability in {OVERALL: profile.aptitude[OVERALL], **profile.facets}.items()
        ],
        "stronger": _stronger(profile, language),
        "compared_with_students": reference == STUDENTS,
        "preferences": [
            _preference(name, profile.preferences[name], language) for name in PREFERENCES
        ],
        "advice": STUDY_ADVICE[language],
        "courses": [
            {"name": course["name"], **explanation.texts(course, language, names)}
            for course in recommendations
        ],
        "confidence_note": _confidence_note(profile, recommendations, language),
    }


def enjoyed(profile: Profile) -> list[str]:
    """Return up to three fields with the highest scores above 0, the highest first."""
    above = [name for name, score in profile.fields.items() if score > 0]
    return sorted(above, key=lambda name: -profile.fields[name])[:MOST_ENJOYED]


def _interest(name: str, score: ScaleScore, language: str) -> dict[str, Any]:
    words = INTEREST_WORDS[language][name]
    return {
        "code": name,
        "label": words.label,
        "text": words.text,
        "mean": score.mean,
        "percent": score.percent,
    }


def _highest(interests: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return the two highest interests, which get more text; of equal ones the first."""
    return sorted(interests, key=lambda interest: -interest["mean"])[:2]


def _aptitude(name: str, ability: Ability, language: str) -> dict[str, Any]:
    low, high = interval(ability)
    words = FACET_WORDS[language][name]
    return {
        "code": name,
        "label": words.label,
        "text": words.text,
        "band": BAND_WORDS[language][band(ability).code],
        "low": low,
        "high": high,
        "se_text": _("Between number %(low)s and number %(high)s of 100.")
        % {"low": max(low, 1), "high": max(high, 2)},
    }


def _stronger(profile: Profile, language: str) -> str:
    """Return the sentence about the strongest facet; "" for a profile without facets."""
    if not profile.facets:
        return ""
    facet = stronger(profile.facets)
    if not facet:
        return _("The three are too close together to call one of them your strongest.")
    return _("You did clearly better with %(puzzles)s than with the other two kinds.") % {
        "puzzles": SKILL_WORDS[language][facet].puzzles
    }


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


def _confidence_note(
    profile: Profile, recommendations: Sequence[Mapping[str, Any]], language: str
) -> str:
    """Return the note about the whole list; old recommendations lack it, so the profile decides."""
    note = explanation.page_note(recommendations, language)
    if not note and profile.interests.is_flat:
        note = PAGE_NOTE_WORDS[language]["flat"]
    return note
