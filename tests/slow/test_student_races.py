"""Sixteen requests of students at one moment, on a real gunicorn of sixteen threads.

tests/assessments races the models: finish, leave, continue, and the same button pressed twice.
"""

import http.client
import random
import secrets
from urllib.parse import urlencode

import pytest

from tests.support.clients import Partner

# SQLite has one writer at a time and would hide a lost race.
pytestmark = pytest.mark.slow

SEE_OTHER, GONE = 303, 410
AT_ONCE = 16
PREPARE = "tests.support.prepare"
# A page of six statements, after which six more are shown; a puzzle, after which comes one more.
STATEMENTS, PUZZLE = 7, 27


def race(service, path, forms, attempt=""):
    """Send all forms before reading any answer; return each answer's status and location.

    Each is from a browser of its own, unless they have the cookie of an attempt.
    """
    connections = [http.client.HTTPConnection("127.0.0.1", service.port, timeout=60) for _ in forms]
    for connection in connections:
        connection.connect()
    for connection, form in zip(connections, forms, strict=True):
        csrf = secrets.token_hex(16)  # a browser is known by its CSRF cookie
        cookies = f"csrftoken={csrf}; attempt={attempt}" if attempt else f"csrftoken={csrf}"
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookies}
        body = urlencode({**form, "csrfmiddlewaretoken": csrf})
        connection.request("POST", path, body, headers)
    answers = []
    for connection in connections:
        response = connection.getresponse()
        response.read()
        answers.append((response.status, response.headers["Location"]))
        connection.close()
    return answers


def test_of_sixteen_browsers_one_starts_a_link(busy_service, times):
    races, partner = 100 * times, Partner.onboarded(busy_service.manage)

    for token in busy_service.call(PREPARE, f"links({partner.project_id!r}, {races})"):
        presses = [{"token": token, "consent": "yes"}] * AT_ONCE
        statuses = [status for status, _ in race(busy_service, partner.path, presses)]
        assert sorted(statuses) == [SEE_OTHER] + [GONE] * (AT_ONCE - 1)

    counted = busy_service.rows(
        "SELECT count(DISTINCT a.id) AS attempts, count(DISTINCT a.student_id) AS students,"
        " count(DISTINCT l.id) AS links FROM assessments_assessment a"
        " JOIN assessments_assessmentlink l ON l.assessment_id = a.id AND l.used_at IS NOT NULL"
        " JOIN partners_project p ON p.id = a.project_id WHERE p.project_id = %s",
        (partner.project_id,),
    )
    assert counted == [{"attempts": races, "students": races, "links": races}]


@pytest.mark.parametrize("first", [STATEMENTS, PUZZLE])
def test_one_of_sixteen_answers_to_a_page_is_stored_whole_and_of_a_puzzle_it_stays(
    busy_service, times, first
):
    """A later answer replaces one to statements, and not one to a puzzle."""
    partner = Partner.onboarded(busy_service.manage)
    call = f"attempts_at({partner.project_id!r}, {first}, {50 * times})"
    made = busy_service.call(PREPARE, call)
    positions, offered = made["positions"], made["offered"][0]
    names = ["answer"] if first == PUZZLE else [f"answer-{each}" for each in positions]

    for assessment_id, browser_token in made["attempts"]:
        allowed = []
        for hands in (AT_ONCE, 1):
            chosen = random.sample(offered, len(offered)) + random.choices(offered, k=hands)
            forms = [
                {"assessment": assessment_id, **dict.fromkeys(names, str(choice))}
                for choice in chosen[:hands]
            ]
            path = f"{partner.path}/{first}"
            # all are sent on to one and the same page
            [(status, _)] = set(race(busy_service, path, forms, browser_token))
            assert status == SEE_OTHER
            answers = busy_service.rows(
                "SELECT w.position, w.choice FROM assessments_answer w"
                " JOIN assessments_assessment a ON a.id = w.assessment_id"
                " WHERE a.assessment_id = %s AND w.position >= %s ORDER BY w.position",
                (assessment_id, first),
            )
            page = [row["choice"] for row in answers[: len(positions)]]
            allowed = allowed if allowed and first == PUZZLE else chosen[:hands]
            assert page in [[choice] * len(positions) for choice in allowed]
            assert len(answers) == 2 * len(positions)  # this page and the next one, chosen once
            allowed = page[:1]
