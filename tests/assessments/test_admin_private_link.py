"""Support sees that a result has a private link, and ends it; nobody sees its key."""

from __future__ import annotations

import pytest
from django.test import Client

from assessments.models import Assessment, PrivateLink
from partners.models import AuditEvent, Project
from tests.assessments.attempts import DETAILS, marked_completed, started
from tests.assessments.link_actions import WHY, address, press

pytestmark = pytest.mark.usefixtures("bank")
ACTION = "assessment.private_link_ended"


@pytest.fixture
def attempt(project: Project) -> Assessment:
    return marked_completed(started(project))


def make(attempt: Assessment, *, with_puzzles: bool = False) -> str:
    return PrivateLink.objects.make(attempt, with_puzzles=with_puzzles, seen="")[1]


def page(client: Client, attempt: Assessment) -> str:
    return client.get(address("change", attempt)).content.decode()


def test_the_attempt_s_page_says_that_there_is_one_and_not_its_key(
    support: Client, attempt: Assessment
) -> None:
    assert "End the private link" not in page(support, attempt)

    key = make(attempt, with_puzzles=True)

    shown = page(support, attempt)
    assert "with the puzzles; works until" in shown
    assert "End the private link" in shown
    assert key not in shown
    assert PrivateLink.objects.get().key_digest not in shown


def test_support_ends_it_with_a_reason(support: Client, attempt: Assessment) -> None:
    make(attempt)

    asked = support.get(address("end_private_link", attempt)).content.decode()
    response = press(support, address("end_private_link", attempt))

    again = support.post(address("end_private_link", attempt), {"reason": WHY})
    event = AuditEvent.objects.get(action=ACTION)
    shown = support.get(response.headers["Location"]).content.decode()
    assert "stops working at once" in asked
    assert not PrivateLink.objects.get().works()
    assert (event.object_id, event.reason) == (attempt.assessment_id, WHY)
    assert again.status_code == 302
    assert "without the puzzles; ended" in shown


def test_a_reason_that_names_the_student_changes_nothing(
    support: Client, attempt: Assessment
) -> None:
    make(attempt)

    support.post(address("end_private_link", attempt), {"reason": f"{DETAILS['name']} asked"})

    assert PrivateLink.objects.get().works()
    assert not AuditEvent.objects.filter(action=ACTION).exists()
