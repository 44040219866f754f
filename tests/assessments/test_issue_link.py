"""Issuing a link: always a new one, known by a digest, at an address that no header decides."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.forms.models import model_to_dict

from assessments.models import AssessmentLink, Student
from partners.models import Project
from tests.assessments.attempts import DETAILS, issue, token_of
from tests.factories import issued_token

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)

pytestmark = pytest.mark.django_db


def test_a_link_is_unused_and_lasts_as_long_as_its_project_says(project: Project) -> None:
    project.start_by_minutes = 90
    project.save()

    link, _ = issue(project, at=AT)

    row = AssessmentLink.objects.get()
    assert row == link
    assert row.issued_at == AT
    assert row.expires_at == AT + timedelta(minutes=90)
    assert row.used_at is None
    assert row.assessment is None


def test_a_link_lasts_72_hours_and_its_address_has_the_shape_of_the_contract(
    project: Project,
) -> None:
    link, url = issue(project, at=AT)

    assert link.expires_at == AT + timedelta(hours=72)
    assert re.fullmatch(
        rf"http://testserver/{project.project_id}/assessment\?token=[A-Za-z0-9_-]{{43}}", url
    )


def test_the_token_is_256_random_bits_and_only_its_digest_is_stored(project: Project) -> None:
    link, url = issue(project)

    token = token_of(url)
    row = AssessmentLink.objects.get()
    assert row.token_digest == hashlib.sha256(token.encode()).hexdigest()
    stored = " ".join(str(value) for value in model_to_dict(row).values())
    assert token not in stored
    assert not hasattr(link, "token")


def test_no_two_tokens_are_alike(project: Project) -> None:
    tokens = {token_of(issue(project)[1]) for _ in range(50)}

    assert len(tokens) == 50
    # 43 characters of 64 signs: none of them stands still.
    assert all(len({token[place] for token in tokens}) > 4 for place in range(43))


def test_every_call_makes_a_new_link_and_leaves_the_earlier_ones_alone(project: Project) -> None:
    first, first_url = issue(project, at=AT)
    before = model_to_dict(first)

    second, second_url = issue(project, at=AT + timedelta(hours=1))

    assert second.pk != first.pk
    assert second_url != first_url
    first.refresh_from_db()
    assert model_to_dict(first) == before
    assert first.student == second.student


def test_the_link_keeps_name_and_mobile_and_the_student_the_newest(project: Project) -> None:
    first, _ = issue(project, name="Asha Rao", mobile="+91 98765 43210")

    second, _ = issue(project, name="Asha R. Rao", mobile="080-1234567")

    first.refresh_from_db()
    student = Student.objects.get()
    assert (first.name, first.mobile) == ("Asha Rao", "+91 98765 43210")
    assert (second.name, second.mobile) == ("Asha R. Rao", "080-1234567")
    assert (student.name, student.mobile) == ("Asha R. Rao", "+91801234567")


def test_the_address_as_given_is_kept_and_known_by_its_key(project: Project) -> None:
    issue(project, email="Asha.Rao@Example.COM")

    student = Student.objects.get()
    assert student.email == "Asha.Rao@Example.COM"
    assert student.email_key == "asha.rao@example.com"


def test_the_link_says_which_token_asked_for_it(project: Project) -> None:
    token, _ = issued_token(project)

    link, _ = AssessmentLink.objects.issue(project, **DETAILS, access_token=token)

    link.refresh_from_db()
    assert link.access_token == token


def test_rows_say_nothing_of_the_person(project: Project) -> None:
    link, _ = issue(project)

    shown = f"{link!r} {link} {link.student!r} {link.student}"

    assert "Asha" not in shown
    assert "asha" not in shown
