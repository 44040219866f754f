"""The demo's catalogue: texts in each language, and no course without students."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from django.conf import settings

from assessments.catalogue.courses_file import parse
from assessments.catalogue.preview import STUDENTS, catalogue_preview
from tests.assessments.measurement.field_bank import field_bank
from tests.assessments.profiles import DEMO_FILE, demo_courses, recommended, simulated

COURSES = demo_courses()


def test_every_course_is_described_in_each_language():
    for row in parse(DEMO_FILE.read_bytes()):
        for code, _name in settings.LANGUAGES:
            assert row["about"][code].endswith((".", "।")), row["code"]
            assert len(row["leads_to"][code]) == 3, row["code"]


def test_each_demo_course_reaches_some_students_but_not_all():
    bank = field_bank()

    shown = catalogue_preview(COURSES, COURSES, bank, 5)

    assert (shown.students, shown.never, shown.often) == (STUDENTS, (), ())
    assert sum(each.percent for each in shown.standings) == pytest.approx(500, abs=12)
    assert all(each.percent == each.before for each in shown.standings)

    # With five more of the same fields, which come first, a course reaches fewer.
    twins = [replace(COURSES[0], code=f"TWIN{n}", name=f"Twin {n}", order=0) for n in range(5)]
    crowded = catalogue_preview([*COURSES, *twins], COURSES, bank, 5)
    [first] = [each for each in crowded.standings if each.code == COURSES[0].code]
    assert first.before is not None
    assert first.percent < first.before
    pairs = [(pair.one, pair.other, pair.correlation) for pair in crowded.alike]
    assert (COURSES[0].name, "Twin 0", 1.0) in pairs or ("Twin 0", COURSES[0].name, 1.0) in pairs


@pytest.mark.slow
@pytest.mark.parametrize("shared", [0.0, 0.5])
def test_every_course_is_reached_and_none_swamps_the_others(shared):
    """A thousand students with normal interests, independent ones and correlated ones."""
    rng = random.Random(2026)
    reached = Counter()

    for _ in range(1000):
        five = recommended(rng, simulated(rng, shared))
        reached.update(each.code for each in five)

    assert set(reached) == {course.code for course in COURSES}
    assert max(reached.values()) <= 400
    assert sum(reached.values()) == 5000
