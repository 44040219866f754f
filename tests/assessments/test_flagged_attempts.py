"""Answers that look unread: staff see it, partner and status do not change."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from assessments.models import Assessment, ItemBank
from assessments.models.ends import Status
from partners.models import Project
from tests.assessments.attempts import completed, completed_with_care, started

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)

pytestmark = pytest.mark.django_db


@pytest.fixture
def straight(bank: ItemBank, project: Project) -> Assessment:
    """Give an attempt in which every statement got the same answer."""
    attempt = started(project, AT, email="straight@example.com")
    return completed(attempt, AT + timedelta(minutes=20), choice=5)


@pytest.fixture
def varied(bank: ItemBank, project: Project) -> Assessment:
    """Give an attempt with the ups and downs of somebody who reads."""
    attempt = started(project, AT, email="varied@example.com")
    return completed_with_care(attempt, AT, lambda position: 1 + position % 6 % 5)


def test_flags_are_stored_and_change_no_status(straight: Assessment) -> None:
    row = Assessment.objects.get(pk=straight.pk)

    assert "straight_line" in row.flags
    assert row.status_at(AT + timedelta(days=1)) == Status.COMPLETED


@pytest.mark.parametrize(("value", "shown"), [("flagged", "straight"), ("usual", "varied")])
def test_staff_pick_them_from_the_list(
    admin_client: Client, straight: Assessment, varied: Assessment, value: str, shown: str
) -> None:
    page = admin_client.get(reverse("admin:assessments_assessment_changelist"), {"answers": value})

    found = [attempt.student.email_key for attempt in page.context["cl"].result_list]
    assert found == [f"{shown}@example.com"]
