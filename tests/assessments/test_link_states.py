"""A link: always a new one, known by a digest; its state follows from timestamps alone."""

import hashlib
import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import IntegrityError, connection, transaction

from assessments.models import AssessmentLink, Student
from assessments.models.links import LinkStarted, LinkState, LinkUnavailable
from partners.models import Refused
from partners.models.audit import Actor
from tests.assessments.attempts import (
    DETAILS,
    issue,
    marked_completed,
    new_browser_token,
    token_of,
    use,
)
from tests.factories import BY, ProjectFactory, issued_token

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)
# The project's links can be started for a quarter of an hour, its attempts finished for a day.
EXPIRY, FINISH_BY = timedelta(minutes=15), timedelta(hours=24)

pytestmark = pytest.mark.usefixtures("bank")


@pytest.fixture
def project(db):
    return ProjectFactory.create(start_by_minutes=15, finish_by_hours=24)


@pytest.fixture
def link(project):
    return issue(project, at=AT)[0]


def again(link):
    return AssessmentLink.objects.get(pk=link.pk)


def happen(link, *events):
    for event in events:
        match event:
            case "start":
                use(link, at=AT)
            case "complete":
                marked_completed(link.attempt, AT)
            case "leave":
                link.attempt.abandon(AT)
            case "cancel":
                link.cancel(reason="wrong address", at=AT, by=BY)
            case "close" | "reopen":
                getattr(link.project, event)(at=AT, by=BY)


@pytest.mark.parametrize(
    ("events", "after", "state"),
    [
        ([], EXPIRY - MILLISECOND, LinkState.UNUSED),
        ([], EXPIRY, LinkState.EXPIRED),
        ([], EXPIRY + MILLISECOND, LinkState.EXPIRED),
        (["start"], timedelta(0), LinkState.IN_PROGRESS),
        (["start"], EXPIRY + MILLISECOND, LinkState.IN_PROGRESS),
        (["start"], FINISH_BY - MILLISECOND, LinkState.IN_PROGRESS),
        (["start"], FINISH_BY, LinkState.ABANDONED),
        (["start", "leave"], timedelta(0), LinkState.ABANDONED),
        (["start", "complete"], timedelta(0), LinkState.COMPLETED),
        (["start", "complete"], timedelta(days=300), LinkState.COMPLETED),
        (["start", "close"], timedelta(0), LinkState.IN_PROGRESS),
        (["close"], timedelta(0), LinkState.PROJECT_CLOSED),
        (["close", "reopen"], timedelta(0), LinkState.UNUSED),
        (["cancel"], timedelta(0), LinkState.CANCELLED),
        (["cancel", "close"], EXPIRY, LinkState.CANCELLED),
    ],
)
def test_the_state_of_a_link_and_whether_another_browser_can_start_it(
    link, rows, events, after, state
):
    happen(link, *events)
    before = rows()

    assert again(link).state_at(AT + after) == state
    can_start = AssessmentLink.objects.unused(AT + after).exists()
    assert can_start is (state in {LinkState.UNUSED, LinkState.PROJECT_CLOSED})
    if state == LinkState.UNUSED:
        attempt = use(again(link), at=AT + after)
        found = again(link)
        assert (found.attempt, found.used_at) == (attempt, AT + after)
    else:
        with pytest.raises(LinkUnavailable) as refused:
            use(again(link), at=AT + after)
        assert refused.value.state == state
        assert rows() == before


@pytest.mark.sqlite
@pytest.mark.parametrize("events", [["start"], ["start", "complete"], ["cancel"], []])
def test_only_an_unused_link_is_cancelled(link, rows, events):
    happen(link, *events)
    links, project = AssessmentLink.objects, link.project
    act = {"at": AT if events else AT + EXPIRY, "by": Actor("token:tok_aaaaaaaaaaaaaaaa")}
    before = rows()

    with pytest.raises(Refused):
        again(link).cancel(reason="once more", **act)
    assert links.cancel_for_email(project, DETAILS["email"], **act) == 0
    if "start" in events:
        with pytest.raises(LinkStarted):
            links.cancel_named(project, str(link.link_id), **act)
    else:
        assert links.cancel_named(project, str(link.link_id), **act) == 0
    assert rows() == before


@pytest.mark.parametrize(
    ("meanwhile", "state"),
    [
        ("start", LinkState.IN_PROGRESS),
        ("cancel", LinkState.CANCELLED),
        ("expire", LinkState.IN_PROGRESS),
    ],
)
def test_the_update_itself_refuses_a_link_that_changed_after_it_was_checked(
    link, rows, monkeypatch, meanwhile, state
):
    """Whatever was read before, the row count of the one conditional update decides."""
    stale = again(link)
    happen(link, meanwhile)
    if meanwhile == "expire":
        AssessmentLink.objects.update(expires_at=AT + MILLISECOND)
    before = rows()
    monkeypatch.setattr(AssessmentLink, "state_at", lambda link, at: LinkState.UNUSED)

    with pytest.raises(LinkUnavailable) as refused:
        use(stale, start="again", at=AT + MILLISECOND)

    assert refused.value.state == state
    assert rows() == before


def test_started_in_the_same_browser_twice_is_one_attempt(link):
    browser_token = new_browser_token()
    first = use(link, browser_token, at=AT)

    assert use(link, browser_token, at=AT + timedelta(hours=1)) == first


def test_a_link_is_found_by_its_token_in_its_project_alone(project, other_project):
    link, url = issue(project)

    assert AssessmentLink.objects.for_token(project.project_id, token_of(url)) == link
    with pytest.raises(AssessmentLink.DoesNotExist):
        AssessmentLink.objects.for_token(other_project.project_id, token_of(url))


def test_what_is_no_token_is_refused_without_a_query(project, django_assert_num_queries):
    with django_assert_num_queries(0), pytest.raises(AssessmentLink.DoesNotExist):
        AssessmentLink.objects.for_token(project.project_id, "x" * 44)


@pytest.mark.sqlite
def test_the_list_of_links_filters_by_the_state_that_it_shows(project, staff):
    histories = (["start"], ["start", "complete"], ["start", "leave"], ["cancel"], [])
    for number, events in enumerate(histories):
        happen(issue(project, at=AT, email=f"s{number}@example.com")[0], *events)
    issue(project, at=AT - EXPIRY, email="late@example.com")
    closed = issue(ProjectFactory.create(), at=AT)[0]
    happen(closed, "close")
    with time_machine.travel(AT, tick=False):
        reader = staff("assessments.view_assessmentlink")

        def listed(**asked):
            page = reader.get("/admin/assessments/assessmentlink/", asked)
            return [link.state_at(AT) for link in page.context["cl"].result_list]

        assert {state: listed(state=state.value) for state in LinkState} == {
            state: [state] for state in LinkState
        }


ISSUED = datetime(2026, 11, 21, 9, 30, 0, 123457, tzinfo=UTC)
HOUR = timedelta(hours=1)
CHANGED = {"name": "Asha R. Rao", "email": "Asha.Rao@EXAMPLE.com", "mobile": "080-1234567"}
ODD = {"name": "Ñ 日本 'x'; --", "email": "o'neil+%s@bücher.example", "mobile": "(022) 123 456"}


def test_a_link_and_its_student_are_stored_as_given(project, rows):
    """The token is known by its digest only, the student by a key of the address."""
    project.start_by_minutes = 90
    project.save()
    token, _ = issued_token(project)

    link, link_token = AssessmentLink.objects.issue(
        project, **DETAILS | {"email": "Asha.Rao@Example.COM"}, access_token=token, at=ISSUED
    )

    found = rows(Student, AssessmentLink)
    email = {"email_key": "asha.rao@example.com", "email": "Asha.Rao@Example.COM"}
    assert found["Student"] == [
        {
            **{"id": link.student_id, "project_id": project.pk, "created_at": ISSUED, **email},
            **{"name": "Asha Rao", "mobile": "+919876543201"},
        }
    ]
    assert found["AssessmentLink"] == [
        {
            **{"id": link.pk, "link_id": link.link_id, "student_id": link.student_id},
            **{"access_token_id": token.pk, "reference": "", "attempt_id": None},
            "token_digest": hashlib.sha256(link_token.encode()).hexdigest(),
            **{"name": "Asha Rao", "mobile": "+91 98765 43201", "used_at": None},
            **{"issued_at": ISSUED, "expires_at": ISSUED + 1.5 * HOUR, "cancelled_at": None},
        }
    ]
    assert not hasattr(link, "token")
    assert re.fullmatch("lnk_[A-Za-z0-9]{16}", str(link.link_id))
    shown = f"{link!r} {link} {link.student!r} {link.student}"
    assert "asha" not in shown.lower()


def test_a_further_link_changes_the_student_but_no_earlier_link(project, rows):
    first, _ = issue(project, at=ISSUED)
    before = rows(AssessmentLink)["AssessmentLink"]

    second, _ = issue(project, at=ISSUED + HOUR, **CHANGED)

    assert rows(AssessmentLink)["AssessmentLink"][:1] == before
    assert second.student == first.student
    assert (second.name, second.mobile) == ("Asha R. Rao", "080-1234567")
    student = Student.objects.get()
    assert (student.name, student.mobile) == ("Asha R. Rao", "+91801234567")


def issue_each(details):
    """Issue a link for each of the details in a fresh project; return the rows, without keys."""
    project = ProjectFactory.create()
    token, _ = issued_token(project)
    for number, given in enumerate(details):
        details = given | {"reference": f"student-{number}"}
        used = token if number % 2 else None
        link, link_token = AssessmentLink.objects.issue(
            project, **details, access_token=used, at=ISSUED + number * HOUR
        )
        assert link == AssessmentLink.objects.for_token(project.project_id, link_token)
        assert link.student.project == project
    drawn = {"id", "project_id", "student_id", "link_id", "token_digest"}
    students = Student.objects.filter(project=project).order_by("pk").values()
    links = AssessmentLink.objects.filter(student__project=project).order_by("pk").values()
    return [
        {name: value for name, value in row.items() if name not in drawn}
        | {"access_token_id": "the token" if row.get("access_token_id") == token.pk else None}
        for row in [*students, *links]
    ]


on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQL of PostgreSQL")


@on_postgresql
@pytest.mark.parametrize(
    "details",
    [[DETAILS], [DETAILS, DETAILS], [DETAILS, CHANGED, ODD], [ODD, DETAILS, ODD, CHANGED]],
    ids=["first", "same-again", "changed", "odd"],
)
def test_the_one_statement_of_postgresql_stores_what_the_orm_stores(details, monkeypatch):
    by_hand = issue_each(details)
    queryset = type(AssessmentLink.objects.all())
    monkeypatch.setattr(queryset, "_store_at_once", queryset._store_by_the_orm)

    assert by_hand == issue_each(details)
    assert len(by_hand) == len(details) + len({given["email"].lower() for given in details})


@on_postgresql
def test_a_link_that_the_database_refuses_leaves_no_student(project):
    with pytest.raises(IntegrityError), transaction.atomic():
        AssessmentLink.objects.issue(project, name="", email="a@b.example", mobile="1", at=ISSUED)

    assert not Student.objects.exists()
    assert not AssessmentLink.objects.exists()
