"""The scores of an attempt."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean
from typing import Any, Self

from measurement.ability import Ability, eap, facet_abilities
from measurement.bank import Bank
from measurement.fields import FIELDS, field_scores, is_enjoyed
from measurement.scales import (
    FACETS,
    PREFERENCES,
    ScaleScore,
    are_flat,
    differentiation,
    leaning,
    rounded,
    scale_scores,
)
from measurement.validity import (
    APTITUDE,
    FLAT,
    INTERESTS,
    STUDY,
    AnsweredItem,
    Validity,
    check_validity,
    choices_by_code,
)

OVERALL = "overall"
# A field this far above the student's mean of all fields shows a direction. Of simulated students
# who like everything alike (SD of answers up to 1), 19 in 20 stay below.
CLEAR_LEAD = 0.9
# A `validity.consistency` above this shows likings, however small. Of answers without any liking, 1
# in 20 exceeds it.
CONSISTENT_ABOVE = 1.65
# The most fields that a result names, and how many SDs above the mean of the student's fields one
# must be if the interests are doubtful.
MAX_ENJOYED = 3
LEAD_IF_DOUBTFUL = 0.5


@dataclass(frozen=True)
class Profile:
    """The scores of a student, all rounded to DECIMALS places."""

    interests: Mapping[str, ScaleScore]
    aptitude: Mapping[str, Ability]  # OVERALL and the facets
    preferences: Mapping[str, ScaleScore]
    validity: Validity
    fields: Mapping[str, float]  # in SDs of statements

    @property
    def facets(self) -> dict[str, Ability]:
        """The estimates of the facets, in the order of FACETS; none if the puzzles are doubtful."""
        if APTITUDE in self.validity.doubts:
            return {}
        return {facet: self.aptitude[facet] for facet in FACETS if facet in self.aptitude}

    @property
    def clear_preferences(self) -> list[str]:
        """The ends of preference scales that the student clearly prefers; none if doubtful."""
        if STUDY in self.validity.doubts:
            return []
        scales = [scale for scale in PREFERENCES if scale in self.preferences]
        return list(filter(None, (leaning(scale, self.preferences[scale]) for scale in scales)))

    @property
    def is_flat(self) -> bool:
        """Whether neither the six types, nor a field, nor consistent answers show a direction.

        Without the last, a narrow range of answers would always be called flat.
        """
        if not are_flat(self.interests) or (self.validity.consistency or 0) > CONSISTENT_ABOVE:
            return False
        scores = self.fields.values()
        return max(scores) - fmean(scores) < CLEAR_LEAD

    @property
    def doubts(self) -> dict[str, str]:
        """Why each doubtful part is: its answers look careless, or the interests point nowhere."""
        flat = {INTERESTS: FLAT} if self.is_flat else {}
        return flat | self.validity.doubts

    def to_json(self) -> dict[str, Any]:
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


def enjoyed_fields(bank: Bank, profile: Profile) -> list[str]:
    """Return at most MAX_ENJOYED fields that the student enjoys, the highest score first."""
    min_score = 0.0
    if INTERESTS in profile.doubts:
        min_score = fmean(profile.fields.values()) + LEAD_IF_DOUBTFUL
    enjoyed = [
        name
        for name, score in profile.fields.items()
        if score > min_score and is_enjoyed(bank, name, score)
    ]
    return sorted(enjoyed, key=lambda name: -profile.fields[name])[:MAX_ENJOYED]


def score_attempt(bank: Bank, answered: Sequence[AnsweredItem]) -> Profile:
    """Return the profile of an attempt's answers, which are in the order of the questions.

    Only `validity` depends on order and times. Raises KeyError for an item that is not in the bank,
    and ValueError for a scale without answers or an answer to a statement that is not from 1 to 5.
    """
    answers = choices_by_code(answered)
    if unknown := sorted(answers.keys() - bank.sections.keys()):
        raise KeyError(f"Not in this bank: {', '.join(unknown)}")
    responses = bank.mark_puzzles(answers)
    estimates = {OVERALL: eap(responses), **facet_abilities(responses, bank.facets)}
    return replace(
        score_interests(bank, answered),
        aptitude={name: Ability(rounded(e.theta), rounded(e.se)) for name, e in estimates.items()},
        preferences=scale_scores(bank.preferences.values(), answers, bank.norms),
    )


def score_interests(bank: Bank, answered: Sequence[AnsweredItem]) -> Profile:
    """Return a profile without aptitude and preferences; ValueError for a type without answers."""
    answers = choices_by_code(answered)
    return Profile(
        interests=scale_scores(bank.interests.values(), answers, bank.norms),
        aptitude={},
        preferences={},
        validity=check_validity(bank, answered),
        fields=field_scores(bank, answers),
    )
