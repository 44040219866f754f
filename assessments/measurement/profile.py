"""The scored outcome of an attempt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from assessments.measurement.ability import Ability, eap
from assessments.measurement.bank import Bank
from assessments.measurement.scales import (
    DECIMALS,
    INTERESTS,
    PREFERENCES,
    InterestProfile,
    ScaleScore,
    interest_profile,
    preference_scales,
)

OVERALL = "overall"


@dataclass(frozen=True)
class Profile:
    """What an attempt shows of a student. All figures are rounded to DECIMALS places.

    `aptitude` holds an estimate per reported facet; the one that every bank has is OVERALL.
    """

    interests: InterestProfile
    aptitude: Mapping[str, Ability]
    preferences: Mapping[str, ScaleScore]

    def to_json(self) -> dict[str, Any]:
        """Return the profile in plain values, from which from_json makes an equal profile."""
        return {
            "interests": {name: _scale(self.interests.scales[name]) for name in INTERESTS},
            "differentiation": self.interests.differentiation,
            "aptitude": {
                facet: {"theta": ability.theta, "se": ability.se}
                for facet, ability in sorted(self.aptitude.items())
            },
            "preferences": {name: _scale(self.preferences[name]) for name in PREFERENCES},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what to_json returned; the order of keys and 3 in place of 3.0 do not matter."""
        return cls(
            interests=InterestProfile(
                {name: _read_scale(data["interests"][name]) for name in INTERESTS}
            ),
            aptitude={
                facet: Ability(float(figures["theta"]), float(figures["se"]))
                for facet, figures in sorted(data["aptitude"].items())
            },
            preferences={name: _read_scale(data["preferences"][name]) for name in PREFERENCES},
        )


def score(bank: Bank, answers: Mapping[str, int]) -> Profile:
    """Return the profile of the choices made, given as item code to stored choice.

    The order of the answers does not matter. Raise KeyError for an item that is not in the bank,
    ValueError for a statement's answer outside 1 to 5 or a scale without any answer.
    """
    known = bank.interests.keys() | bank.preferences.keys() | bank.aptitude.keys()
    strangers = sorted(answers.keys() - known)
    if strangers:
        raise KeyError(f"Not in this bank: {', '.join(strangers)}")
    overall = eap(bank.responses(answers))
    return Profile(
        interests=interest_profile(
            [
                (statement.scale, answers[code])
                for code, statement in bank.interests.items()
                if code in answers
            ],
            bank.norms,
        ),
        aptitude={OVERALL: Ability(round(overall.theta, DECIMALS), round(overall.se, DECIMALS))},
        preferences=preference_scales(
            [
                (statement.scale, answers[code], statement.keyed)
                for code, statement in bank.preferences.items()
                if code in answers
            ],
            bank.norms,
        ),
    )


def _scale(figures: ScaleScore) -> dict[str, float]:
    return {"mean": figures.mean, "z": figures.z}


def _read_scale(figures: Mapping[str, Any]) -> ScaleScore:
    return ScaleScore(float(figures["mean"]), float(figures["z"]))
