"""The parts of an item bank that scoring needs, as plain values."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Any, Self

from measurement.ability import AptitudeItem, Response
from measurement.scales import FACETS, INSTRUCTED, SCALES, Norm, Statement

DONT_KNOW = 0


@dataclass(frozen=True, slots=True)
class Matching:
    """How courses are ranked (`measurement.field_fit`).

    Stage 2 asks about the `leading` fields of a student. `noise` is the part of an answer that no
    liking of a field explains, as a variance in squared SDs of statements. A course weighs its
    first field by `main_weight`, others by `other_weight`. `fit_spread` is the SD over students of
    estimated fits in SDs of what they estimate. In SDs of estimated fits: `aptitude_sd` is what
    aptitude adds over courses for a student one SD above the mean, `aptitude_cap` the most it adds
    to a course, `preference_most` the most that study preferences make of two courses. Among the
    first five, a course of a department that has `per_department` already yields to one that is at
    most `department_lead` worse. `named` is what a course gains that the student named.
    """

    leading: int
    noise: float
    main_weight: float
    other_weight: float
    fit_spread: float
    aptitude_sd: float
    aptitude_cap: float
    preference_most: float
    per_department: int
    department_lead: float
    named: float


@dataclass(frozen=True, slots=True)
class CarelessSigns:
    """Limits of `measurement.validity`.

    Answers are flagged if the effort or the consistency is below `least_effort` or
    `least_consistency`, the latter only if the profile is not flat; if a row of `straight_run`
    answers is one answer, or a pattern of up to `longest_pattern` answers, over and over; if the
    median interest statement takes less than `fastest_statement` seconds, or a section less than
    the share `hurried_share` of its expected time.
    """

    least_effort: float
    least_consistency: float
    straight_run: int
    longest_pattern: int
    fastest_statement: float
    hurried_share: float


@dataclass(frozen=True)
class Bank:
    """Everything needed to turn stored choices into a profile.

    `interests`, `preferences` and `aptitude` contain the scored items. `instructed` has the
    expected answers of attention checks, `sections` the section of every item. `facets` maps each
    aptitude facet to its item families. `seconds` and `section_seconds` are expected times, for
    items and sections that have one.

    `fields` maps each field to its types, `follow_ups` are the statements of stage 2.
    `field_covariances` says how liking one field goes with liking another over students: a row for
    each field, in the order of `fields`, in squared SDs of statements.
    """

    interests: Mapping[str, Statement]
    preferences: Mapping[str, Statement]
    aptitude: Mapping[str, AptitudeItem]
    keys: Mapping[str, int]
    norms: Mapping[str, Norm]
    sections: Mapping[str, str]
    matching: Matching
    careless: CarelessSigns
    fields: Mapping[str, tuple[str, ...]]
    follow_ups: Mapping[str, Statement]
    statement_norms: Mapping[str, Norm]
    field_covariances: Sequence[Sequence[float]]
    facets: Mapping[str, tuple[str, ...]]
    instructed: Mapping[str, int]
    seconds: Mapping[str, float]
    section_seconds: Mapping[str, float]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read the content of a bank file, which must have passed bank_validation.validate."""
        items = data["items"]
        scored: dict[str, list[Mapping[str, Any]]] = {
            section: [
                item
                for item in items
                if item["section"] == section and item.get("scale") != INSTRUCTED
            ]
            for section in ("interests", "fields", "preferences", "aptitude")
        }
        return cls(
            interests=_statements(scored["interests"]),
            preferences=_statements(scored["preferences"]),
            aptitude={
                item["code"]: AptitudeItem(
                    item["code"], item["family"], item["a"], item["b"], item["c"], _clone_name(item)
                )
                for item in scored["aptitude"]
            },
            keys={item["code"]: item["key"] for item in scored["aptitude"]},
            norms={
                scale: Norm(**norm)
                for section in SCALES
                for scale, norm in data["norms"][section].items()
            },
            sections={item["code"]: item["section"] for item in items},
            # A database may return the facets in another order than the file.
            facets={facet: tuple(data["facets"][facet]) for facet in FACETS},
            instructed={
                item["code"]: item["expected"] for item in items if item.get("scale") == INSTRUCTED
            },
            seconds=_seconds(items),
            section_seconds=_seconds(data["sections"]),
            careless=CarelessSigns(**data["careless"]),
            fields={each["code"]: tuple(each["types"]) for each in data["fields"]},
            follow_ups=_statements(scored["fields"]),
            statement_norms={
                norm["code"]: Norm(norm["mean"], norm["sd"]) for norm in data["norms"]["statements"]
            },
            field_covariances=data["field_covariances"],
            matching=Matching(**data["matching"]),
        )

    @cached_property
    def statements(self) -> dict[str, Statement]:
        """The scored interest statements of both stages."""
        return {**self.interests, **self.follow_ups}

    @cached_property
    def statement_covariances(self) -> dict[str, dict[str, float]]:
        """How liking what one statement speaks of goes with liking what another does.

        By two codes of interest statements, in squared SDs of statements.
        """
        of_fields = dict(zip(self.fields, self.field_covariances, strict=True))
        places = {field: place for place, field in enumerate(self.fields)}
        return {
            one: {
                other: fmean(
                    of_fields[field][places[another]]
                    for field in statement.fields
                    for another in self.statements[other].fields
                )
                for other in self.statements
            }
            for one, statement in self.statements.items()
        }

    def responses(self, answers: Mapping[str, int]) -> list[Response]:
        """Mark the aptitude items among these choices, ordered by code.

        Other items are ignored; "I don't know" is not correct.
        """
        return [
            Response(self.aptitude[code], choice == self.keys[code])
            for code, choice in sorted(answers.items())
            if code in self.aptitude
        ]

    def stand_ins(self, left: Collection[str]) -> dict[str, list[str]]:
        """Return the families that take the place of each family that is not `left`.

        They are those of the same facet, so that it keeps its share; if none is left, all are.
        """
        found = {}
        for family in {item.family for item in self.aptitude.values()} - set(left):
            facet = {each for of_one in self.facets.values() if family in of_one for each in of_one}
            found[family] = sorted(facet & set(left)) or sorted(left)
        return found


def _statements(items: Iterable[Mapping[str, Any]]) -> dict[str, Statement]:
    return {
        item["code"]: Statement(
            item["code"],
            item["scale"],
            item.get("keyed", 1),
            (item["scale"],) if item["section"] == "fields" else tuple(item.get("fields", ())),
        )
        for item in items
    }


def _clone_name(item: Mapping[str, Any]) -> str:
    if "template" not in item:
        return ""
    radicals = json.dumps(item.get("radicals", {}), sort_keys=True)
    # Templates of two families may have the same name.
    return f"{item['family']} {item['template']} {radicals}"


def _seconds(rows: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    return {row["code"]: float(row["seconds"]) for row in rows if "seconds" in row}
