"""The scored outcome of an attempt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from assessments.measurement import ability
from assessments.measurement.ability import Ability, eap, facet_abilities
from assessments.measurement.bank import Bank
from assessments.measurement.scales import (
    DECIMALS,
    FACETS,
    INTERESTS,
    PREFERENCES,
    InterestProfile,
    ScaleScore,
    interest_profile,
    preference_scales,
)
from assessments.measurement.validity import Given, Validity, check

OVERALL = "overall"


@dataclass(frozen=True)
class Profile:
    """What an attempt shows of a student. All figures are rounded to DECIMALS places.

    `aptitude` holds the OVERALL estimate, which every bank has, and one for each facet that the
    bank reports. `validity` is None in a profile that was stored before it was looked at.
    """

    interests: InterestProfile
    aptitude: Mapping[str, Ability]
    preferences: Mapping[str, ScaleScore]
    validity: Validity | None = None

    @property
    def facets(self) -> dict[str, Ability]:
        """The estimates of the facets, in the order of FACETS; none with a bank that has none."""
        return {facet: self.aptitude[facet] for facet in FACETS if facet in self.aptitude}

    @property
    def confidence(self) -> Literal["usual", "low"]:
        """How far recommendations can be relied on.

        It is low when the answers show signs of carelessness or no direction of interest.
        """
        flagged = self.validity is not None and bool(self.validity.flags)
        return "low" if flagged or self.interests.is_flat else "usual"

    def to_json(self) -> dict[str, Any]:
        """Return the profile in plain values, from which from_json makes an equal profile."""
        stored: dict[str, Any] = {
            "interests": {name: _scale(self.interests.scales[name]) for name in INTERESTS},
            "differentiation": self.interests.differentiation,
            "aptitude": {
                facet: {"theta": estimate.theta, "se": estimate.se}
                for facet, estimate in sorted(self.aptitude.items())
            },
            "preferences": {name: _scale(self.preferences[name]) for name in PREFERENCES},
        }
        if self.validity is not None:
            stored["validity"] = self.validity.to_json()
        return stored

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what to_json returned; the order of keys and 3 in place of 3.0 do not matter.

        A profile stored without facets or without validity is read too.
        """
        return cls(
            interests=InterestProfile(
                {name: _read_scale(data["interests"][name]) for name in INTERESTS}
            ),
            aptitude={
                facet: Ability(float(figures["theta"]), float(figures["se"]))
                for facet, figures in sorted(data["aptitude"].items())
            },
            preferences={name: _read_scale(data["preferences"][name]) for name in PREFERENCES},
            validity=Validity.from_json(data["validity"]) if "validity" in data else None,
        )


def score(bank: Bank, given: Sequence[Given]) -> Profile:
    """Return the profile of an attempt's answers, handed over in the order they were asked.

    Only the signs of carelessness depend on that order and on the times. Raise KeyError for an
    item that is not in the bank, ValueError for a statement's answer outside 1 to 5 or a scale
    without any answer.
    """
    answers = {each.code: each.choice for each in given}
    strangers = sorted(answers.keys() - bank.sections.keys())
    if strangers:
        raise KeyError(f"Not in this bank: {', '.join(strangers)}")
    responses = bank.responses(answers)
    estimates = {OVERALL: eap(responses), **facet_abilities(responses, bank.facets)}
    return Profile(
        interests=interest_profile(
            [
                (statement.scale, answers[code])
                for code, statement in bank.interests.items()
                if code in answers
            ],
            bank.norms,
        ),
        aptitude={
            name: Ability(round(estimate.theta, DECIMALS), round(estimate.se, DECIMALS))
            for name, estimate in estimates.items()
        },
        preferences=preference_scales(
            [
                (statement.scale, answers[code], statement.keyed)
                for code, statement in bank.preferences.items()
                if code in answers
            ],
            bank.norms,
        ),
        validity=check(bank, given),
    )


def stronger(profile: Profile) -> str:
    """Return the facet that clearly stands out above both others, or "" if none does."""
    return ability.stronger(profile.facets)


def _scale(figures: ScaleScore) -> dict[str, float]:
    return {"mean": figures.mean, "z": figures.z}


def _read_scale(figures: Mapping[str, Any]) -> ScaleScore:
    return ScaleScore(float(figures["mean"]), float(figures["z"]))
