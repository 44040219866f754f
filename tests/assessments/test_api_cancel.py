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


def cancel(backend: Backend, **fields: Any) -> HttpResponse:
    return backend.post(CANCEL, {"projectId": backend.project.project_id, **fields})


def cancelled(response: HttpResponse) -> int:
    assert response.status_code == 200, response.content
    answer = json.loads(response.content)
    assert list(answer) == ["Cancelled"]
    count: int = answer["Cancelled"]
    return count


def test_a_link_is_cancelled_by_the_id_of_the_call_that_made_it(
    bank: object, backend: Backend
) -> None:
    made = backend.link()
    link_id, url = made.headers["X-Link-Id"], json.loads(made.content)["redirect-url"]

    assert cancelled(cancel(backend, LinkId=f" {link_id} ")) == 1
    assert cancelled(cancel(backend, LinkId=link_id)) == 0

    link = AssessmentLink.objects.get(link_id=link_id)
    assert link.state_at() == LinkState.CANCELLED
    event = AuditEvent.objects.get(action=CANCELLED)
    assert event.actor == f"token:{backend.token.token_id}"
    assert (event.object_id, event.project) == (f"assessmentlink-{link.pk}", backend.project)
    assert event.address
    assert event.request_id
    assert Browser().get(url).status == 410


def test_the_unused_links_of_an_address_are_cancelled(bank: object, backend: Backend) -> None:
    used, _ = issue(backend.project)
    use(used)
    for _ in range(2):
        backend.link()
    backend.link(email="mira.rao@example.com")

    assert cancelled(cancel(backend, email=f" {DETAILS['email'].upper()} ")) == 2
    assert cancelled(cancel(backend, email=DETAILS["email"])) == 0

    assert AssessmentLink.objects.exclude(cancelled_at=None).count() == 2
    used.refresh_from_db()
    assert used.state_at() == LinkState.IN_USE


def test_a_started_link_is_a_409(bank: object, backend: Backend) -> None:
    link, _ = issue(backend.project)
    use(link)

    assert_problem(cancel(backend, LinkId=link.link_id), 409, "link_in_use")

    link.refresh_from_db()
    assert (link.state_at(), link.cancelled_at) == (LinkState.IN_USE, None)


def test_an_unknown_link_and_one_of_another_project_or_of_an_erased_student_are_a_404(
    backend: Backend, other_project: Project
) -> None:
    theirs, erased = issue(other_project)[0], issue(backend.project)[0]
    erased.student.erase(actor="command:tests")

    for link_id in (UNKNOWN, theirs.link_id, erased.link_id, "no id"):
        assert_problem(cancel(backend, LinkId=link_id), 404, "not_found")

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
    backend: Backend, fields: dict[str, Any], errors: list[tuple[str, str]]
) -> None:
    link, _ = issue(backend.project)

    assert_problem(cancel(backend, **fields), 400, "invalid_request", errors)

    link.refresh_from_db()
    assert link.cancelled_at is None


def test_a_new_link_for_the_address_works_afterwards(bank: object, backend: Backend) -> None:
    backend.link()
    cancel(backend, email=DETAILS["email"])

    again = backend.post(LINK, backend.link_body())

    assert Browser().start(json.loads(again.content)["redirect-url"]).name == "section"
