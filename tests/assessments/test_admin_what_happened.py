"""Staff read from the lists and pages what became of a link and an attempt, and click on."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from assessments.measurement.scales import FACETS
from assessments.models import Assessment, AssessmentLink, Course
from partners.models import Project
from tests.assessments.attempts import completed, issue, started, use

pytestmark = pytest.mark.usefixtures("bank")


@pytest.fixture
def staff(admin_user: User) -> Client:
    client = Client()
    client.force_login(admin_user)
    return client


def page(staff: Client, name: str, *args: int) -> str:
    response = staff.get(reverse(f"admin:assessments_{name}", args=args))
    assert response.status_code == 200
    return response.content.decode()


def test_an_earlier_link_of_a_moved_attempt_is_taken_over(project: Project, staff: Client) -> None:
    first, _ = issue(project)
    second, _ = issue(project)
    use(first)
    use(second)

    listed = page(staff, "assessmentlink_changelist")

    assert listed.count(f"taken over by link #{second.pk}") == 1
    assert listed.count(">in use<") == 1
    assert f"taken over by link #{second.pk}" in page(staff, "assessmentlink_change", first.pk)


def leave(attempt: Assessment) -> None:
    attempt.abandon()


def start_again(attempt: Assessment) -> None:
    use(issue(attempt.student.project)[0], start="again")


def close(attempt: Assessment) -> None:
    attempt.close(reason="a test of the partner's", actor="command:tests")


def erase(attempt: Assessment) -> None:
    attempt.student.erase(actor="command:tests")


def run_out(attempt: Assessment) -> None:
    Assessment.objects.filter(pk=attempt.pk).update(
        started_at=timezone.now() - timedelta(hours=30),
        finish_by_at=timezone.now() - timedelta(hours=6),
    )


@pytest.mark.parametrize(
    ("end", "words", "said"),
    [
        (leave, "left by the student", "The student left the assessment"),
        (start_again, "started again with a newer link", "The student started again"),
        (run_out, "not finished in time", "The student did not finish in time"),
        (close, "closed by support", "Support closed the attempt"),
        (erase, "ended by the erasure", "This student was erased"),
    ],
)
def test_the_end_of_an_attempt_is_told_in_words(
    project: Project, staff: Client, end: Callable[[Assessment], None], words: str, said: str
) -> None:
    attempt = started(project)
    end(attempt)

    assert said in page(staff, "assessmentlink_change", attempt.links.get().pk)
    assert words in page(staff, "assessment_change", attempt.pk)


def test_an_attempt_that_was_left_before_the_erasure_stays_left(
    project: Project, staff: Client
) -> None:
    attempt = started(project)
    attempt.abandon()
    erase(attempt)
    attempt.refresh_from_db()

    shown = page(staff, "assessment_change", attempt.pk)

    assert attempt.how_it_ended() == "left by the student"
    assert "left by the student" in shown
    assert "<b>Erased</b>" in shown


def test_a_completed_attempt_says_so_and_an_open_one_is_open(
    project: Project, staff: Client
) -> None:
    done = completed(started(project))
    running = started(project, email="other@example.com")

    assert done.how_it_ended() == "completed"
    assert running.how_it_ended() == ""
    assert "still open" in page(staff, "assessment_change", running.pk)


def test_student_link_and_attempt_lead_to_each_other(project: Project, staff: Client) -> None:
    attempt = started(project)
    link = AssessmentLink.objects.get()
    addresses = {
        "student": reverse("admin:assessments_student_change", args=[attempt.student_id]),
        "link": reverse("admin:assessments_assessmentlink_change", args=[link.pk]),
        "attempt": reverse("admin:assessments_assessment_change", args=[attempt.pk]),
    }

    shown = {name: staff.get(address).content.decode() for name, address in addresses.items()}

    for name, html in shown.items():
        others = [address for other, address in addresses.items() if other != name]
        assert all(f'<a href="{address}"' in html for address in others)


def test_the_next_course_is_offered_for_the_same_project(project: Project, staff: Client) -> None:
    add = reverse("admin:assessments_course_add")
    course = {"project": project.pk, "code": "BOT", "name": "Botany", "order": "1"}
    ratings = {"realistic": 3, "investigative": 2, "artistic": 0}
    others = {"social": 0, "enterprising": 0, "conventional": 0, "is_active": "on"}
    levels = {f"{facet}_{what}": 0 for facet in FACETS for what in ("level", "importance")}

    response = staff.post(add, {**course, **ratings, **others, **levels, "_addanother": "1"})

    assert Course.objects.get().project == project
    assert response["Location"] == f"{add}?project={project.pk}"
