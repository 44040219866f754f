"""The list of links by state, within the last 30 days or a chosen period."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from assessments.models import AssessmentLink
from partners.models import Project
from tests.assessments.attempts import issue, use
from tests.factories import staff_with

pytestmark = pytest.mark.usefixtures("bank")
LIST = "/admin/assessments/assessmentlink/"


@pytest.fixture
def links(project: Project) -> dict[str, AssessmentLink]:
    at = timezone.now()
    started, _ = issue(project, at - timedelta(hours=5), email="started@example.com")
    use(started)
    cancelled, _ = issue(project, at - timedelta(hours=4), email="cancelled@example.com")
    cancelled.cancel(reason="wrong address", actor="command:tests")
    return {
        "waiting": issue(project, at - timedelta(hours=3), email="waiting@example.com")[0],
        "started": started,
        "cancelled": cancelled,
        "expired": issue(project, at - timedelta(days=10), email="expired@example.com")[0],
        "expired long ago": issue(project, at - timedelta(days=60), email="old@example.com")[0],
    }


def numbers(client: Client, **asked: str) -> set[int]:
    response = client.get(LIST, asked)
    assert response.status_code == 200
    return {int(number) for number in re.findall(r">#(\d+)</a>", response.content.decode())}


@pytest.mark.parametrize("state", ["waiting", "started", "cancelled", "expired"])
def test_a_state_lists_its_recent_links(
    client: Client, links: dict[str, AssessmentLink], state: str
) -> None:
    client.force_login(staff_with("assessments.view_assessmentlink"))

    assert numbers(client, state=state) == {links[state].pk}


def test_a_chosen_period_takes_the_place_of_the_last_30_days(
    client: Client, links: dict[str, AssessmentLink], project: Project
) -> None:
    client.force_login(staff_with("assessments.view_assessmentlink"))
    both = {links["expired"].pk, links["expired long ago"].pk}

    assert numbers(client, state="expired", period="90", project=str(project.pk)) == both
    assert numbers(client, state="expired", period="7") == set()
    # One that there is not chooses nothing.
    assert numbers(client, state="lost") == {link.pk for link in links.values()}
