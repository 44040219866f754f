"""Erasing a student: the person goes at once, the counts stay, and a receipt says so."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError
from django.urls import reverse
from django.utils import timezone

from assessments.models import Answer, AssessmentLink, Attempt, LinkEvent, Student
from assessments.models.attempts import AttemptEnded
from assessments.models.links import Age, LinkState, LinkUnavailable
from partners.models import AuditEvent, Refused
from partners.models.projects import ConsentMode
from tests.assessments.attempts import (
    A_MINOR,
    DETAILS,
    GUARDIAN,
    answer_until,
    issue,
    marked_completed,
    use,
)
from tests.factories import BY, ProjectFactory
from tests.support.browser import Browser
from tests.support.commands import run

pytestmark = pytest.mark.usefixtures("bank")
AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
HOUR = timedelta(hours=1)
VALUES = [*DETAILS.values(), "+919876543201", *GUARDIAN.values()]


@pytest.fixture
def project(db):
    return ProjectFactory.create(consent_mode=ConsentMode.ASK)


@pytest.fixture
def student(project):
    """Give a minor with a completed attempt, an open one with answers, and an unused link."""
    marked_completed(use(issue(project)[0], age=A_MINOR))
    answer_until(use(issue(project)[0], age=A_MINOR), 6)
    issue(project)
    return Student.objects.get()


def test_the_person_goes_and_a_receipt_is_recorded(student, rows):
    student.links.update(reference="applicant-4711")
    link = AssessmentLink.objects.order_by("pk")[0]
    LinkEvent.objects.create(link=link, number=1, at=AT, kind="opened")

    receipt = student.erase(reason="asked for by letter", at=AT, by=BY)

    assert not [value for value in VALUES if value in str(rows())]
    assert receipt.startswith("ers_")
    assert len(receipt) == 20
    row = Student.objects.get()
    assert (row.email_key, row.email) == (receipt, "erased on 2026-11-21")
    assert (row.name, row.mobile, row.is_erased, row.erased_at) == ("erased", "erased", True, AT)
    left = student.links.values_list("name", "mobile", "reference")
    assert set(left) == {("erased", "erased", "")}
    assert not LinkEvent.objects.exists()
    left = Attempt.objects.values_list("is_minor", "guardian_name", "guardian_contact")
    assert set(left) == {(None, "", "")}
    event = AuditEvent.objects.filter(action="student.erased").get()
    assert event.reason == f"{receipt}: asked for by letter"
    assert (event.object_type, event.object_id) == ("student", f"student-{student.pk}")
    assert (event.project, event.actor, event.at) == (student.project, BY.name, AT)


def test_an_open_attempt_ends_and_an_ended_one_keeps_its_end(project):
    def again(at):
        return use(issue(project, at)[0], start="again", age=Age(is_minor=False), at=at)

    done = marked_completed(again(AT), AT)
    left = again(AT)
    left.abandon(AT + HOUR)
    late = again(AT)
    Attempt.objects.filter(pk=late.pk).update(finish_by_at=AT + 20 * HOUR)
    at = AT + 21 * HOUR
    open_one = again(at)

    Student.objects.get().erase(at=at, by=BY)

    ends = dict(Attempt.objects.values_list("pk", "abandoned_at"))
    assert ends == {done.pk: None, left.pk: AT + HOUR, late.pk: None, open_one.pk: at}


def test_erasing_again_changes_nothing_and_gives_that_receipt(student, rows):
    first = student.erase(at=AT, by=BY)
    before = rows()

    second = Student.objects.get().erase(at=AT + 24 * HOUR, by=BY)

    assert second == first
    assert rows() == before


def test_neither_a_link_nor_a_cookie_opens_anything(project, browser):
    unused, used = issue(project)[1], issue(project)[1]
    waiting = Browser()
    page = waiting.open(unused)
    browser.start(used, consent="yes", age="adult")
    address = f"/{project.project_id}/assessment"
    assert browser.open(address).status == 200

    Student.objects.get().erase(by=BY)

    assert Browser().open(unused).status == 404
    assert waiting.send(page, {"consent": "yes", "age": "adult"}).status == 404
    assert browser.open(address).status == 403
    assert browser.open(used).status == 404
    assert browser.client.get(f"{address}/1").status_code in {403, 404}
    assert Attempt.objects.count() == 1


def test_a_waiting_start_answer_or_fresh_link_is_refused(student, rows):
    """They had found their rows, and read the clock, before."""
    attempt, link = Attempt.objects.open().get(), student.links.get(used_at=None)
    at = timezone.now()
    assert link.state_at(at) == LinkState.UNUSED

    student.erase(at=at + timedelta(seconds=1), by=BY)

    before = rows(Answer, Attempt, AssessmentLink)
    with pytest.raises(LinkUnavailable):
        use(link, age=A_MINOR, at=at)
    with pytest.raises(AttemptEnded):
        attempt.record(attempt.read_answers().resume_position, {7: 1})
    with pytest.raises(Refused):
        AssessmentLink.objects.issue_by_staff(Student.objects.get(), by=BY, at=at)
    assert rows(Answer, Attempt, AssessmentLink) == before


def page_of(student):
    return reverse("admin:assessments_student_erase", args=[student.pk])


def test_the_button_erases_once_and_leads_to_the_receipt(student, staff):
    eraser = staff("assessments.view_student", "assessments.erase_student")
    done = eraser.post(page_of(student), {"reason": "asked for by letter"})
    again = eraser.post(page_of(student), {"reason": "letter"}, follow=True)

    student.refresh_from_db()
    assert (done.status_code, done.headers["Location"]) == (302, page_of(student))
    event = AuditEvent.objects.filter(action="student.erased").get()
    assert event.reason == f"{student.receipt}: asked for by letter"
    assert event.actor.startswith("staff:")
    now = timezone.localtime(timezone=ZoneInfo(student.project.time_zone))
    for page in (eraser.get(page_of(student)), again):
        text = page.content.decode()
        assert f">{student.receipt}</code>" in text
        assert f"{now:%-d %b %Y, %H:}" in text
        assert "links 3, attempts 2" in text
        assert "asha" not in text.lower()


def test_the_command_prints_the_receipt(student, project):
    stdout, stderr = run(
        "erase_student", project.project_id, DETAILS["email"], "--yes", "--reason", "by letter"
    )

    student.refresh_from_db()
    assert stdout == f"{student.receipt}\n"
    assert AuditEvent.objects.filter(action="student.erased").get().reason.endswith(": by letter")
    assert "links 3, attempts 2" in stderr
    assert not [value for value in VALUES if value in stdout + stderr]


@pytest.mark.parametrize(
    ("email", "options", "said"),
    [
        ("nobody@example.com", ["--yes"], "has no student with this e-mail address"),
        ("not an address", ["--yes"], "has no student with this e-mail address"),
        (DETAILS["email"], [], "--yes"),  # there is no terminal to ask at
        (DETAILS["email"], ["--yes", "--reason", "Asha Rao asked"], "names the person"),
        (DETAILS["email"], ["--yes", "--reason", "x" * 171], "at most 170 characters"),
    ],
)
def test_the_command_refuses(student, project, email, options, said):
    other = issue(ProjectFactory.create(), email="nobody@example.com")[0].project

    with pytest.raises(CommandError, match=said) as refusal:
        run("erase_student", project.project_id, email, *options)

    assert refusal.value.returncode == 1
    assert email not in str(refusal.value)
    assert other.project_id not in str(refusal.value)
    assert not AuditEvent.objects.filter(action="student.erased").exists()
