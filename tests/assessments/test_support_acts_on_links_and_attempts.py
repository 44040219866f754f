"""Support's buttons: cancel a link, issue a fresh one, close an attempt, give it more time."""

from datetime import timedelta

import pytest
from django.apps import apps
from django.utils import timezone

from assessments.desk.student_admin import FreshLinkForm
from assessments.models import AssessmentLink, Attempt, Student
from assessments.models.ended import End
from assessments.models.links import LinkState
from partners.models import AuditEvent, Refused
from tests.assessments.attempts import DETAILS, answer_until, how_ended, issue, token_of, use
from tests.assessments.link_actions import WHY, address, hidden, press, shown_link
from tests.factories import BY
from tests.support.browser import Browser

pytestmark = pytest.mark.usefixtures("bank")


@pytest.fixture
def link(project):
    return issue(project)[0]


@pytest.fixture
def attempt(project):
    return answer_until(use(issue(project)[0]), 12)


def stored():
    """Return all students, links and attempts, and what staff did to them."""
    events = AuditEvent.objects.exclude(action="student.read")
    tables = [Student.objects.all(), AssessmentLink.objects.all(), Attempt.objects.all(), events]
    return [list(table.order_by("pk").values()) for table in tables]


def event_of(action):
    """Return what one event of the trail is about, after a check that staff did it."""
    event = AuditEvent.objects.get(action=action)
    assert event.actor.startswith("staff:")
    return event.object_id, event.project, event.reason


def page_after(client, response):
    html = client.get(response.headers["Location"]).content.decode()
    return " ".join(html.split())


@pytest.mark.parametrize(
    ("act", "page", "reason"),
    [
        ("cancel", "Cancel the link", ""),
        ("issue", "Issue a fresh link", " "),
        ("close", "Close the attempt", f"{DETAILS['name']} asked"),
        ("extend", "Give more time", DETAILS["email"]),
    ],
)
def test_without_a_reason_or_with_a_name_in_it_nothing_changes(
    support, attempt, link, act, page, reason
):
    student, before = attempt.student, stored()
    row = {"cancel": link, "issue": student}.get(act, attempt)

    response = press(support, address(act, row), days="7", reason=reason)

    assert response.status_code == 200
    for shown in (student.name, student.email, "/static/once.js"):
        assert shown in response.content.decode()
    read = AuditEvent.objects.filter(action="student.read").values_list("object_id", "reason")
    assert set(read) == {(f"student-{student.pk}", f"looked at: the page “{page}”")}
    assert stored() == before


def test_a_link_is_cancelled_with_a_reason(support, project, link, browser):
    cancelled, url = issue(project)

    shown = page_after(support, press(support, address("cancel", cancelled)))

    cancelled.refresh_from_db()
    assert (cancelled.state_at(), link.state_at()) == (LinkState.CANCELLED, LinkState.UNUSED)
    assert event_of("link.cancelled") == (f"assessmentlink-{cancelled.pk}", project, WHY)
    assert WHY in shown
    assert "Cancel the link" not in shown
    assert browser.get(url).status == 410


def test_a_fresh_link_works_and_its_token_is_shown_once_and_stored_nowhere(
    support, project, link, browser, caplog
):
    response = press(support, address("issue", link.student))

    url = shown_link(response)
    fresh = AssessmentLink.objects.get(pk__gt=link.pk)
    assert response.status_code == 200
    assert "send it to the student yourself" in response.content.decode()
    assert "no-store" in response.headers["Cache-Control"]
    assert (fresh.student, fresh.access_token) == (link.student, None)
    assert (fresh.name, fresh.mobile) == (link.student.name, link.student.mobile)
    assert fresh.expires_at - fresh.issued_at == project.start_by
    assert event_of("link.issued") == (f"assessmentlink-{fresh.pk}", project, WHY)
    page = support.get(address("change", fresh)).content.decode()
    assert WHY in page
    stored = str([list(model._base_manager.values()) for model in apps.get_models()])
    for place in (stored, page, support.cookies.output(), str(response.headers), caplog.text):
        assert token_of(url) not in place
    assert browser.start(url).name == "section"


@pytest.mark.parametrize(
    ("meanwhile", "said"),
    [
        ("closed", "The project is closed"),
        ("erased", "This student was erased, so there is nobody to send a link"),
    ],
)
def test_no_fresh_link_in_a_project_that_was_closed_or_for_a_student_who_was_erased_meanwhile(
    support, link, monkeypatch, meanwhile, said
):
    student, url, look = link.student, address("issue", link.student), FreshLinkForm.is_valid
    fields = hidden(support, url)

    def is_valid(form):
        if meanwhile == "erased":
            student.erase(by=BY)
        else:
            student.project.close(by=BY)
        return look(form)

    monkeypatch.setattr(FreshLinkForm, "is_valid", is_valid)

    response = support.post(url, {**fields, "reason": WHY})

    assert said in page_after(support, response)
    with pytest.raises(Refused):
        AssessmentLink.objects.issue_by_staff(student, by=BY, at=timezone.now())
    assert student.links.count() == 1
    assert not AuditEvent.objects.filter(action="link.issued").exists()


def test_of_several_mobile_numbers_staff_choose_the_students(support, project, attempt):
    """A caller with another number began an attempt under the same e-mail address."""
    strangers = use(issue(project, mobile="91234 56789")[0])
    url = address("issue", attempt.student)

    page = " ".join(support.get(url).content.decode().split())
    refused = press(support, url)
    wrong = press(support, url, mobile="99999 99999")
    issued = press(support, url, mobile="+91 98765 43201")

    assert f"+91 98765 43201: continues {attempt}, 12 of 44 answered" in page
    assert f"91234 56789: continues {strangers}, 0 of 44 answered" in page
    assert "Ask the student for the number, then choose it." in refused.content.decode()
    assert "Choose one of the numbers in the list." in wrong.content.decode()
    assert AssessmentLink.objects.latest("pk").mobile == "+91 98765 43201"
    Browser().start(shown_link(issued), start="continue")
    attempt.refresh_from_db()
    assert attempt.continuations == 1


def test_an_open_attempt_is_closed(support, project, attempt):
    response = press(support, address("close", attempt))

    attempt.refresh_from_db()
    assert attempt.abandoned_at is not None
    assert how_ended(attempt) == End.CLOSED
    assert event_of("attempt.closed") == (attempt.assessment_id, project, WHY)
    assert WHY in page_after(support, response)


def test_an_open_attempt_gets_more_time(support, project, attempt):
    before = attempt.finish_by_at

    response = support.post(address("extend", attempt), {"reason": WHY, "days": "7"})

    attempt.refresh_from_db()
    assert response.status_code == 302
    assert timedelta(days=5) < attempt.finish_by_at - before < timedelta(days=7)
    assert event_of("attempt.extended") == (attempt.assessment_id, project, WHY)


@pytest.mark.parametrize("after", [timedelta(0), timedelta(days=30, seconds=1)])
def test_more_time_is_given_for_30_days_at_most(attempt, after):
    at, before = timezone.now(), stored()

    with pytest.raises(ValueError, match="within the next 30 days"):
        attempt.extend(at + after, at=at, by=BY)

    assert stored() == before
    attempt.extend(at + timedelta(days=30), at=at, by=BY)
    assert attempt.finish_by_at == at + timedelta(days=30)


def test_of_two_who_extend_an_attempt_at_once_the_second_reads_how_long_it_lasts(attempt):
    at = timezone.now()
    late = Attempt.objects.get(pk=attempt.pk)
    attempt.extend(at + timedelta(days=7), at=at, by=BY)
    before = stored()

    with pytest.raises(Refused, match="already"):
        late.extend(at + timedelta(days=14), at=at, by=BY)

    assert stored() == before


@pytest.mark.parametrize(
    ("act", "how", "said"),
    [
        ("close", End.LEFT, "has ended (left by the student)"),
        ("extend", End.LEFT, "has ended"),
        ("extend", End.LATE, "has ended"),
    ],
)
def test_an_attempt_that_has_ended_is_neither_closed_nor_extended(support, attempt, act, how, said):
    if how == End.LEFT:
        attempt.abandon()
    else:
        past = timezone.now() - timedelta(hours=30)
        Attempt.objects.update(started_at=past, finish_by_at=past + timedelta(hours=24))
    before = stored()

    response = support.post(address(act, attempt), {"days": "7", "reason": WHY})

    with pytest.raises(Refused, match="has ended"):
        if act == "close":
            attempt.close(reason=WHY, by=BY)
        else:
            attempt.extend(timezone.now() + timedelta(days=7), by=BY)
    assert how_ended(attempt) == how
    assert stored() == before
    assert said in page_after(support, response)
