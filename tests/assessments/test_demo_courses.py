from __future__ import annotations

import csv
import random
from collections import Counter
from pathlib import Path

import pytest

from assessments.measurement.bank import Weights
from assessments.measurement.profile import Profile
from assessments.measurement.scales import INTERESTS, InterestProfile, ScaleScore
from assessments.recommendation import BUILT_IN_MEANS, CourseRatings, recommend, standardise

FILE = Path(__file__).resolve().parents[2] / "assessments" / "demo" / "courses.csv"
HEADER = "code,name,order,realistic,investigative,artistic,social,enterprising,conventional"
WEIGHTS = Weights(0.65, 0.30, 0.05)


def read() -> list[CourseRatings]:
    with FILE.open(encoding="utf-8", newline="") as file:
        return [
            CourseRatings(
                row["code"],
                row["name"],
                int(row["order"]),
                tuple(int(row[interest]) for interest in INTERESTS),  # type: ignore[arg-type]
            )
            for row in csv.DictReader(file)
        ]


COURSES = read()


def test_the_file_has_the_header_of_load_courses() -> None:
    assert FILE.read_text(encoding="utf-8").splitlines()[0] == HEADER


def test_twenty_four_courses_each_with_a_code_name_and_place_of_its_own() -> None:
    for values in zip(*((c.code, c.name, c.order) for c in COURSES), strict=True):
        assert len(set(values)) == 24


def test_ratings_say_something_and_no_two_courses_are_alike() -> None:
    for course in COURSES:
        assert set(course.ratings) <= {0, 1, 2, 3}
        assert len(set(course.ratings)) > 1
        assert max(course.ratings) >= 2
    assert len({course.ratings for course in COURSES}) == 24
    assert len({tuple(round(z, 6) for z in shape) for shape in standardise(COURSES)}) == 24


def test_the_built_in_means_are_those_of_this_catalogue() -> None:
    for k, mean in enumerate(BUILT_IN_MEANS):
        assert mean == pytest.approx(sum(c.ratings[k] for c in COURSES) / 24, abs=0.05)


@pytest.mark.parametrize("shared", [0.0, 0.5])
def test_every_course_is_reached_and_none_swamps_the_others(shared: float) -> None:
    """A thousand students with normal interests, independent ones and correlated ones."""
    rng = random.Random(2026)
    reached: Counter[str] = Counter()

    for _ in range(1000):
        general = rng.gauss(0, 1)
        scales = {}
        for interest in INTERESTS:
            z = shared**0.5 * general + (1 - shared) ** 0.5 * rng.gauss(0, 1)
            scales[interest] = ScaleScore(3 + 0.9 * z, z)
        student = Profile(InterestProfile(scales), {}, {})
        reached.update(each.code for each in recommend(student, COURSES, WEIGHTS))

    assert set(reached) == {course.code for course in COURSES}
    assert max(reached.values()) <= 400
    assert sum(reached.values()) == 5000


def test_a_student_in_proportion_to_any_course_ranks_it_first() -> None:
    for course, shape in zip(COURSES, standardise(COURSES), strict=True):
        scales = {
            interest: ScaleScore(3 + 0.9 * z, z)
            for interest, z in zip(INTERESTS, shape, strict=True)
        }

        best = recommend(Profile(InterestProfile(scales), {}, {}), COURSES, WEIGHTS)

        assert best[0].code == course.code
