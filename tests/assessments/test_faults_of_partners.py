"""Every SQL statement of the two operations fails once: a JSON 500, and all stands or nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assessments.models import AssessmentLink
from tests.assessments.attempts import completed, use
from tests.assessments.faults import fail_afresh_at_each_statement, fail_at_each_statement
from tests.assessments.partner import Backend, assert_problem

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("bank"),
]


def is_json_500(response: Any) -> bool:
    """A10: with a request id, and without a trace."""
    body = assert_problem(response, 500, "internal_error")
    return "gone away" not in json.dumps(body)


def test_asking_for_a_link(api: Backend) -> None:
    """L14: a link that was handed out stands; a call after a failure makes one more."""
    api.link()

    before, after, whole = fail_afresh_at_each_statement(
        lambda: api.link, is_json_500, is_once=False
    )

    assert before > 1
    assert after > 0
    assert whole == {"new AssessmentLink": 1}


def test_the_first_read_of_a_result(api: Backend) -> None:
    api.link()
    attempt = completed(use(AssessmentLink.objects.get()))

    before = fail_at_each_statement(api.results, is_json_500, after=False)
    type(attempt).objects.update(results_read_at=None)
    after = fail_at_each_statement(api.results, is_json_500, after=True)

    attempt.refresh_from_db()
    assert before > 1
    assert after > 0
    assert attempt.results_read_at is not None
