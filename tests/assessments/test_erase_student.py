"""Erasing a student: the person goes at once, the counts stay, a receipt says so."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from assessments.models import Answer, Assessment, AssessmentLink, LinkEvent, Student
from assessments.models.ages import Age
from assessments.models.attempts import AttemptEnded
from assessments.models.links import LinkState, LinkUnavailable
from assessments.models.students import Erased, Touched
from partners.models import AuditEvent, Project
from partners.student_pages import ConsentMode
from tests.assessments.ages import A_MINOR, GUARDIAN
from tests.assessments.attempts import (
    DETAILS,
    issue,
    marked_completed,
    started,
    use,
)
from tests.assessments.erasing import minor
from tests.assessments.partner import Backend
from tests.factories import ProjectFactory
from tests.support.browser import Browser

pytestmark = pytest.mark.usefixtures("bank")
AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
WHO = "command:tests"
VALUES = [*DETAILS.values(), "+919876543210", *GUARDIAN.values()]


@pytest.fixture
def project(db: None) -> Project:
    return ProjectFactory.create(consent_mode=ConsentMode.ASK)


@pytest.fixture
def student(project: Project) -> Student:
    return minor(project)


def counts() -> list[int]:
    return [model.objects.count() for model in (Student, AssessmentLink, Assessment, Answer)]


# --- what goes and what stays


def test_nothing_says_who_it_was(student: Student) -> None:
    student.links.update(reference="applicant-4711")
    link = AssessmentLink.objects.order_by("pk")[0]
    LinkEvent.objects.create(link=link, number=1, at=AT, kind="opened")

    student.erase(actor=WHO)

    rows = [str(list(m.objects.values())) for m in (Student, AssessmentLink, Assessment)]
    assert not [value for value in VALUES if value in "".join(rows)]
    student.refresh_from_db()
    assert student.is_erased
    assert (student.name, student.mobile) == ("erased", "erased")
    assert student.email == f"erased on {timezone.now():%Y-%m-%d}"
    assert not student.links.exclude(reference="").exists()
    assert not LinkEvent.objects.exists()
    left = Assessment.objects.values_list("is_minor", "guardian_name", "guardian_contact")
    assert set(left) == {(None, "", "")}


def test_counts_answers_and_results_stay(student: Student) -> None:
    before = counts()
    result = Assessment.objects.completed().values("profile", "recommendations", "completed_at")
    profile = list(result)
    choices = list(Answer.objects.order_by("pk").values("assessment_id", "position", "choice"))

    erased = student.erase(actor=WHO)

    assert counts() == before
    assert list(result) == profile
    assert list(Answer.objects.order_by("pk").values(*choices[0])) == choices
    given = sum(each["choice"] is not None for each in choices)
    assert (erased.links, erased.attempts, erased.answers) == (3, 2, given)


def test_an_open_attempt_ends_and_an_ended_one_keeps_its_end(project: Project) -> None:
    done = marked_completed(started_adult(project, AT), AT)
    left = started_adult(project, AT)
    left.abandon(AT + timedelta(hours=1))
    late = started_adult(project, AT)
    Assessment.objects.filter(pk=late.pk).update(finish_by_at=AT + timedelta(hours=20))
    at = AT + timedelta(hours=21)
    open_one = started_adult(project, at)

    Student.objects.get().erase(at=at, actor=WHO)

    ends = dict(Assessment.objects.values_list("pk", "abandoned_at"))
    assert ends == {
        done.pk: None,
        left.pk: AT + timedelta(hours=1),
        late.pk: None,
        open_one.pk: at,
    }


def started_adult(project: Project, at: datetime) -> Assessment:
    return use(issue(project, at)[0], start="again", age=Age(is_minor=False), at=at)


def test_the_audit_trail_has_the_receipt_and_nothing_of_the_person(student: Student) -> None:
    erased = student.erase(reason="asked for by letter", at=AT, actor=WHO)

    event = AuditEvent.objects.get(action="student.erased")
    assert erased.receipt.startswith("ers_")
    assert len(erased.receipt) == 20
    assert event.reason == f"{erased.receipt}: asked for by letter"
    assert (event.object_type, event.object_id) == ("student", f"student-{student.pk}")
    assert (event.project, event.actor, event.at) == (student.project, WHO, AT)
    assert not [value for value in VALUES if value in str(list(AuditEvent.objects.values()))]


def test_erasing_again_changes_nothing_and_gives_the_same_receipt(student: Student) -> None:
    first = student.erase(at=AT, actor=WHO)
    rows = [list(m.objects.order_by("pk").values()) for m in (Student, AssessmentLink, Assessment)]

    second = Student.objects.get().erase(at=AT + timedelta(days=1), actor=WHO)

    assert second == first
    assert AuditEvent.objects.filter(action="student.erased").count() == 1
    assert rows == [
        list(m.objects.order_by("pk").values()) for m in (Student, AssessmentLink, Assessment)
    ]
    assert Student.objects.get().erased_at == AT


def test_what_is_going_to_be_touched_is_counted_before(student: Student) -> None:
    answers = Answer.objects.given().count()

    assert student.touched() == Touched(
        links=3, startable=1, attempts=2, open=1, guardians=2, answers=answers
    )


def test_a_student_without_any_attempt_can_be_erased(project: Project) -> None:
    link, _ = issue(project, AT)

    erased = link.student.erase(at=AT, actor=WHO)

    assert erased == Erased(erased.receipt, links=1, attempts=0, answers=0)
    link.refresh_from_db()
    assert link.state_at(AT + timedelta(seconds=1)) == LinkState.EXPIRED


def test_others_are_not_touched(student: Student, project: Project) -> None:
    other = started(ProjectFactory.create())
    sister = use(issue(project, email="mira.rao@example.com")[0], age=A_MINOR)

    student.erase(actor=WHO)

    for attempt in (other, sister):
        digest = attempt.browser_digest
        attempt.refresh_from_db()
        assert attempt.is_open()
        assert attempt.browser_digest == digest
        assert not Student.objects.get(pk=attempt.student_id).is_erased
    assert Assessment.objects.get(pk=sister.pk).guardian_name == GUARDIAN["guardian_name"]


# --- what nobody can do afterwards


def test_the_partner_reads_no_result_and_a_new_call_makes_a_new_student(
    student: Student, project: Project
) -> None:
    api = Backend.of(project)
    assert len(json.loads(api.results().content)) == 1

    student.erase(actor=WHO)

    assert json.loads(api.results().content) == []
    assert api.link().status_code == 200
    fresh = Student.objects.exclude(pk=student.pk).get()
    assert (fresh.email, fresh.name) == (DETAILS["email"], DETAILS["name"])
    assert fresh.links.count() == 1
    assert json.loads(api.results().content) == []


def test_an_unused_link_is_dead(project: Project, browser: Browser) -> None:
    link, url = issue(project)
    page = browser.open(url)

    link.student.erase(actor=WHO)

    assert Browser().open(url).status == 404
    assert browser.send(page, {"consent": "yes", "age": "adult"}).status == 404
    assert not Assessment.objects.exists()


def test_the_cookie_opens_nothing(project: Project, browser: Browser) -> None:
    _, url = issue(project)
    browser.start(url, consent="yes", age="adult")
    address = f"/{project.project_id}/assessment"
    assert browser.open(address).status == 200

    Student.objects.get().erase(actor=WHO)

    assert browser.open(address).status == 403
    assert browser.open(url).status == 404
    assert browser.client.get(f"{address}/1").status_code in {403, 404}


def test_a_start_that_waited_for_the_erasure_is_refused(project: Project) -> None:
    """It had found the link, and read the clock, before."""
    link = AssessmentLink.objects.get(pk=issue(project, AT)[0].pk)
    assert link.state_at(AT) == LinkState.UNUSED

    Student.objects.get().erase(at=AT + timedelta(seconds=1), actor=WHO)

    with pytest.raises(LinkUnavailable):
        use(link, age=Age(is_minor=False), at=AT)
    assert not Assessment.objects.exists()


def test_an_answer_that_waited_for_the_erasure_is_refused(student: Student) -> None:
    attempt = Assessment.objects.open().get()
    given = attempt.read_answers().answered_count

    student.erase(actor=WHO)

    with pytest.raises(AttemptEnded):
        attempt.record(attempt.read_answers().resume_position, {7: 1})
    assert attempt.read_answers().answered_count == given


def test_staff_issue_no_link_to_nobody(student: Student) -> None:
    student.erase(actor=WHO)

    with pytest.raises(LinkUnavailable):
        AssessmentLink.objects.issue_by_staff(Student.objects.get(), actor=WHO)
    assert AssessmentLink.objects.count() == 3


def test_what_fetched_many_links_is_deleted_at_once(student: Student) -> None:
    for _ in range(9):
        issue(student.project)
    with CaptureQueriesContext(connection) as asked:
        student.erase(actor=WHO)

    deletes = [each["sql"].split()[2] for each in asked if each["sql"].startswith("DELETE")]
    tables = ("linkevent", "privatelink", "webhookevent", "webhookevent")
    assert sorted(deletes) == [f'"assessments_{table}"' for table in tables]
