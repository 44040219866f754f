"""cancel-links: one link by its id, or the unused links of an address."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.http import HttpResponse

from assessments.models import AssessmentLink
from assessments.models.cancelling import CANCELLED
from assessments.models.links import LinkState
from partners.models import AuditEvent, Project
from tests.assessments.attempts import DETAILS, issue, use
from tests.assessments.partner import CANCEL, LINK, Backend, assert_problem
from tests.support.browser import Browser

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
UNKNOWN = "lnk_0000000000000000"


def cancel(api: Backend, **fields: Any) -> HttpResponse:
    return api.post(CANCEL, {"projectId": api.project.project_id, **fields})


def cancelled(response: HttpResponse) -> int:
    assert response.status_code == 200, response.content
    answer = json.loads(response.content)
    assert list(answer) == ["Cancelled"]
    count: int = answer["Cancelled"]
    return count


def test_a_link_is_cancelled_by_the_id_of_the_call_that_made_it(bank: object, api: Backend) -> None:
    made = api.link()
    link_id, url = made.headers["X-Link-Id"], json.loads(made.content)["redirect-url"]

    assert cancelled(cancel(api, LinkId=f" {link_id} ")) == 1
    assert cancelled(cancel(api, LinkId=link_id)) == 0

    link = AssessmentLink.objects.get(link_id=link_id)
    assert link.state_at() == LinkState.CANCELLED
    event = AuditEvent.objects.get(action=CANCELLED)
    assert event.actor == f"token:{api.token.token_id}"
    assert (event.object_id, event.project) == (f"assessmentlink-{link.pk}", api.project)
    assert event.address
    assert event.request_id
    assert Browser().get(url).status == 410


def test_the_unused_links_of_an_address_are_cancelled(bank: object, api: Backend) -> None:
    used, _ = issue(api.project)
    use(used)
    for _ in range(2):
        api.link()
    api.link(email="mira.rao@example.com")

    assert cancelled(cancel(api, email=f" {DETAILS['email'].upper()} ")) == 2
    assert cancelled(cancel(api, email=DETAILS["email"])) == 0

    assert AssessmentLink.objects.exclude(cancelled_at=None).count() == 2
    used.refresh_from_db()
    assert used.state_at() == LinkState.IN_USE


def test_a_started_link_is_a_409(bank: object, api: Backend) -> None:
    link, _ = issue(api.project)
    use(link)

    assert_problem(cancel(api, LinkId=link.link_id), 409, "link_in_use")

    link.refresh_from_db()
    assert (link.state_at(), link.cancelled_at) == (LinkState.IN_USE, None)


def test_an_unknown_link_and_one_of_another_project_or_of_an_erased_student_are_a_404(
    api: Backend, other_project: Project
) -> None:
    theirs, erased = issue(other_project)[0], issue(api.project)[0]
    erased.student.erase(actor="command:tests")

    for link_id in (UNKNOWN, theirs.link_id, erased.link_id, "no id"):
        assert_problem(cancel(api, LinkId=link_id), 404, "not_found")

    theirs.refresh_from_db()
    assert theirs.cancelled_at is None


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        ({}, [("LinkId", "required")]),
        ({"LinkId": UNKNOWN, "email": DETAILS["email"]}, [("email", "invalid")]),
        ({"LinkId": 7}, [("LinkId", "not_a_string")]),
        ({"LinkId": " "}, [("LinkId", "blank")]),
        ({"LinkId": "l" * 65}, [("LinkId", "too_long")]),
        ({"email": "no address"}, [("email", "invalid")]),
    ],
)
def test_exactly_one_of_both_is_required(
    api: Backend, fields: dict[str, Any], errors: list[tuple[str, str]]
) -> None:
    link, _ = issue(api.project)

    assert_problem(cancel(api, **fields), 400, "invalid_request", errors)

    link.refresh_from_db()
    assert link.cancelled_at is None


def test_a_new_link_for_the_address_works_afterwards(bank: object, api: Backend) -> None:
    api.link()
    cancel(api, email=DETAILS["email"])

    again = api.post(LINK, api.link_body())

    assert Browser().start(json.loads(again.content)["redirect-url"]).name == "section"
