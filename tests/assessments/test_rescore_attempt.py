"""Scoring the stored answers of an attempt again: the same result, or that of other rules."""

from __future__ import annotations

import copy
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from assessments.models import Assessment, Course, ItemBank
from partners.models import Project
from tests.assessments.attempts import completed, liking, started
from tests.factories import CourseFactory

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)

pytestmark = pytest.mark.django_db


@pytest.fixture
def attempt(bank: ItemBank, project: Project) -> Assessment:
    for number in range(8):
        ratings = {"realistic": number % 4, "social": 3 - number % 3, "artistic": number % 3}
        CourseFactory.create(project=project, **ratings)
    return completed(started(project, AT), AT + timedelta(minutes=20), choice=liking("social"))


def test_the_same_rules_give_the_same_result(attempt: Assessment) -> None:
    profile, recommendations = attempt.rescore()

    assert profile == attempt.profile
    assert recommendations == attempt.recommendations
    assert len(recommendations) == 5


def test_the_catalogue_is_that_of_the_completion(attempt: Assessment) -> None:
    Course.objects.update(name="Renamed", is_active=False)

    _, recommendations = attempt.rescore()

    assert recommendations == attempt.recommendations


def test_the_number_is_that_of_the_completion(attempt: Assessment, project: Project) -> None:
    Project.objects.update(recommendation_count=10)

    _, recommendations = Assessment.objects.get(pk=attempt.pk).rescore()

    assert recommendations == attempt.recommendations


def test_nothing_is_stored(attempt: Assessment, small_bank: dict[str, Any]) -> None:
    before = Assessment.objects.values().get()

    attempt.rescore(other(small_bank))

    assert Assessment.objects.values().get() == before


def other(small_bank: dict[str, Any]) -> ItemBank:
    """Publish the same items with norms under which the favourite interest is another one."""
    data = copy.deepcopy(small_bank) | {"version": "other"}
    data["norms"]["interests"]["realistic"] = {"mean": 1.0, "sd": 0.9}
    return ItemBank.objects.publish(data, actor="command:tests")[0]


def test_other_rules_give_another_result(attempt: Assessment, small_bank: dict[str, Any]) -> None:
    profile, recommendations = attempt.rescore(other(small_bank))

    assert attempt.profile is not None
    assert profile["interests"]["realistic"]["z"] == 0.0
    assert attempt.profile["interests"]["realistic"]["z"] < -2
    assert recommendations != attempt.recommendations


def test_items_that_the_other_bank_lacks_are_named(
    attempt: Assessment, small_bank: dict[str, Any]
) -> None:
    data = copy.deepcopy(small_bank) | {"version": "shorter"}
    data["items"] = [item for item in data["items"] if item["code"] != "int-R-01"]
    shorter, _ = ItemBank.objects.publish(data, actor="command:tests")

    with pytest.raises(LookupError, match="shorter lacks int-R-01"):
        attempt.rescore(shorter)


def test_an_open_attempt_is_refused(bank: ItemBank, project: Project) -> None:
    with pytest.raises(ValueError, match="not completed"):
        started(project, AT).rescore()
