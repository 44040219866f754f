"""5. Which courses are recommended, on the demo's catalogue."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator

from assessments.measurement.bank import Bank
from assessments.measurement.courses import LEVELS, CourseRatings
from assessments.measurement.profile import score
from assessments.measurement.recommendation import COUNT, recommend
from assessments.measurement.scales import FACETS, INTERESTS
from bench.measurement.claims.people import careful
from bench.measurement.claims.simulated import ROOT
from tests.support.figures import Figure, at_most, exactly, reported

STUDENTS = 1000


def figures(bank: Bank, full: bool) -> Iterator[Figure]:
    courses = catalogue()
    profiles = [
        score(bank, careful(bank, f"student of the courses {n}"))
        for n in range(STUDENTS * (3 if full else 1))
    ]
    lists = [recommend(bank, each, {}, courses, COUNT) for each in profiles]
    reached = Counter(each.code for listed in lists for each in listed)
    shares = sorted(reached[course.code] / len(lists) for course in courses)
    yield exactly("courses in the catalogue", len(courses), 24)
    yield exactly("courses that reach nobody's top five", shares.count(0), 0)
    yield at_most("the most frequent course, share of students", shares[-1], 0.40)
    yield reported("the least frequent course, share of students", shares[0])
    yield reported("the mean", sum(shares) / len(shares))


def catalogue() -> list[CourseRatings]:
    """Read the demo's courses, which are valid."""
    with (ROOT / "assessments" / "demo" / "courses.csv").open(encoding="utf-8-sig") as file:
        return [
            CourseRatings(
                code=row["code"],
                name=row["name"],
                order=int(row["order"]),
                ratings=tuple(int(row[interest]) for interest in INTERESTS),
                levels=tuple(LEVELS.index(row[f"{facet}_level"]) for facet in FACETS),
                importance=tuple(int(row[f"{facet}_importance"]) for facet in FACETS),
                department=row["department"],
                delivery=_words(row["delivery"]),
                fields=_words(row["fields"]),
                required_streams=_words(row["required_streams"]),
            )
            for row in csv.DictReader(file)
        ]


def _words(cell: str) -> tuple[str, ...]:
    return tuple(cell.split(";")) if cell else ()
