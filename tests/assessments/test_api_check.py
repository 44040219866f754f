"""check-credentials: whether a token works, and the settings of its project."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from partners.models import Project
from partners.times import rfc3339
from tests.assessments.partner import CHECK, Backend
from tests.factories import CourseFactory

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
WEEK = timedelta(days=7)


def check(api: Backend) -> tuple[dict[str, object], dict[str, str]]:
    response = api.post(CHECK, api.body(CHECK))
    assert response.status_code == 200, response.content
    return json.loads(response.content), dict(response.headers)


def test_it_tells_the_tokens_dates_and_the_projects_settings(project: Project) -> None:
    project.link_rate_per_minute, project.start_by_minutes = 17, 90
    project.retention_months = 6
    project.save()
    CourseFactory.create_batch(3, project=project)
    CourseFactory.create(project=project, is_active=False)
    api = Backend.of(project)

    answer, headers = check(api)

    assert answer == {
        "Project": project.name,
        "TokenLabel": api.token.label,
        "TokenExpiresAt": None,
        "RotatedAt": None,
        "LinksPerMinute": 17,
        "ResultsPerMinute": 600,
        "StartByMinutes": 90,
        "FinishByHours": 24,
        "RetentionMonths": 6,
        "ActiveCourses": 3,
        "Test": False,
    }
    assert "X-Token-Ends" not in headers


def test_a_rotated_token_says_when_it_ends(api: Backend) -> None:
    at = timezone.now()
    api.token.rotate(overlap=WEEK, at=at, actor="command:tests")

    answer, headers = check(api)

    assert answer["RotatedAt"] == rfc3339(at)
    assert answer["TokenExpiresAt"] == headers["X-Token-Ends"] == rfc3339(at + WEEK)
