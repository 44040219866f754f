"""check-credentials: whether a token works, and the settings of its project."""

from datetime import timedelta

import pytest
from django.utils import timezone

from partners.times import rfc3339
from tests.assessments.partner import CHECK, Backend
from tests.factories import BY, CourseFactory

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def test_it_answers_with_the_tokens_dates_and_the_projects_settings(project):
    project.link_rate_per_minute, project.start_by_minutes = 17, 90
    project.retention_months = 6
    project.save()
    CourseFactory.create_batch(3, project=project)
    CourseFactory.create(project=project, is_active=False)
    CourseFactory.create(project=project, entry_level="degree")
    api, at, week = Backend.of(project), timezone.now(), timedelta(days=7)
    settings = {
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

    assert api.read(CHECK) == settings

    api.token.rotate(overlap=week, at=at, by=BY)

    rotated = {"RotatedAt": rfc3339(at), "TokenExpiresAt": rfc3339(at + week)}
    assert api.read(CHECK) == {**settings, **rotated}
