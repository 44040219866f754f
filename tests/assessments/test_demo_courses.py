"""The demo's catalogue: sound, told apart, and every course within somebody's reach."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from django.conf import settings

from assessments.catalogue.courses_file import parse
from tests.assessments.profiles import (
    DEMO_FILE,
    demo_courses,
    recommended,
    simulated,
)

COURSES = demo_courses()
ROWS = parse(DEMO_FILE.read_bytes())


@pytest.mark.parametrize("row", ROWS, ids=[row["code"] for row in ROWS])
def test_every_course_is_described_in_each_language(row: dict[str, Any]) -> None:
    for code, _name in settings.LANGUAGES:
        assert row["about"][code].endswith((".", "।"))
        assert len(row["leads_to"][code]) == 3


@pytest.mark.slow
@pytest.mark.parametrize("shared", [0.0, 0.5])
def test_every_course_is_reached_and_none_swamps_the_others(shared: float) -> None:
    """A thousand students with normal interests, independent ones and correlated ones."""
    rng = random.Random(2026)
    reached: Counter[str] = Counter()

    for _ in range(1000):
        five = recommended(rng, simulated(rng, shared))
        reached.update(each.code for each in five)

    assert set(reached) == {course.code for course in COURSES}
    assert max(reached.values()) <= 400
    assert sum(reached.values()) == 5000
