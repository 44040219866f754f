"""Support cancels one link on its page, with a reason; nobody else does, and no used link goes."""

from __future__ import annotations

import pytest
from django.test import Client

from assessments.models import AssessmentLink
from assessments.models.links import LinkState
from partners.models import AuditEvent, Project
from tests.assessments.attempts import DETAILS, issue, use
from tests.assessments.link_actions import WHY, address, press
from tests.support.browser import Browser

pytestmark = pytest.mark.usefixtures("bank")
ACTION = "link.cancelled"
BUTTON = "Cancel the link"


@pytest.fixture
def link(project: Project) -> AssessmentLink:
    return issue(project)[0]


def page(client: Client, link: AssessmentLink) -> str:
    return client.get(address("change", link)).content.decode()


def test_support_cancels_a_link_with_a_reason(support: Client, project: Project) -> None:
    link, url = issue(project)
    other, _ = issue(project)

    asked = support.get(address("cancel", link)).content.decode()
    read = AuditEvent.objects.get(action="student.read")
    before = AssessmentLink.objects.get(pk=link.pk).cancelled_at
    response = press(support, address("cancel", link))

    shown = support.get(response.headers["Location"]).content.decode()
    link.refresh_from_db()
    other.refresh_from_db()
    event = AuditEvent.objects.get(action=ACTION)
    assert DETAILS["name"] in asked
    assert before is None
    assert (read.object_id, read.reason) == (
        f"student-{link.student_id}", f"looked at: the page “{BUTTON}”",
    )  # fmt: skip
    assert (link.state_at(), other.state_at()) == (LinkState.CANCELLED, LinkState.UNUSED)
    assert (event.object_id, event.reason) == (f"assessmentlink-{link.pk}", WHY)
    assert event.actor.startswith("staff:")
    assert WHY in shown
    assert BUTTON not in shown
    assert Browser().get(url).status == 410


@pytest.mark.parametrize(("meanwhile", "events"), [("cancelled", 1), ("in use", 0)])
def test_a_link_that_was_cancelled_or_started_meanwhile_stays(
    support: Client, link: AssessmentLink, meanwhile: str, events: int
) -> None:
    if meanwhile == "cancelled":
        press(support, address("cancel", link))
    else:
        use(link)

    response = support.post(address("cancel", link), {"reason": WHY})

    link.refresh_from_db()
    shown = support.get(response["Location"]).content.decode()
    assert f"Nothing was changed: link #{link.pk} is {meanwhile}." in shown
    assert (link.cancelled_at is None) is (meanwhile == "in use")
    assert AuditEvent.objects.filter(action=ACTION).count() == events


@pytest.mark.parametrize("reason", ["", f"{DETAILS['name']} asked", DETAILS["email"]])
def test_without_a_reason_or_with_a_name_in_it_nothing_is_cancelled(
    support: Client, link: AssessmentLink, reason: str
) -> None:
    response = support.post(address("cancel", link), {"reason": reason})

    link.refresh_from_db()
    assert response.status_code == 200
    assert link.cancelled_at is None
    assert not AuditEvent.objects.filter(action=ACTION).exists()


def test_a_link_that_was_deleted_meanwhile_is_said_to_be_gone(
    support: Client, link: AssessmentLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cancel(*_: object, **__: object) -> bool:
        raise AssessmentLink.DoesNotExist

    monkeypatch.setattr(AssessmentLink, "cancel", cancel)

    response = support.post(address("cancel", link), {"reason": WHY})

    shown = support.get(response["Location"]).content.decode()
    assert "was deleted when its retention time ended" in shown
