"""The parts of an item bank that scoring and ranking need, as plain values."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Any, Self

from measurement.ability import AptitudeItem, Response, mean_discrimination
from measurement.scales import FACETS, INSTRUCTED, SCALES, Answers, Norm, Statement

# A bank file's content, or a part of it.
Data = Mapping[str, Any]
# The choice "I don't know" of a puzzle, which is never the key.
DONT_KNOW = 0


@dataclass(frozen=True, slots=True)
class Matching:
    """How courses are ranked (`measurement.field_fit`). A fit is in SDs over students."""

    leading: int  # stage 2 asks about this many fields
    noise: float  # variance of an answer that no field explains, in squared SDs of statements
    main_weight: float  # of a course's main field
    other_weight: float  # of each other field
    fit_spread: float  # the SD of estimated fits, as a share of the SD of what they estimate
    aptitude_sd: float  # over courses, of what aptitude adds for a student one SD above the mean
    aptitude_cap: float  # the most that aptitude adds to a fit or takes from it
    preference_most: float  # the most that study preferences set two courses apart
    per_department: int  # courses of a department among the first five, before the rest yield
    department_lead: float  # they yield to a course that is at most this much worse
    named: float  # what a course gains that the student named


@dataclass(frozen=True, slots=True)
class CarelessLimits:
    """The limits beyond which `measurement.validity` flags an attempt."""

    least_effort: float
    least_consistency: float
    # A consistency below this is flagged as well if at most this share of puzzles is right.
    doubtful_consistency: float
    guessed_share: float
    straight_run: int  # this many equal or repeating answers in a row
    longest_pattern: int  # the longest pattern of answers that counts as repeating
    fastest_statement: float  # the least median seconds of an interest statement
    hurried_share: float  # the least time for a section, as a share of its expected time


@dataclass(frozen=True, eq=False)
class Bank:
    """What scoring and ranking need to know of a bank. Items and sections are keyed by code.

    A bank equals itself alone, so it can be the key of a cache.
    """

    # The scored items. `follow_ups` are the interest statements of stage 2.
    interests: Mapping[str, Statement]
    follow_ups: Mapping[str, Statement]
    preferences: Mapping[str, Statement]
    aptitude: Mapping[str, AptitudeItem]
    keys: Mapping[str, int]  # the correct choices
    instructed: Mapping[str, int]  # the choices that attention checks ask for
    sections: Mapping[str, str]  # of every item
    facets: Mapping[str, tuple[str, ...]]  # the item families of each facet
    fields: Mapping[str, tuple[str, ...]]  # the Holland types of each field
    norms: Mapping[str, Norm]  # of scales
    statement_norms: Mapping[str, Norm]
    # How liking one field goes with liking another over students, in squared SDs of statements.
    # Rows and columns are in the order of `fields`.
    field_covariances: Sequence[Sequence[float]]
    # Expected times, of those items and sections that have one.
    seconds: Mapping[str, float]
    section_seconds: Mapping[str, float]
    matching: Matching
    careless: CarelessLimits

    @classmethod
    def from_json(cls, data: Data) -> Self:
        """Read the content of a bank file, which must have passed `bank_validation.validate`."""
        scored = defaultdict(list)
        instructed = {}
        for item in data["items"]:
            if item.get("scale") == INSTRUCTED:
                instructed[item["code"]] = item["expected"]
            else:
                scored[item["section"]].append(item)
        return cls(
            interests=_statements(scored["interests"]),
            follow_ups=_statements(scored["fields"]),
            preferences=_statements(scored["preferences"]),
            aptitude={
                item["code"]: _puzzle(item, data["difficulty_sd"]) for item in scored["aptitude"]
            },
            keys={item["code"]: item["key"] for item in scored["aptitude"]},
            instructed=instructed,
            sections={item["code"]: item["section"] for item in data["items"]},
            # A database may return the facets in another order than the file.
            facets={facet: tuple(data["facets"][facet]) for facet in FACETS},
            fields={field["code"]: tuple(field["types"]) for field in data["fields"]},
            norms={
                scale: Norm(**norm)
                for section in SCALES
                for scale, norm in data["norms"][section].items()
            },
            statement_norms={
                norm["code"]: Norm(norm["mean"], norm["sd"]) for norm in data["norms"]["statements"]
            },
            field_covariances=data["field_covariances"],
            seconds=_seconds(data["items"]),
            section_seconds=_seconds(data["sections"]),
            matching=Matching(**data["matching"]),
            careless=CarelessLimits(**data["careless"]),
        )

    @cached_property
    def statements(self) -> dict[str, Statement]:
        """The scored interest statements of both stages."""
        return {**self.interests, **self.follow_ups}

    @cached_property
    def statement_covariances(self) -> dict[str, dict[str, float]]:
        """The mean covariance of the fields of two interest statements, by their codes."""
        rows = dict(zip(self.fields, self.field_covariances, strict=True))
        columns = {field: column for column, field in enumerate(self.fields)}
        return {
            code: {
                other_code: fmean(
                    rows[field][columns[other_field]]
                    for field in statement.fields
                    for other_field in other.fields
                )
                for other_code, other in self.statements.items()
            }
            for code, statement in self.statements.items()
        }

    def mark_puzzles(self, answers: Answers) -> list[Response]:
        """Mark the aptitude items among these choices, in the order of their codes."""
        return [
            Response(self.aptitude[code], choice == self.keys[code])
            for code, choice in sorted(answers.items())
            if code in self.aptitude
        ]

    def find_substitutes(self, available: Collection[str]) -> dict[str, list[str]]:
        """Return the families that take the place of each family that is not available.

        They are the available ones of its facet, which keeps its share of an attempt, else all.
        """
        substitutes = {}
        for family in {item.family for item in self.aptitude.values()} - set(available):
            same_facet = {
                other for facet in self.facets.values() if family in facet for other in facet
            }
            substitutes[family] = sorted(same_facet & set(available)) or sorted(available)
        return substitutes


def _statements(items: Iterable[Data]) -> dict[str, Statement]:
    return {
        item["code"]: Statement(
            item["code"],
            item["scale"],
            item.get("keyed", 1),
            (item["scale"],) if item["section"] == "fields" else tuple(item.get("fields", ())),
        )
        for item in items
    }


def _puzzle(item: Data, difficulty_sd: Mapping[str, float]) -> AptitudeItem:
    """Return a puzzle; without answers yet, its family says how uncertain its difficulty is."""
    code, family, a, b, c = (item[name] for name in ("code", "family", "a", "b", "c"))
    a = mean_discrimination(a, item.get("b_sd", difficulty_sd[family]))
    clone = ""
    if "template" in item:
        # Templates of two families may have the same name.
        radicals = json.dumps(item.get("radicals", {}), sort_keys=True)
        clone = f"{family} {item['template']} {radicals}"
    return AptitudeItem(code, family, a, b, c, clone)


def _seconds(rows: Iterable[Data]) -> dict[str, float]:
    return {row["code"]: float(row["seconds"]) for row in rows if "seconds" in row}
