"""The figures of the last week, for the start page of staff."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.template.loader import render_to_string

from assessments.models import ProjectDay
from assessments.models.statistics import week
from partners.models import Project
from tests.assessments.counted import AT, DAY

pytestmark = pytest.mark.django_db


def test_a_week_is_seven_whole_days_of_all_projects(project: Project) -> None:
    for number in range(16):
        ProjectDay.objects.create(
            day=DAY - timedelta(days=number), counted_at=AT, started=10 if number < 7 else 5
        )
    ProjectDay.objects.create(project=project, day=DAY, counted_at=AT, started=999)

    found = week(AT)

    assert found
    assert found.report.totals.started == 70
    assert found.report.tiles[2].notes == ("+100 %", "35 before")
    assert (found.counted_at, found.is_stale, found.missing) == (AT, False, 0)


def test_the_start_page_shows_it_and_leads_on() -> None:
    ProjectDay.objects.create(day=DAY, counted_at=AT, started=1234)

    shown = render_to_string("admin/_week.html", {"week": week(AT)})
    late = render_to_string("admin/_week.html", {"week": week(AT + timedelta(hours=3))})

    assert "1,234" in shown
    assert 'href="/admin/assessments/projectday/?days=7"' in shown
    assert "more than two hours ago" not in shown
    assert "more than two hours ago" in late
