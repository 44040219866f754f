"""Fields of work, which a school leaver can name, and a student's score on each."""

from collections.abc import Mapping
from statistics import fmean

from measurement.bank import Bank
from measurement.scales import LIKED_FROM, Answers, rounded

# The Holland types of each field, from the occupations of O*NET and the correlations of basic
# interests among students. Of equal scores, the first in this order is the higher.
FIELDS: dict[str, tuple[str, ...]] = {
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


def statement_scores(bank: Bank, answers: Answers) -> dict[str, float]:
    """Return the z score of each answer to an interest statement, by item code."""
    return {
        code: (answers[code] - bank.statement_norms[code].mean) / bank.statement_norms[code].sd
        for code in bank.statements
        if code in answers
    }


def field_scores(bank: Bank, answers: Answers) -> dict[str, float]:
    """Return how much a student likes each field of the bank, in SDs of statements.

    Over students, likings of fields are taken to be normal with mean 0 and the bank's covariances,
    and the z score of an answer to be the mean liking of the statement's fields plus noise. A score
    is the expected liking given all answers. So an answer also says something about related fields,
    and few answers say little.
    Source: the multivariate regression of Wainer, H. et al. (2001), Augmented scores, in Thissen &
    Wainer, Test Scoring, chapter 9.
    """
    order = list(bank.fields)
    likings = [0.0] * len(order)
    covariances = bank.field_covariances
    # Each answer in turn updates the expected likings and their remaining covariances.
    for code, z in statement_scores(bank, answers).items():
        places = [order.index(name) for name in bank.statements[code].fields]
        # The covariance of each field's liking with the mean liking of the statement's fields.
        shared = [sum(row[place] for place in places) / len(places) for row in covariances]
        variance = sum(shared[place] for place in places) / len(places) + bank.matching.noise
        surprise = (z - sum(likings[place] for place in places) / len(places)) / variance
        likings = [old + part * surprise for old, part in zip(likings, shared, strict=True)]
        covariances = [
            [old - part * other / variance for old, other in zip(row, shared, strict=True)]
            for row, part in zip(covariances, shared, strict=True)
        ]
    return {name: rounded(liking) for name, liking in zip(order, likings, strict=True)}


def is_enjoyed(bank: Bank, name: str, score: float) -> bool:
    """Return whether a student with this score enjoys a field: more than others do, and at all.

    Where most students dislike a field, it is not enough to like it more than they do. So the mean
    answer to the field's statements that corresponds to the score must count as a liking.
    """
    norms = [
        bank.statement_norms[code]
        for code, statement in bank.statements.items()
        if name in statement.fields
    ]
    return score > 0 and fmean(norm.mean + score * norm.sd for norm in norms) >= LIKED_FROM


def leading_fields(bank: Bank, scores: Mapping[str, float]) -> list[str]:
    """Return the fields with the highest scores, as many as stage 2 asks about."""
    return sorted(bank.fields, key=lambda name: -scores[name])[: bank.matching.leading]


def fields_to_ask(bank: Bank, answers: Answers) -> list[str]:
    return leading_fields(bank, field_scores(bank, answers))
