"""cancel-links: one link by its id, or the unused links of an address."""

import json

import pytest

from assessments.models import AssessmentLink
from assessments.models.links import CANCELLED, LinkState
from partners.models import AuditEvent
from tests.assessments.attempts import DETAILS, issue, use
from tests.assessments.partner import CANCEL, assert_problem
from tests.factories import BY

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
EMAIL, UNKNOWN = DETAILS["email"], "lnk_0000000000000000"


def cancel(api, **fields):
    """Answer a call, as an answer or a refusal."""
    return api.post(CANCEL, {"projectId": api.project.project_id, **fields})


def test_a_link_is_cancelled_by_the_id_of_the_call_that_made_it(bank, api, browser):
    issue(api.project)
    made = api.link()
    link_id, url = made.headers["X-Link-Id"], json.loads(made.content)["redirect-url"]

    answers = [cancel(api, LinkId=f" {link_id} "), cancel(api, LinkId=link_id)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert [answer.json() for answer in answers] == [{"Cancelled": 1}, {"Cancelled": 0}]
    link = AssessmentLink.objects.exclude(cancelled_at=None).get()
    assert (link.link_id, link.state_at()) == (link_id, LinkState.CANCELLED)
    event = AuditEvent.objects.get(action=CANCELLED)
    assert (event.actor, event.reason) == (f"token:{api.token.token_id}", "1 link")
    assert (event.object_id, event.project) == (f"assessmentlink-{link.pk}", api.project)
    assert event.address
    assert event.request_id
    assert browser.get(url).status == 410
    assert browser.start(api.link().json()["redirect-url"]).name == "section"  # type: ignore[attr-defined]


def test_the_unused_links_of_an_address_are_cancelled(bank, api, other_project):
    used, _ = issue(api.project)
    use(used)
    for email in (EMAIL, EMAIL, "mira.rao@example.com"):
        issue(api.project, email=email)
    issue(other_project)

    answers = [cancel(api, email=email).json() for email in (f" {EMAIL.upper()} ", EMAIL)]

    assert answers == [{"Cancelled": 2}, {"Cancelled": 0}]
    event = AuditEvent.objects.get(action=CANCELLED)
    assert (event.object_id, event.reason) == (f"student-{used.student_id}", "2 links")
    assert AssessmentLink.objects.exclude(cancelled_at=None).count() == 2
    used.refresh_from_db()
    assert used.state_at() == LinkState.IN_PROGRESS


def test_a_link_in_use_an_unknown_one_and_those_of_others_are_refused(bank, api, other_project):
    used, theirs = issue(api.project)[0], issue(other_project)[0]
    use(used)
    erased, _ = issue(api.project, email="erased@example.com")
    erased.student.erase(by=BY)

    assert_problem(cancel(api, LinkId=used.link_id), 409, "link_in_use")
    for link_id in (UNKNOWN, theirs.link_id, erased.link_id, "no id"):
        assert_problem(cancel(api, LinkId=link_id), 404, "not_found")

    assert set(AssessmentLink.objects.values_list("cancelled_at", flat=True)) == {None}


@pytest.mark.parametrize(
    ("fields", "error"),
    [({}, ("LinkId", "required")), ({"LinkId": UNKNOWN, "email": EMAIL}, ("email", "invalid"))],
)
def test_exactly_one_of_both_is_required(api, fields, error):
    link, _ = issue(api.project)

    assert_problem(cancel(api, **fields), 400, "invalid_request", [error])

    link.refresh_from_db()
    assert link.cancelled_at is None
