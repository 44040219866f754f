"""Every request of a student begins with the attempt that the browser's cookie opens."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assessments.models import Assessment
from partners.models import Project
from tests.support.browser import Browser


def test_it_comes_with_student_and_project_in_one_query(
    attempt: Assessment, project: Project, browser: Browser
) -> None:
    with CaptureQueriesContext(connection) as asked:
        found = Assessment.objects.in_browser(browser.cookies["attempt"])
        assert found is not None
        read = (found, found.student, found.student.project, found.student.project.name)

    assert len(asked) == 1
    assert read == (attempt, attempt.student, project, project.name)


@pytest.mark.parametrize("token", ["", "x", "0" * 64, "A" * 64, "0" * 63 + "\0", "0" * 65])
def test_another_token_opens_nothing(attempt: Assessment, token: str) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert Assessment.objects.in_browser(token) is None

    assert len(asked) == (token == "0" * 64)
