"""A link went to the wrong address: the address is corrected, and nothing started moves."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from django.test import Client

from assessments.models import Assessment, AssessmentLink, Student
from assessments.models.students import AddressTaken, HasStarted, ReasonNamesThePerson
from partners.models import AuditEvent, Project
from tests.assessments.attempts import issue, token_of, use
from tests.assessments.link_actions import WHY, address, shown_link
from tests.assessments.partner import STATUS, Backend
from tests.support.browser import Browser
from tests.support.threads import race

pytestmark = [pytest.mark.usefixtures("bank"), pytest.mark.sqlite]
WRONG, RIGHT = "asha.roa@example.com", "asha.rao@example.com"
WHO = {"actor": "command:tests", "reason": WHY}


def student_at(project: Project, email: str) -> Student:
    return Student.objects.known_as(project, email)


@pytest.fixture
def student(project: Project) -> Student:
    issue(project, email=WRONG)
    return issue(project, email=WRONG)[0].student


def test_the_links_of_the_wrong_address_end_with_its_correction(
    project: Project, student: Student
) -> None:
    _, url = issue(project, email=WRONG)

    assert student.correct_email(f" {RIGHT.upper()} ", **WHO) == 3

    assert (student.email, student.email_key) == (RIGHT.upper(), RIGHT)
    assert not Student.objects.filter(email_key=WRONG).exists()
    assert student.links.filter(cancelled_at=None).count() == 0
    assert Browser().get(url).status == 410
    event = AuditEvent.objects.get(action="student.email_corrected")
    assert (event.object_id, event.reason) == (f"student-{student.pk}", WHY)
    assert event.details == {"changes": {"email": None}}
    assert AuditEvent.objects.get(action="link.cancelled").object_id == f"student-{student.pk}"
    kept = str(list(AuditEvent.objects.values()) + list(AssessmentLink.objects.values()))
    assert "roa@" not in kept


def test_partners_find_the_student_by_the_right_address_only(
    project: Project, student: Student, api: Backend
) -> None:
    student.correct_email(RIGHT, **WHO)

    def read(email: str) -> Any:
        return json.loads(api.post(STATUS, api.body(STATUS, email=email)).content)

    assert [each["State"] for each in read(RIGHT)["Links"]] == ["cancelled"] * 2
    nobody = json.loads(api.post(STATUS, api.body(STATUS, email="nobody@example.com")).content)
    assert read(WRONG) == nobody
    assert json.loads(api.results(email=WRONG).content) == []


def test_nothing_that_was_started_moves(project: Project, student: Student) -> None:
    link, _ = issue(project, email=WRONG)
    use(link)

    with pytest.raises(HasStarted):
        student.correct_email(RIGHT, **WHO)

    student.refresh_from_db()
    assert student.email == WRONG
    assert student.links.filter(cancelled_at=None).count() == 3
    assert not AuditEvent.objects.filter(action="student.email_corrected").exists()


def test_an_address_that_has_a_student_is_refused(project: Project, student: Student) -> None:
    issue(project, email=RIGHT)

    with pytest.raises(AddressTaken):
        student.correct_email(RIGHT, **WHO)

    student.refresh_from_db()
    assert student.email == WRONG
    assert AssessmentLink.objects.exclude(cancelled_at=None).count() == 0


@pytest.mark.parametrize(
    "email",
    ["", "asha", "asha@", "ash\N{LATIN SMALL LETTER A WITH ACUTE}@example.com", WRONG.upper()],
)
def test_an_address_that_is_none_or_the_same_is_refused(student: Student, email: str) -> None:
    with pytest.raises(ValueError, match="not|own"):
        student.correct_email(email, **WHO)

    student.refresh_from_db()
    assert student.email == WRONG


def test_an_erased_student_and_a_reason_with_a_name_are_refused(student: Student) -> None:
    with pytest.raises(ReasonNamesThePerson):
        student.correct_email(RIGHT, actor="command:tests", reason=f"sent to {WRONG}")
    student.erase(actor="command:tests")
    with pytest.raises(HasStarted):
        student.correct_email(RIGHT, actor="command:tests")


def test_support_corrects_it_and_gets_a_fresh_link(
    support: Client, project: Project, student: Student
) -> None:
    page = address("correct_email", student)
    assert support.get(page).status_code == 200

    answer = support.post(page, {"email": RIGHT, "reason": WHY})

    assert "no-store" in answer.headers["Cache-Control"]
    landing = Browser().get(shown_link(answer))
    assert landing.status == 200
    assert student_at(project, RIGHT).links.filter(cancelled_at=None).count() == 1
    events = AuditEvent.objects.filter(action__in=["student.email_corrected", "link.issued"])
    assert {event.reason for event in events} == {WHY}
    assert all(event.actor.startswith("staff:") for event in events)


def test_the_page_refuses_an_address_that_is_taken_and_a_student_who_has_started(
    support: Client, project: Project, student: Student
) -> None:
    page, sent = address("correct_email", student), {"email": RIGHT, "reason": WHY}
    use(issue(project, email=RIGHT)[0])

    taken = support.post(page, sent)
    use(issue(project, email=WRONG)[0])
    has_started = support.post(page, sent)

    student.refresh_from_db()
    assert (taken.status_code, has_started.status_code) == (200, 302)
    assert list(taken.context["form"].errors) == ["email"]
    assert student.email == WRONG


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("attempt", range(3))
def test_of_a_correction_and_a_start_at_once_one_happens(project: Project, attempt: int) -> None:
    link, url = issue(project, email=WRONG)
    student = link.student

    def start() -> int:
        data = {"token": token_of(url), "consent": "yes"}
        return Client().post(url.partition("?")[0], data).status_code

    corrected, started = race([partial(student.correct_email, RIGHT, **WHO), start])

    student.refresh_from_db()
    if started == 303:
        assert isinstance(corrected, HasStarted)
        assert student.email == WRONG
        assert Assessment.objects.count() == 1
    else:
        assert (started, corrected) == (410, 1)
        assert student.email == RIGHT
        assert not Assessment.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("email", [WRONG, RIGHT])
def test_links_requested_meanwhile_leave_each_student_with_one_address(
    project: Project, email: str
) -> None:
    """A request for the old address makes another student; one for the new may take it."""
    student = issue(project, email=WRONG)[0].student

    corrected, (link, _) = race(
        [partial(student.correct_email, RIGHT, **WHO), partial(issue, project, email=email)]
    )

    student.refresh_from_db()
    link.refresh_from_db()
    keys = list(Student.objects.values_list("email_key", flat=True))
    assert len(set(keys)) == len(keys)
    if isinstance(corrected, AddressTaken):
        assert (email, student.email) == (RIGHT, WRONG)
        assert student.links.exclude(cancelled_at=None).count() == 0
    else:
        assert student.email == RIGHT
        if link.student != student:
            assert link.student.email == WRONG
            assert link.cancelled_at is None
