"""Issuing a link: always a new one, known by a digest, at an address that no header decides."""

import hashlib
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction

from assessments.models import AssessmentLink, Student
from tests.assessments.attempts import DETAILS, issue
from tests.factories import ProjectFactory, issued_token

AT = datetime(2026, 11, 21, 9, 30, 0, 123457, tzinfo=UTC)
HOUR = timedelta(hours=1)
CHANGED = {"name": "Asha R. Rao", "email": "Asha.Rao@EXAMPLE.com", "mobile": "080-1234567"}
ODD = {"name": "Ñ 日本 'x'; --", "email": "o'neil+%s@bücher.example", "mobile": "(022) 123 456"}

pytestmark = pytest.mark.django_db


def test_a_link_and_its_student_are_stored_as_given(project, rows):
    """The token is known by its digest only, the student by a key of the address."""
    project.start_by_minutes = 90
    project.save()
    token, _ = issued_token(project)

    link, link_token = AssessmentLink.objects.issue(
        project, **DETAILS | {"email": "Asha.Rao@Example.COM"}, access_token=token, at=AT
    )

    found = rows(Student, AssessmentLink)
    email = {"email_key": "asha.rao@example.com", "email": "Asha.Rao@Example.COM"}
    assert found["Student"] == [
        {
            **{"id": link.student_id, "project_id": project.pk, "created_at": AT, **email},
            **{"name": "Asha Rao", "mobile": "+919876543201"},
        }
    ]
    assert found["AssessmentLink"] == [
        {
            **{"id": link.pk, "link_id": link.link_id, "student_id": link.student_id},
            **{"access_token_id": token.pk, "reference": "", "attempt_id": None},
            "token_digest": hashlib.sha256(link_token.encode()).hexdigest(),
            **{"name": "Asha Rao", "mobile": "+91 98765 43201", "used_at": None},
            **{"issued_at": AT, "expires_at": AT + timedelta(minutes=90), "cancelled_at": None},
        }
    ]
    assert not hasattr(link, "token")
    assert re.fullmatch("lnk_[A-Za-z0-9]{16}", str(link.link_id))
    shown = f"{link!r} {link} {link.student!r} {link.student}"
    assert "asha" not in shown.lower()


def test_a_further_link_changes_the_student_but_no_earlier_link(project, rows):
    first, _ = issue(project, at=AT)
    before = rows(AssessmentLink)["AssessmentLink"]

    second, _ = issue(project, at=AT + HOUR, **CHANGED)

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
            project, **details, access_token=used, at=AT + number * HOUR
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
        AssessmentLink.objects.issue(project, name="", email="a@b.example", mobile="1", at=AT)

    assert not Student.objects.exists()
    assert not AssessmentLink.objects.exists()
