"""A link went to the wrong address: the address is corrected, and nothing started continuations."""

from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from assessments.models import AssessmentLink, Attempt, Student
from assessments.models.students import ReasonNamesThePerson
from partners.models import AuditEvent, Refused
from tests.assessments.attempts import issue, token_of, use
from tests.assessments.link_actions import WHY, address, shown_link
from tests.assessments.partner import RESULTS, STATUS
from tests.factories import BY
from tests.support.threads import race

pytestmark = [pytest.mark.usefixtures("bank")]
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
