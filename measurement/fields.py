"""Fields: kinds of work that a school leaver can name, and a student's score on each."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from types import MappingProxyType

from measurement.bank import Bank
from measurement.scales import LIKED_FROM, rounded

# The Holland types of each field, after the occupations of O*NET and the correlations of basic
# interests among students. The order decides between equal scores.
FIELDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "machines": ("realistic",),
        "building": ("realistic",),
        "nature": ("realistic", "investigative"),
        "care": ("social",),
        "life_science": ("investigative",),
        "physical_science": ("investigative",),
        "maths": ("investigative", "conventional"),
        "computers": ("realistic", "investigative"),
        "mind_society": ("investigative", "social"),
        "art": ("artistic",),
        "design": ("artistic",),
        "writing": ("artistic",),
        "media": ("artistic", "enterprising"),
        "performing": ("artistic",),
        "teaching": ("social",),
        "helping": ("social",),
        "business": ("enterprising",),
        "law": ("enterprising",),
        "hospitality": ("social", "enterprising"),
        "accounts": ("conventional",),
        "logistics": ("enterprising", "conventional"),
        "office": ("conventional",),
    }
)


def statement_scores(bank: Bank, answers: Mapping[str, int]) -> dict[str, float]:
    """Return how far each answer (1 to 5) to an interest statement is from its norm, in SDs."""
    return {
        code: (answers[code] - bank.statement_norms[code].mean) / bank.statement_norms[code].sd
        for code in bank.statements
        if code in answers
    }


def field_scores(bank: Bank, answers: Mapping[str, int]) -> dict[str, float]:
    """Return how much a student likes each field of the bank, in SDs of statements.

    `answers` are choices (1 to 5) by item code. A score is the answer to be expected to a statement
    about this field alone, given all answers: likings of fields are normal over students, with mean
    0 and the bank's covariances, and an answer is the mean liking of its fields and noise. So an
    answer also says something about the fields that go with its own, and few answers say little.
    The answers are taken in one by one, in the bank's order.
    Source: the multivariate regression of Wainer, H. et al. (2001), Augmented scores, in Thissen &
    Wainer, Test Scoring, chapter 9.
    """
    order = list(bank.fields)
    found = [0.0] * len(order)
    covariances = bank.field_covariances
    for code, score in statement_scores(bank, answers).items():
        own = [order.index(name) for name in bank.statements[code].fields]
        # How each field goes with what this statement speaks of, as far as is not yet known.
        shared = [sum(row[place] for place in own) / len(own) for row in covariances]
        variance = sum(shared[place] for place in own) / len(own) + bank.matching.noise
        news = (score - sum(found[place] for place in own) / len(own)) / variance
        found = [liking + each * news for liking, each in zip(found, shared, strict=True)]
        covariances = [
            [left - each * other / variance for left, other in zip(row, shared, strict=True)]
            for row, each in zip(covariances, shared, strict=True)
        ]
    return {name: rounded(liking) for name, liking in zip(order, found, strict=True)}


def is_enjoyed(bank: Bank, name: str, score: float) -> bool:
    """Return whether a student with this score enjoys a field: more than others do, and at all.

    The mean answer (1 to 5) to the field's statements that the score stands for must count as a
    liking. Where most students dislike a field, to like it more than they do is not enough.
    """
    norms = [
        bank.statement_norms[code]
        for code, statement in bank.statements.items()
        if name in statement.fields
    ]
    return score > 0 and fmean(norm.mean + score * norm.sd for norm in norms) >= LIKED_FROM


def leading_fields(bank: Bank, scores: Mapping[str, float]) -> list[str]:
    """Return the fields with the highest scores, as many as stage 2 asks about.

    Of equal ones, the first in the bank's table.
    """
    order = list(bank.fields)
    return sorted(order, key=lambda name: (-scores[name], order.index(name)))[
        : bank.matching.leading
    ]


def fields_to_ask(bank: Bank, answers: Mapping[str, int]) -> list[str]:
    """Return the leading fields after stage 1, whose answers are given by item code."""
    return leading_fields(bank, field_scores(bank, answers))
