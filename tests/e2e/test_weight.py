"""Pages of the real server are light on the wire; `python -m bench.pages` measures them all."""

from __future__ import annotations

import pytest

from tests.support.backend import Applicant, PartnerBackend
from tests.support.student import Student
from tests.support.wire import Wire

pytestmark = pytest.mark.slow

# Bytes, with headers. The first page brings the style along.
FIRST_PAGE, FURTHER_PAGE = 14_000, 6_000
MOST_REQUESTS = 3


def weigh(student: Student, wire: Wire) -> tuple[str, int, int]:
    """Return the page's kind, its bytes and requests, and begin a new count."""
    student.page.wait_for_load_state("networkidle")
    weight = student.kind, wire.bytes, wire.requests
    wire.start()
    return weight


def test_pages_are_light_and_make_few_requests(
    partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    wire = Wire(student.page)

    student.open(partner.redirect_url(applicant))
    weights = [weigh(student, wire)]
    student.consent()
    student.press(student.page.locator("main form button[type=submit]"))
    weights.append(weigh(student, wire))
    for _ in range(7):
        student.answer()
        weights.append(weigh(student, wire))

    assert [kind for kind, _, _ in weights] == [
        "landing",
        "question",
        "section",
        *["question"] * 3,
        "section",
        "question",
        "section",
    ]
    assert 2000 < weights[0][1] <= FIRST_PAGE
    assert [weight for weight in weights[1:] if not 1000 < weight[1] <= FURTHER_PAGE] == []
    assert [weight for weight in weights if weight[2] > MOST_REQUESTS] == []
