"""Test your integration against a test project. Run it with pytest.

Put partner_api.py beside it, and set BASE_URL, PROJECT_ID, TOKEN_ID and TOKEN_SECRET to those of
your test project.
"""

import pytest
from partner_api import CallFailed, call

STUDENT = {"name": "Asha Rao", "mobile": "+91 98765 43201"}


def new_link(email):
    """Return the answer to a call that makes a link."""
    return call("get-redirect-url", {"email": email, **STUDENT}, seconds=3)


def records(email):
    return call("get-assessments-info", {"email": email})


def newest_completed(email):
    """Return the record to show to a student, or None."""
    return next((each for each in records(email) if each["Status"] == "Completed"), None)


def test_pattern_a_shows_courses_after_the_assessment():
    assert "/assessment?token=" in new_link("completed@example.com")["redirect-url"]

    assert newest_completed("completed@example.com")["Recommendations"]


def test_pattern_b_ignores_attempts_before_the_payment():
    new_link("completed@example.com")
    known = {each["AssessmentId"] for each in records("completed@example.com")}

    new_link("completed@example.com")  # after the payment

    after = records("completed@example.com")
    fresh = [each for each in after if each["AssessmentId"] not in known]
    assert [each["Status"] for each in fresh] == ["Completed"]


def test_an_abandoned_attempt_has_no_courses():
    new_link("abandoned@example.com")

    assert newest_completed("abandoned@example.com") is None


def test_an_attempt_in_progress_is_not_in_the_results():
    new_link("inprogress@example.com")

    assert records("inprogress@example.com") == []


@pytest.mark.parametrize(
    ("email", "status", "code"),
    [
        ("ratelimited@example.com", 429, "rate_limited"),
        ("error@example.com", 500, "internal_error"),
    ],
)
def test_failures_are_told_by_status_and_code(email, status, code):
    with pytest.raises(CallFailed) as failed:
        new_link(email)

    assert (failed.value.status, failed.value.body["code"]) == (status, code)
