"""What the result page says of a completed attempt, in words and figures. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from assessments.measurement.ability import Ability, band, interval
from assessments.measurement.profile import Profile
from assessments.measurement.scales import INTERESTS, PREFERENCES, ScaleScore, leaning
from assessments.measurement.wording import (
    BAND_WORDS,
    INTEREST_WORDS,
    PREFERENCE_WORDS,
    known_language,
)
from assessments.recommendation import Reason, reason_text


def report(
    profile: Profile, recommendations: Sequence[Mapping[str, Any]], language: str
) -> dict[str, Any]:
    """Return the context of the result page; `recommendations` are as stored at completion."""
    language = known_language(language)
    return {
        "interests": [
            _interest(name, profile.interests.scales[name], language) for name in INTERESTS
        ],
        "flat": profile.interests.is_flat,
        "aptitude": [_facet(ability, language) for ability in profile.aptitude.values()],
        "preferences": [
            _preference(name, profile.preferences[name], language) for name in PREFERENCES
        ],
        "courses": [
            {
                "name": course["name"],
                "reason": reason_text(Reason.from_json(course["reason"]), language),
            }
            for course in recommendations
        ],
        "confidence_note": _confidence_note(profile),
    }


def _interest(name: str, score: ScaleScore, language: str) -> dict[str, Any]:
    words = INTEREST_WORDS[language][name]
    return {
        "code": name,
        "label": words.label,
        "text": words.text,
        "mean": score.mean,
        "percent": score.percent,
    }


def _facet(ability: Ability, language: str) -> dict[str, Any]:
    low, high = interval(ability)
    return {
        "label": _("Overall reasoning"),
        "band": BAND_WORDS[language][band(ability).code],
        "low": low,
        "high": high,
        "se_text": _(
            "Think of 100 people in a row, the lowest result first. Your answers place you between "
            "number %(low)s and number %(high)s; two times in three that range holds true."
        )
        % {"low": max(low, 1), "high": high},
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
    }


def _confidence_note(profile: Profile) -> str:
    if not profile.interests.is_flat:
        return ""
    return _(
        "Your interests came out about equally strong, so these courses are only a first idea."
    )
