"""The migrations that add fields to courses: from a catalogue of the release before."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from assessments.models import Course
from tests.factories import CourseFactory

pytestmark = pytest.mark.slow

migration: Any = import_module("assessments.migrations.0011_propose_course_fields")
BEFORE, AFTER = "0009_plainer_help_texts", "0013_validate_course_fields"


def propose() -> None:
    state = MigrationLoader(None).project_state(("assessments", migration.__name__[-26:]))
    migration.propose(state.apps, SimpleNamespace(connection=connection))


@pytest.mark.sqlite
@pytest.mark.django_db
def test_each_course_without_fields_gets_proposed_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migration, "BATCH", 2)
    CourseFactory.create(code="LAW", name="BA LLB (Law)")
    CourseFactory.create(code="FND", name="Foundation Year", realistic=0, social=3)
    CourseFactory.create(code="ART", name="Law and Art", fields=["art"])
    CourseFactory.create(code="BCA", name="BCA")
    CourseFactory.create(code="OLD", name="B.Com", is_active=False)

    propose()
    propose()

    assert {
        course.code: (course.fields, course.fields_proposed) for course in Course.objects.all()
    } == {
        "LAW": (["law", "mind_society", "writing"], True),
        "FND": (["care"], True),
        "ART": (["art"], False),
        "BCA": (["computers", "maths"], True),
        "OLD": (["accounts", "business"], True),
    }


@pytest.fixture
def at_release_before() -> Iterator[Any]:
    """Give the apps of the release before, on its tables."""
    executor = MigrationExecutor(connection)
    state = executor.migrate([("assessments", BEFORE)])
    yield state.apps
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_a_catalogue_of_the_release_before_migrates(at_release_before: Any) -> None:
    old = at_release_before.get_model
    partner = old("partners", "Partner").objects.create(name="Old Partner")
    project = old("partners", "Project").objects.create(
        partner=partner, name="Old", project_id="prj_old"
    )
    course = old("assessments", "Course").objects.create(
        project=project, code="PHY", name="BSc Physics", investigative=3
    )
    executor = MigrationExecutor(connection)

    executor.migrate([("assessments", "0010_course_fields")])
    # The release before goes on adding courses until the web processes restart.
    old("assessments", "Course").objects.create(project=project, code="NEW", name="X", social=3)
    executor = MigrationExecutor(connection)
    courses = executor.migrate([("assessments", AFTER)]).apps.get_model("assessments", "Course")
    old("assessments", "Course").objects.create(project=project, code="LATE", name="Y", social=3)

    migrated = courses.objects.get(pk=course.pk)
    assert (migrated.fields, migrated.fields_proposed) == (["physical_science", "maths"], True)
    assert migrated.required_streams == []
    assert courses.objects.get(code="NEW").fields == ["care"]
    assert courses.objects.get(code="LATE").fields == []
