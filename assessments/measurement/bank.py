"""The part of an item bank that scoring needs, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from assessments.measurement.response_model import AptitudeItem, Response
from assessments.measurement.scales import Norm

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


@dataclass(frozen=True)
class Bank:
    """Everything that turns stored choices into a profile."""

    interests: Mapping[str, Statement]
    preferences: Mapping[str, Statement]
    aptitude: Mapping[str, AptitudeItem]
    keys: Mapping[str, int]
    norms: Mapping[str, Norm]
    weights: Weights

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read a bank file's content, which must have passed itembank.validation.validate."""
        items: dict[str, list[Mapping[str, Any]]] = {
            section: [item for item in data["items"] if item["section"] == section]
            for section in ("interests", "preferences", "aptitude")
        }
        return cls(
            interests={item["code"]: _statement(item) for item in items["interests"]},
            preferences={item["code"]: _statement(item) for item in items["preferences"]},
            aptitude={item["code"]: _aptitude_item(item) for item in items["aptitude"]},
            keys={item["code"]: item["key"] for item in items["aptitude"]},
            norms={
                scale: Norm(norm["mean"], norm["sd"])
                for section in ("interests", "preferences")
                for scale, norm in data["norms"][section].items()
            },
            weights=Weights(**data["weights"]),
        )

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
    return AptitudeItem(item["code"], item["family"], item["a"], item["b"], item["c"])
