"""Test your integration against a test project. Run it with pytest.

Set BASE_URL, PROJECT_ID, TOKEN_ID and TOKEN_SECRET to those of your test project.
"""

import json
import os
import urllib.error
import urllib.request

STUDENT = {"name": "Asha Rao", "mobile": "+91 98765 43210"}


def call(operation, **fields):
    """Return status and body of a call."""
    request = urllib.request.Request(
        f"{os.environ['BASE_URL']}/partner/{operation}",
        json.dumps({"projectId": os.environ["PROJECT_ID"], **fields}).encode(),
        {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "X-Access-Token": f"{os.environ['TOKEN_ID']}:{os.environ['TOKEN_SECRET']}",
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def newest_completed(email):
    """Return the record to show to a student, or None."""
    _, records = call("get-assessments-info", email=email)
    return next((each for each in records if each["Status"] == "Completed"), None)


def test_pattern_a_shows_courses_after_the_assessment():
    status, answer = call("get-redirect-url", email="completed@example.com", **STUDENT)
    assert status == 200
    assert "/assessment?token=" in answer["redirect-url"]

    assert newest_completed("completed@example.com")["Recommendations"]


def test_pattern_b_ignores_attempts_before_the_payment():
    call("get-redirect-url", email="completed@example.com", **STUDENT)
    _, before = call("get-assessments-info", email="completed@example.com")
    known = {each["AssessmentId"] for each in before}

    call("get-redirect-url", email="completed@example.com", **STUDENT)  # after the payment

    _, after = call("get-assessments-info", email="completed@example.com")
    fresh = [each for each in after if each["AssessmentId"] not in known]
    assert [each["Status"] for each in fresh] == ["Completed"]


def test_an_abandoned_assessment_has_no_courses():
    call("get-redirect-url", email="abandoned@example.com", **STUDENT)

    assert newest_completed("abandoned@example.com") is None


def test_an_assessment_in_progress_is_not_in_the_results():
    call("get-redirect-url", email="inprogress@example.com", **STUDENT)

    assert call("get-assessments-info", email="inprogress@example.com") == (200, [])


def test_failures_are_told_by_status_and_code():
    status, body = call("get-redirect-url", email="ratelimited@example.com", **STUDENT)
    assert (status, body["code"]) == (429, "rate_limited")

    status, body = call("get-redirect-url", email="error@example.com", **STUDENT)
    assert (status, body["code"]) == (500, "internal_error")
