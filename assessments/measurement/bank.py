"""The part of an item bank that scoring needs, as plain values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from assessments.measurement.response_model import AptitudeItem, Response
from assessments.measurement.scales import FACETS, INSTRUCTED, Norm

DONT_KNOW = 0


@dataclass(frozen=True, slots=True)
class Statement:
    """An interest or preference statement: the scale it counts for and from which end."""

    code: str
    scale: str
    keyed: int


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each part of a profile counts in ranking courses; together 1."""

    interests: float
    aptitude: float
    preferences: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """How a list of courses is kept from being five times the same; by default it is not.

    `diversity` is taken off a course's score per unit of its highest correlation with a course
    chosen before it. Of a department at most `per_department` courses are listed, unless another
    one leads by `department_lead`; None is no limit. Aptitude fit counts up to `aptitude_cap`.
    """

    diversity: float = 0.0
    per_department: int | None = None
    department_lead: float | None = None
    aptitude_cap: float = 1.0


@dataclass(frozen=True)
class Bank:
    """Everything that turns stored choices into a profile.

    `interests`, `preferences` and `aptitude` hold what is scored. `instructed` names the answer
    that an attention check asks for, `spares` the items that wait for a later version; `sections`
    knows the section of every one. `facets` are the aptitude results reported beside the overall
    one, with the families that each is made of. `seconds` is the time that an item is expected to
    take, `section_seconds` a whole section; what the bank doesn't say is not in them.
    """

    interests: Mapping[str, Statement]
    preferences: Mapping[str, Statement]
    aptitude: Mapping[str, AptitudeItem]
    keys: Mapping[str, int]
    norms: Mapping[str, Norm]
    weights: Weights
    sections: Mapping[str, str]
    facets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ranking: Ranking = Ranking()
    instructed: Mapping[str, int] = field(default_factory=dict)
    spares: frozenset[str] = frozenset()
    seconds: Mapping[str, float] = field(default_factory=dict)
    section_seconds: Mapping[str, float] = field(default_factory=dict)
    reference: str = "assumed"

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read a bank file's content, which must have passed itembank.validation.validate."""
        items = data["items"]
        spares = frozenset(item["code"] for item in items if item.get("spare", False))
        instructed = {item["code"]: item for item in items if item.get("scale") == INSTRUCTED}
        scored: dict[str, list[Mapping[str, Any]]] = {
            section: [
                item
                for item in items
                if item["section"] == section
                and item["code"] not in spares
                and item["code"] not in instructed
            ]
            for section in ("interests", "preferences", "aptitude")
        }
        facets = data.get("facets", {})
        return cls(
            interests={item["code"]: _statement(item) for item in scored["interests"]},
            preferences={item["code"]: _statement(item) for item in scored["preferences"]},
            aptitude={item["code"]: _aptitude_item(item) for item in scored["aptitude"]},
            keys={item["code"]: item["key"] for item in scored["aptitude"]},
            norms={
                scale: Norm(norm["mean"], norm["sd"])
                for section in ("interests", "preferences")
                for scale, norm in data["norms"][section].items()
            },
            weights=Weights(**data["weights"]),
            sections={item["code"]: item["section"] for item in items},
            # A database may hand the facets back in another order than the file has.
            facets={facet: tuple(facets[facet]) for facet in FACETS if facet in facets},
            ranking=Ranking(**data.get("ranking", {})),
            instructed={code: item["expected"] for code, item in instructed.items()},
            spares=spares,
            seconds=_seconds(items),
            section_seconds=_seconds(data.get("sections", ())),
            reference=data.get("reference", "assumed"),
        )

    def section_of(self, code: str) -> str:
        """Return the section of an item, spare or not. Raise KeyError for a stranger."""
        return self.sections[code]

    def responses(self, answers: Mapping[str, int]) -> list[Response]:
        """Mark the aptitude items among these choices, ordered by code.

        Answers to other items are passed over; "I don't know" is marked as not correct.
        """
        return [
            Response(self.aptitude[code], choice == self.keys[code])
            for code, choice in sorted(answers.items())
            if code in self.aptitude
        ]

    def family_targets(self) -> dict[str, float]:
        """Return the share of an attempt that each family should have: equal ones."""
        families = sorted({item.family for item in self.aptitude.values()})
        return {family: 1 / len(families) for family in families}


def _statement(item: Mapping[str, Any]) -> Statement:
    return Statement(item["code"], item["scale"], item.get("keyed", 1))


def _aptitude_item(item: Mapping[str, Any]) -> AptitudeItem:
    return AptitudeItem(
        item["code"], item["family"], item["a"], item["b"], item["c"], _clone_name(item)
    )


def _clone_name(item: Mapping[str, Any]) -> str:
    if "template" not in item:
        return ""
    radicals = json.dumps(item.get("radicals", {}), sort_keys=True)
    # Two families may call a rule the same.
    return f"{item['family']} {item['template']} {radicals}"


def _seconds(rows: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    return {row["code"]: float(row["seconds"]) for row in rows if "seconds" in row}
