"""The scored outcome of an attempt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean
from typing import Any, Literal, Self

from measurement.ability import Ability, eap, facet_abilities
from measurement.bank import Bank
from measurement.fields import FIELDS, field_scores
from measurement.scales import (
    DECIMALS,
    FACETS,
    ScaleScore,
    are_flat,
    differentiation,
    scale_scores,
)
from measurement.validity import Given, Validity, check

OVERALL = "overall"
# A field this far above a student's mean of all fields shows a direction. Of simulated students who
# like everything alike (SD of answers up to 1), 19 in 20 stay below.
CLEAR_LEAD = 0.9
# Answers that agree more than this (`measurement.validity.consistency`) show likings, small as they
# may be. Of those without any liking, 1 in 20 do.
AGREEING = 1.65


@dataclass(frozen=True)
class Profile:
    """The scores of a student. All numbers are rounded to DECIMALS places.

    `fields` has the field scores, in SDs. `aptitude` has the OVERALL estimate and one for each
    facet that the bank reports.
    """

    interests: Mapping[str, ScaleScore]
    aptitude: Mapping[str, Ability]
    preferences: Mapping[str, ScaleScore]
    validity: Validity
    fields: Mapping[str, float]

    @property
    def facets(self) -> dict[str, Ability]:
        """The estimates of the facets that the bank reports, in the order of FACETS."""
        return {facet: self.aptitude[facet] for facet in FACETS if facet in self.aptitude}

    @property
    def is_flat(self) -> bool:
        """Tell whether no direction shows: in the six types, in a field, or in answers that agree.

        The last keeps people who use a narrow range of answers from being called flat.
        """
        agreement = self.validity.consistency
        if not are_flat(self.interests) or (agreement is not None and agreement > AGREEING):
            return False
        scores = self.fields.values()
        return max(scores) - fmean(scores) < CLEAR_LEAD

    @property
    def confidence(self) -> Literal["usual", "low"]:
        """Low if the answers show signs of carelessness or the interests show no direction."""
        return "low" if self.validity.flags or self.is_flat else "usual"

    def to_json(self) -> dict[str, Any]:
        """Return plain values from which `from_json` makes an equal profile."""
        return {**asdict(self), "differentiation": differentiation(self.interests)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read the output of `to_json`. Keys may be in any order."""
        return cls(
            interests={name: ScaleScore(**each) for name, each in data["interests"].items()},
            aptitude={name: Ability(**each) for name, each in data["aptitude"].items()},
            preferences={name: ScaleScore(**each) for name, each in data["preferences"].items()},
            validity=Validity(**data["validity"]),
            # A database may return the fields in another order, which decides between equal scores.
            fields={name: data["fields"][name] for name in FIELDS if name in data["fields"]},
        )


def score(bank: Bank, given: Sequence[Given]) -> Profile:
    """Return the profile of an attempt's answers, given in the order of the questions.

    Only the signs of carelessness depend on order and times. Raises KeyError for an item that is
    not in the bank, ValueError for an answer to a statement outside 1 to 5 or a scale without
    answers.
    """
    answers = {each.code: each.choice for each in given}
    unknown = sorted(answers.keys() - bank.sections.keys())
    if unknown:
        raise KeyError(f"Not in this bank: {', '.join(unknown)}")
    responses = bank.responses(answers)
    estimates = {OVERALL: eap(responses), **facet_abilities(responses, bank.facets)}
    return replace(
        score_interests(bank, given),
        aptitude={
            name: Ability(round(estimate.theta, DECIMALS), round(estimate.se, DECIMALS))
            for name, estimate in estimates.items()
        },
        preferences=scale_scores(bank.preferences.values(), answers, bank.norms),
    )


def score_interests(bank: Bank, given: Sequence[Given]) -> Profile:
    """Return the profile of the answers so far, without aptitude and preferences.

    Signs of carelessness are those of the answers so far. Raises ValueError for an interest without
    answers.
    """
    answers = {each.code: each.choice for each in given}
    return Profile(
        interests=scale_scores(bank.interests.values(), answers, bank.norms),
        aptitude={},
        preferences={},
        validity=check(bank, given),
        fields=field_scores(bank, answers),
    )
