"""What a student's request begins with: the attempt that the browser's cookie opens."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assessments.models import Assessment
from assessments.models.browsers import OF_ATTEMPT, OF_PROJECT, OF_STUDENT, attempt_in_browser
from partners.models import Project
from tests.assessments.attempts import completed
from tests.support.browser import Browser


def test_it_is_what_the_database_has_in_one_query(
    attempt: Assessment, project: Project, browser: Browser
) -> None:
    stored = Assessment.objects.select_related("student").get(pk=completed(attempt).pk)

    with CaptureQueriesContext(connection) as asked:
        found = attempt_in_browser(browser.cookies["attempt"])
        assert found is not None
        read = [
            *(getattr(found, name) for name in OF_ATTEMPT),
            *(getattr(found.student, name) for name in OF_STUDENT),
            *(getattr(found.student.project, name) for name in OF_PROJECT),
        ]

    assert len(asked) == 1
    assert read == [
        *(getattr(stored, name) for name in OF_ATTEMPT),
        *(getattr(stored.student, name) for name in OF_STUDENT),
        *(getattr(project, name) for name in OF_PROJECT),
    ]


def test_what_it_leaves_out_is_read_when_it_is_asked_for(
    attempt: Assessment, browser: Browser
) -> None:
    stored = completed(attempt)

    found = attempt_in_browser(browser.cookies["attempt"])

    assert found is not None
    assert found.profile == stored.profile
    assert found.student.email == stored.student.email
    assert found.student.project.closed_at is None


@pytest.mark.parametrize("token", ["", "x", "0" * 64, "A" * 64, "0" * 63 + "\0", "0" * 65])
def test_another_token_opens_nothing(attempt: Assessment, token: str) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert attempt_in_browser(token) is None

    assert len(asked) == (token == "0" * 64)
