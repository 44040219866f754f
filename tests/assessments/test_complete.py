"""The last answer scores and completes the attempt: both or neither, exactly once."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assessments.catalogue.catalogue import Catalogue
from assessments.models import Attempt, CatalogueSnapshot, attempts
from assessments.models.attempts import AttemptEnded
from partners.models import AuditEvent, Project
from tests.assessments.attempts import (
    at_last_page,
    completed,
    inside,
    issue,
    last_choices,
    last_page,
    newest_of,
    started,
)
from tests.factories import BY, CourseFactory

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]


@pytest.fixture
def attempt(bank, project):
    CourseFactory.create(project=project, name="Botany")
    return at_last_page(started(project, AT), AT)


def complete(attempt, at=AT + timedelta(minutes=1)):
    recorded = attempt.record(last_page(attempt), last_choices(attempt), at)
    attempt.refresh_from_db()
    return recorded


def test_courses_that_are_withdrawn_or_of_another_project_are_not_recommended(
    attempt, project, other_project
):
    CourseFactory.create(project=project, name="Withdrawn", is_active=False)
    CourseFactory.create(project=other_project, name="Theirs")

    complete(attempt)

    assert attempt.recommended_names == ["Botany"]
    assert [course.name for course in attempt.catalogue.recommendable("both")] == ["Botany"]
    assert attempt.takers == "school-leavers"


def test_a_completion_reads_no_course_but_the_catalogue_that_the_last_change_kept(attempt, project):
    rows = [{"code": name, "name": name, "fields": ["nature"]} for name in ("Botany", "Zoology")]
    Catalogue(project).load(rows, by=BY)
    attempt.catalogue = CatalogueSnapshot.objects.current(project)
    assert attempt.catalogue.recommendable("both")

    with CaptureQueriesContext(connection) as queries:
        complete(attempt)

    of_courses = [each["sql"] for each in queries if "assessments_course" in each["sql"]]
    assert not of_courses
    assert not [each for each in queries if '"courses"' in each["sql"]]
    assert set(attempt.recommended_names) == {"Botany", "Zoology"}


def test_the_newest_catalogue_is_the_current_one_whatever_a_servers_clock_says(project):
    late = AT + timedelta(days=1)
    Catalogue(project).load([{"code": "A", "name": "Botany"}], by=BY, at=late)
    Catalogue(project).load([{"code": "B", "name": "Zoology"}], by=BY, at=AT)

    [course] = CatalogueSnapshot.objects.current(project).kept_courses

    assert course.code == "B"
    assert AuditEvent.objects.filter(action="courses.loaded").latest("at").at > late


def test_courses_for_others_are_as_if_they_were_not_in_the_catalogue(bank, project, other_project):
    """They need no other subjects, and aptitude is not compared with what they ask."""
    asked = {"numerical_level": 3, "numerical_importance": 2}
    for each in (project, other_project):
        for name in ("Botany", "Physics"):
            easier = {} if name == "Botany" else {**asked, "numerical_level": 1}
            CourseFactory.create(project=each, name=name, code=name, **easier)
    CourseFactory.create(project=project, name="M.Sc.", entry_level="degree", **asked)
    CourseFactory.create(
        project=project, name="M.A.", entry_level="degree", required_streams=["arts"]
    )

    attempt, alone = (completed(started(each, AT), AT) for each in (project, other_project))

    assert alone.recommended_names
    scores = [[each["score"] for each in one.recommendations] for one in (attempt, alone)]
    assert (attempt.recommended_names, scores[0]) == (alone.recommended_names, scores[1])
    assert "other_subjects" not in attempt.profile


def test_the_setting_is_that_of_the_completion(attempt, project):
    CourseFactory.create(project=project, name="M.Sc.", entry_level="degree")
    Project.objects.update(takers="graduates")
    attempt = Attempt.objects.get()

    complete(attempt)

    assert (attempt.takers, attempt.recommended_names) == ("graduates", ["M.Sc."])


def test_a_catalogue_is_stored_once_however_many_attempts_share_it(bank, project, other_project):
    course = CourseFactory.create(project=project)
    one, two = (completed(started(project, AT, email=f"{n}@example.com"), AT) for n in range(2))
    course.name = "Renamed"
    course.save()
    later = completed(started(project, AT, email="later@example.com"), AT)
    other = completed(started(other_project, AT), AT)

    assert one.catalogue == two.catalogue != later.catalogue
    assert other.catalogue.project == other_project
    assert CatalogueSnapshot.objects.count() == 3


def test_an_end_from_elsewhere_undoes_the_last_page(attempt, rows, monkeypatch):
    """What the row was when it was locked does not matter: the conditional update decides."""
    attempt.abandon(AT)
    monkeypatch.setattr(Attempt, "is_open", lambda attempt, at: True)
    before = rows()

    with pytest.raises(AttemptEnded):
        complete(attempt)

    assert rows() == before


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_the_last_page_sent_again_leads_to_the_result_unless_it_differs(
    bank, project, browser, rows, accept
):
    """T5, T9 and M6: an answer that got lost on the way is sent again, unchanged."""
    browser.start(issue(project)[1])
    at_last_page(Attempt.objects.get())
    page = browser.open(home := inside("attempt", newest_of(project)))

    def send(choice):
        chosen = dict.fromkeys(page.form.questions, choice)
        return browser.send(page, chosen, HTTP_ACCEPT=accept)

    first, before = send("3"), rows()
    again, late = send("3"), send("5")

    for answer in (first, again):
        if accept == "text/html":
            assert (answer.status, answer.location) == (303, f"{home}/result")
        else:
            assert answer.response.json() == {"next": f"{home}/result"}
    assert Attempt.objects.get().completed_at is not None
    assert (late.status, late.name) == (409, "error-409")
    assert f'href="{home}"' in late.text
    assert rows() == before


def test_an_attempt_whose_end_a_listener_refuses_stays_open_without_the_last_answers(
    attempt, monkeypatch
):
    def refuse(*end):
        raise ZeroDivisionError

    monkeypatch.setattr(attempts, "end_listeners", [refuse])

    with pytest.raises(ZeroDivisionError):
        complete(attempt)

    attempt.refresh_from_db()
    assert attempt.completed_at is None
    assert not attempt.answers.filter(position__gte=last_page(attempt)).exclude(choice=None)
