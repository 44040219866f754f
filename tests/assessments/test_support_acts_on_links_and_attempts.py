"""Support cancels, issues, closes, gives more time, and corrects an address."""

from datetime import timedelta
from functools import partial

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from assessments.desk.student_admin import FreshLinkForm
from assessments.models import AssessmentLink, Attempt, Student
from assessments.models.ended import End
from assessments.models.links import LinkState
from assessments.models.students import ReasonNamesThePerson
from partners.models import AuditEvent, Refused
from tests.assessments.attempts import DETAILS, answer_until, how_ended, issue, token_of, use
from tests.assessments.link_actions import WHY, address, hidden, press, shown_link
from tests.assessments.partner import RESULTS, STATUS
from tests.factories import BY
from tests.support.browser import Browser
from tests.support.threads import race

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


WRONG, RIGHT = "asha.roa@example.com", "asha.rao@example.com"


@pytest.fixture
def student(project):
    issue(project, email=WRONG)
    return issue(project, email=WRONG)[0].student


@pytest.mark.sqlite
def test_the_links_of_the_wrong_address_end_with_its_correction(project, student, api, browser):
    _, url = issue(project, email=WRONG)

    assert student.correct_email(f" {RIGHT.upper()} ", by=BY, reason=WHY) == 3

    assert (student.email, student.email_key) == (RIGHT.upper(), RIGHT)
    assert student.links.filter(cancelled_at=None).count() == 0
    assert browser.get(url).status == 410
    event = AuditEvent.objects.get(action="student.email_corrected")
    assert (event.object_id, event.reason) == (f"student-{student.pk}", WHY)
    assert event.details == {"changes": {"email": None}}
    assert AuditEvent.objects.get(action="link.cancelled").object_id == f"student-{student.pk}"
    kept = str(list(AuditEvent.objects.values()) + list(AssessmentLink.objects.values()))
    assert "roa@" not in kept
    # Partners find the student by the right address only.
    found = api.read(STATUS, email=RIGHT)["Links"]
    assert [each["State"] for each in found] == ["cancelled"] * 3
    assert api.read(STATUS, email=WRONG) == {"Links": [], "Assessments": []}
    assert api.read(RESULTS, email=WRONG) == []


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("before", "email", "reason", "error"),
    [
        (lambda student: use(issue(student.project, email=WRONG)[0]), RIGHT, WHY, Refused),
        (lambda student: student.project.close(by=BY), RIGHT, WHY, Refused),
        (lambda student: student.erase(by=BY), RIGHT, "", Refused),
        (lambda student: issue(student.project, email=RIGHT), RIGHT, WHY, ValidationError),
        (Student.refresh_from_db, RIGHT, f"sent to {WRONG}", ReasonNamesThePerson),
        (Student.refresh_from_db, "", WHY, ValidationError),
        (Student.refresh_from_db, "asha@", WHY, ValidationError),
        (Student.refresh_from_db, "ashá@example.com", WHY, ValidationError),
        (Student.refresh_from_db, WRONG.upper(), WHY, ValidationError),
    ],
)
def test_a_refused_correction_changes_nothing(student, rows, before, email, reason, error):
    before(student)
    stored = rows(Student, AssessmentLink, AuditEvent)

    with pytest.raises(error) as raised:
        student.correct_email(email, by=BY, reason=reason)

    assert type(raised.value) is error
    assert rows(Student, AssessmentLink, AuditEvent) == stored


def test_support_corrects_it_and_gets_a_fresh_link(support, project, student, browser):
    page = address("correct_email", student)
    assert support.get(page).status_code == 200

    answer = support.post(page, {"email": RIGHT, "reason": WHY})

    assert "no-store" in answer.headers["Cache-Control"]
    assert browser.get(shown_link(answer)).status == 200
    assert "send it to the student yourself" not in answer.content.decode()
    corrected = Student.objects.known_as(project, RIGHT)
    assert corrected == student
    assert corrected.links.filter(cancelled_at=None).count() == 1
    events = AuditEvent.objects.filter(action__in=["student.email_corrected", "link.issued"])
    assert {event.reason for event in events} == {WHY}
    assert all(event.actor.startswith("staff:") for event in events)


def test_the_page_refuses_an_address_that_is_taken_and_a_student_who_has_started(
    support, project, student
):
    page, sent = address("correct_email", student), {"email": RIGHT, "reason": WHY}
    use(issue(project, email=RIGHT)[0])

    taken = support.post(page, sent)
    use(issue(student.project, email=WRONG)[0])
    started = support.post(page, sent)

    student.refresh_from_db()
    assert (taken.status_code, started.status_code) == (200, 302)
    assert list(taken.context["form"].errors) == ["email"]
    assert student.email == WRONG


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("attempt", range(3))
def test_if_a_correction_and_a_start_race_exactly_one_happens(project, attempt):
    link, url = issue(project, email=WRONG)
    student = link.student

    def start():
        data = {"token": token_of(url), "consent": "yes"}
        return Client().post(url.partition("?")[0], data).status_code

    corrected, started = race([partial(student.correct_email, RIGHT, by=BY, reason=WHY), start])

    student.refresh_from_db()
    if started == 303:
        assert isinstance(corrected, Refused)
        assert (student.email, Attempt.objects.count()) == (WRONG, 1)
    else:
        assert (started, corrected) == (410, 1)
        assert (student.email, Attempt.objects.count()) == (RIGHT, 0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("email", [WRONG, RIGHT])
def test_if_a_correction_and_a_request_for_a_link_race_each_student_has_one_address(project, email):
    """A request for the old address makes another student; one for the new may take it."""
    student = issue(project, email=WRONG)[0].student

    corrected, issued = race(
        [
            partial(student.correct_email, RIGHT, by=BY, reason=WHY),
            partial(issue, project, email=email),
        ]
    )

    link = issued[0]
    student.refresh_from_db()
    link.refresh_from_db()
    keys = list(Student.objects.values_list("email_key", flat=True))
    assert len(set(keys)) == len(keys)
    if isinstance(corrected, ValidationError):
        assert (email, student.email) == (RIGHT, WRONG)
        assert student.links.exclude(cancelled_at=None).count() == 0
    else:
        assert student.email == RIGHT
        if link.student != student:
            assert (link.student.email, link.cancelled_at) == (WRONG, None)
