"""The check of the invariants finds each violation, planted here where no constraint forbids it."""

from __future__ import annotations

import contextlib
import copy
import io
from collections.abc import Callable
from datetime import timedelta
from typing import Any, cast

import pytest
from django.core.management import call_command
from django.db import transaction
from django.db.models import F, JSONField, Value

from assessments.models import (
    Answer,
    Assessment,
    AssessmentLink,
    CatalogueSnapshot,
    Item,
    ItemBank,
    Student,
)
from partners.models import AuditEvent, Project
from tests.assessments.attempts import completed, issue, use
from tests.assessments.partner import Backend
from tests.factories import AccessTokenFactory, CourseFactory, StudentFactory, issued_token
from tests.support import invariants
from tests.support.server import Service
from tokens.models import AccessToken

STAFF = "command:tests"

pytestmark = pytest.mark.django_db


@pytest.fixture
def lived_in(bank: ItemBank, project: Project) -> Project:
    """Give a project with a row of every kind, all as the service makes them."""
    CourseFactory.create(project=project)
    backend = Backend.of(project)
    backend.link()
    completed(use(AssessmentLink.objects.get()))
    use(issue(project, email="b@example.com")[0])
    successor, _ = backend.token.rotate(actor=STAFF)
    successor.revoke(actor=STAFF)
    return project


def finished() -> Any:
    return Assessment.objects.exclude(completed_at=None)


def plant_an_attempt_without_a_link() -> None:
    AssessmentLink.objects.filter(assessment__in=finished()).delete()


def plant_a_completed_attempt_with_a_gap() -> None:
    last = Answer.objects.filter(assessment__in=finished()).order_by("-position")[0]
    Answer.objects.filter(pk=last.pk).update(choice=None, answered_at=None)


def plant_an_empty_result() -> None:
    finished().update(profile={})


def plant_a_null_result() -> None:
    finished().update(profile=Value(None, JSONField()))


def plant_null_recommendations() -> None:
    # JSON's null, which is a value to the database
    finished().update(recommendations=Value(None, JSONField()))


def plant_forgotten_recommendations() -> None:
    finished().update(recommendations=[])


def plant_a_negative_duration() -> None:
    finished().update(completed_at=F("started_at") - timedelta(seconds=1))


def plant_an_answer_to_another_bank() -> None:
    bank = ItemBank.objects.get()
    content = copy.deepcopy(bank.to_file()) | {"version": "2026.9"}
    other, _ = ItemBank.objects.publish(content, actor=STAFF)
    Answer.objects.filter(position=1).update(item=Item.objects.filter(bank=other)[0])


def plant_a_gap_among_the_positions() -> None:
    # of the open attempt, which this leaves without its first answer
    open_one = Assessment.objects.get(completed_at=None)
    open_one.begin_section(1)
    open_one.answers.get(position=1).delete()


def plant_a_use_before_the_issue() -> None:
    AssessmentLink.objects.update(used_at=F("issued_at") - timedelta(microseconds=1))


def plant_a_use_at_the_expiry() -> None:
    AssessmentLink.objects.update(used_at=F("expires_at"))


def plant_another_projects_token() -> None:
    AssessmentLink.objects.update(access_token=issued_token()[0])


def plant_another_students_attempt() -> None:
    AssessmentLink.objects.filter(assessment__in=finished()).update(
        student=StudentFactory.create(project=Project.objects.get())
    )


def plant_another_projects_student() -> None:
    other, _ = issued_token()
    Student.objects.update(project=other.project)


def plant_another_projects_catalogue() -> None:
    other, _ = issued_token()
    CatalogueSnapshot.objects.update(project=other.project)


def plant_another_projects_successor() -> None:
    other, _ = issued_token()
    AccessToken.objects.exclude(replaces=None).update(project=other.project)


def plant_an_event_under_another_project() -> None:
    token, _ = issued_token()
    AuditEvent.record("token.noticed", AccessToken.objects.earliest("pk"), actor=STAFF)
    token.project = Project.objects.earliest("pk")
    AuditEvent.record("token.noticed", token, actor=STAFF)


def plant_an_unwritten_issue() -> None:
    AccessTokenFactory.create(project=Project.objects.get())


def plant_an_unwritten_rotation() -> None:
    token, _ = issued_token()
    AccessToken.objects.filter(pk=token.pk).update(
        rotated_at=token.issued_at, expires_at=token.issued_at
    )


def plant_an_unwritten_revocation() -> None:
    token, _ = issued_token()
    AccessToken.objects.filter(pk=token.pk).update(revoked_at=token.issued_at)


def plant_a_revocation_that_never_was() -> None:
    AuditEvent.record("token.revoked", issued_token()[0], actor=STAFF)


def plant_an_issue_that_never_was() -> None:
    AuditEvent.record("token.issued", AccessToken(token_id="tok_0", project_id=None), actor=STAFF)


PLANTED: dict[str, tuple[Callable[[], None], ...]] = {
    "I-1": (plant_an_attempt_without_a_link,),
    "I-3": (
        plant_a_completed_attempt_with_a_gap,
        plant_an_empty_result,
        plant_a_null_result,
        plant_null_recommendations,
        plant_forgotten_recommendations,
        plant_a_negative_duration,
    ),
    "I-4": (plant_an_answer_to_another_bank, plant_a_gap_among_the_positions),
    "I-5": (plant_a_use_before_the_issue, plant_a_use_at_the_expiry),
    "I-6": (
        plant_another_projects_token,
        plant_another_students_attempt,
        plant_another_projects_student,
        plant_another_projects_catalogue,
        plant_another_projects_successor,
        plant_an_event_under_another_project,
    ),
    "I-7": (
        plant_an_unwritten_issue,
        plant_an_unwritten_rotation,
        plant_an_unwritten_revocation,
        plant_a_revocation_that_never_was,
        plant_an_issue_that_never_was,
    ),
}


@pytest.mark.usefixtures("lived_in")
@pytest.mark.parametrize("number", PLANTED)
def test_each_violation_is_found(number: str) -> None:
    assert invariants.violations() == []

    for plant in PLANTED[number]:
        with transaction.atomic():
            plant()
            found = invariants.violations()
            transaction.set_rollback(True)
        assert found, plant
        assert {each.partition(" ")[0] for each in found} == {number}, (plant, found)


@pytest.mark.usefixtures("lived_in")
def test_an_end_that_was_changed_is_found() -> None:
    """I-2, for each thing that is final; an open attempt may change."""
    [ended], [open_one] = finished(), Assessment.objects.filter(completed_at=None)
    before = invariants.ends()
    final: tuple[Callable[[], Any], ...] = (
        lambda: finished().update(completed_at=F("completed_at") + timedelta(seconds=1)),
        lambda: finished().update(profile={"other": 1}),
        lambda: finished().update(recommendations=[]),
        lambda: Answer.objects.filter(assessment=ended, position=3).update(choice=2),
    )

    open_one.begin_section(1)

    assert invariants.changed(before, invariants.ends()) == []
    for change in final:
        with transaction.atomic():
            change()
            found = invariants.changed(before, invariants.ends())
            transaction.set_rollback(True)
        assert found == [f"I-2 {ended} had ended, and was changed"], change


def test_an_unfinished_end_that_was_changed_is_found(attempt: Assessment) -> None:
    """I-2: left, or out of time, is an end too."""
    attempt.abandon()
    left = invariants.ends()
    late = attempt.started_at - timedelta(hours=30)
    Assessment.objects.update(
        abandoned_at=None, started_at=late, finish_by_at=late + timedelta(hours=24)
    )
    out_of_time = invariants.ends()
    Assessment.objects.update(finish_by_at=late + timedelta(hours=48))

    assert invariants.changed(left, out_of_time) == [f"I-2 {attempt} had ended, and was changed"]
    assert invariants.changed(out_of_time, invariants.ends()) == [
        f"I-2 {attempt} had ended, and is open again, or gone"
    ]


class InThisProcess:
    """In place of a service: its commands run here, on the test's own database."""

    def manage(self, *arguments: str) -> str:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            call_command(*arguments)
        return printed.getvalue()


@pytest.mark.usefixtures("lived_in")
def test_a_service_is_asked_the_same() -> None:
    service = cast(Service, InThisProcess())
    plant_an_unwritten_revocation()

    assert invariants.violations_of(service) == invariants.violations() != []
    assert invariants.ends_of(service) == invariants.ends() != {}
