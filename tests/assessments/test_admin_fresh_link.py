"""A fresh link of support: shown once, made once, for whoever may have one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.apps import apps
from django.test import Client

from assessments.admin.link_actions import FreshLinkForm
from assessments.models import AssessmentLink, Student
from assessments.models.links import LinkState, LinkUnavailable
from partners.models import AuditEvent, Project
from tests.assessments.attempts import issue, started, token_of
from tests.assessments.link_actions import STAFF, WHY, address, hidden, press, shown_link
from tests.support.browser import Browser

pytestmark = pytest.mark.usefixtures("bank")


def test_a_fresh_link_is_shown_once_and_works(support: Client, project: Project) -> None:
    old, _ = issue(project)

    response = press(support, address("issue", old.student))

    url = shown_link(response)
    link = AssessmentLink.objects.get(pk__gt=old.pk)
    assert response.status_code == 200
    assert "no-store" in response.headers["Cache-Control"]
    assert (link.student, link.access_token) == (old.student, None)
    assert (link.name, link.mobile) == (old.student.name, old.student.mobile)
    assert link.expires_at - link.issued_at == project.start_by
    assert Browser().start(url).name == "section"


def test_a_fresh_link_is_in_the_audit_trail_and_its_token_nowhere(
    support: Client, project: Project, caplog: pytest.LogCaptureFixture
) -> None:
    student = issue(project)[0].student

    response = press(support, address("issue", student))

    secret = token_of(shown_link(response))
    link = AssessmentLink.objects.latest("pk")
    event = AuditEvent.objects.get(action="link.issued")
    assert (event.object_id, event.project, event.reason) == (
        f"assessmentlink-{link.pk}", project, WHY,
    )  # fmt: skip
    assert event.actor.startswith("staff:")
    stored = "\n".join(str(list(m._base_manager.values())) for m in apps.get_models())
    page = support.get(address("change", link)).content.decode()
    assert WHY in page
    for place in (stored, page, support.cookies.output(), str(response.headers), caplog.text):
        assert secret not in place


def test_sent_twice_it_makes_one_link(support: Client, project: Project) -> None:
    student = issue(project)[0].student
    url = address("issue", student)
    fields = {**hidden(support, url), "reason": WHY}

    first, second = support.post(url, fields), support.post(url, fields)

    assert shown_link(first)
    assert second.status_code == 302
    assert (
        "Nothing was changed this time." in support.get(second.headers["Location"]).content.decode()
    )
    assert student.links.count() == 2


def test_nobody_gets_a_link_in_a_closed_project(support: Client, project: Project) -> None:
    student = issue(project)[0].student
    fields = hidden(support, address("issue", student))
    project.close(actor=STAFF)
    student.refresh_from_db()

    with pytest.raises(LinkUnavailable) as refused:
        AssessmentLink.objects.issue_by_staff(student, actor=STAFF)
    response = support.post(address("issue", student), {**fields, "reason": WHY})

    assert refused.value.state == LinkState.CLOSED
    assert "The project is closed" in support.get(response.headers["Location"]).content.decode()
    assert student.links.count() == 1
    assert not AuditEvent.objects.filter(action="link.issued").exists()


def meanwhile(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Do something between the look at the student and the issue."""
    look = FreshLinkForm.is_valid

    def is_valid(form: FreshLinkForm) -> bool:
        act()
        return look(form)

    monkeypatch.setattr(FreshLinkForm, "is_valid", is_valid)


def test_who_was_erased_meanwhile_gets_no_link_and_staff_read_why(
    support: Client, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    student = issue(project)[0].student
    fields = hidden(support, address("issue", student))
    meanwhile(monkeypatch, lambda: student.erase(actor=STAFF))

    response = support.post(address("issue", student), {**fields, "reason": WHY})

    page = support.get(response.headers["Location"]).content.decode()
    assert "This student was erased, so there is nobody to send a link to." in page
    assert student.links.count() == 1
    assert not AuditEvent.objects.filter(action="link.issued").exists()


# --- which attempt the link continues


def page_of(support: Client, student: Student) -> str:
    return " ".join(support.get(address("issue", student)).content.decode().split())


def test_of_several_numbers_staff_choose_the_student_s(support: Client, project: Project) -> None:
    """Somebody else asked for a link to the same address, and began an attempt."""
    attempt = started(project)
    stranger = started(project, mobile="91234 56789")
    assert stranger != attempt
    url = address("issue", attempt.student)

    page = page_of(support, attempt.student)
    refused = press(support, url)
    wrong = press(support, url, mobile="99999 99999")
    issued = press(support, url, mobile="+91 98765 43210")

    assert f"+91 98765 43210: continues {attempt}, 0 of 44 answered" in page
    assert f"91234 56789: continues {stranger}, 0 of 44 answered" in page
    assert "Ask the student for the number, then choose it." in refused.content.decode()
    assert "Choose one of the numbers in the list." in wrong.content.decode()
    link = AssessmentLink.objects.latest("pk")
    assert link.mobile == "+91 98765 43210"
    Browser().start(shown_link(issued), start="continue")
    attempt.refresh_from_db()
    assert attempt.moves == 1


def test_a_fresh_link_has_the_reference_of_the_newest_one(project: Project) -> None:
    first, _ = issue(project, email="asha@example.com")
    student = first.student
    AssessmentLink.objects.filter(pk=first.pk).update(reference="APP-1")

    fresh, _ = AssessmentLink.objects.issue_by_staff(student, actor=STAFF)
    again, _ = AssessmentLink.objects.issue_by_staff(student, actor=STAFF)

    assert [fresh.reference, again.reference] == ["APP-1", "APP-1"]
    assert AssessmentLink.objects.get(pk=again.pk).reference == "APP-1"
