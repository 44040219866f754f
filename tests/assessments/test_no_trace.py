"""A dump of the database holds six values of a person before the erasure, none after."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse

from assessments.models import Assessment, AssessmentLink, Student
from assessments.models.digests import secret_digest
from assessments.models.students import ReasonNamesThePerson
from partners.models import Project
from partners.student_pages import ConsentMode
from tests.assessments.attempts import answer_until, completed, token_of
from tests.assessments.partner import Backend
from tests.factories import ProjectFactory
from tests.support.browser import Browser

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("bank")]

PERSON = {
    "name": "Zarina Quill-Xavier",
    "email": "Zarina.Quill@Example.com",
    "mobile": "+91 98290 17365",
}
STAFF = "staff:7"
GUARDIAN = {"guardian_name": "Wilhelmina Quill", "guardian_contact": "wil.quill@example.org"}


def dump() -> str:
    """Return all that the database holds, by every column of every table."""
    quoted = connection.ops.quote_name
    lines = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {quoted(table)}")  # noqa: S608  our own tables
            lines.append(f"{table} {cursor.fetchall()!r}")
    return "\n".join(lines)


def found(values: dict[str, str], text: str) -> list[str]:
    return [name for name, value in values.items() if value.lower() in text.lower()]


@pytest.fixture
def project() -> Project:
    return ProjectFactory.create(consent_mode=ConsentMode.ASK)


@pytest.fixture
def planted(project: Project) -> dict[str, str]:
    """Let a minor go every way that leaves a trace, and staff try to leave one in a reason.

    Give what is known of them.
    """
    api, browser = Backend.of(project), Browser()
    url = api.link(**PERSON).json()["redirect-url"]
    browser.start(url, consent="yes", age="minor", **GUARDIAN)
    completed(Assessment.objects.get())
    again = api.link(**PERSON).json()["redirect-url"]
    Browser().open(again)
    browser.start(again, consent="yes", age="minor", start="again", **GUARDIAN)
    answer_until(Assessment.objects.open().get(), 6)
    student = Student.objects.get()
    for act in (
        partial(AssessmentLink.objects.issue_by_staff, student),
        Assessment.objects.open().get().close,
    ):
        for value in (*PERSON.values(), *GUARDIAN.values()):
            with pytest.raises(ReasonNamesThePerson):
                act(reason=f"{value} asked for it", actor=STAFF)
        act(reason="asked for it on the phone", actor=STAFF)
    third = api.link(**PERSON).json()["redirect-url"]
    browser.start(third, consent="yes", age="minor", start="again", **GUARDIAN)
    answer_until(Assessment.objects.open().get(), 6)
    unused = api.link(**PERSON).json()["redirect-url"]
    Browser().open(unused)
    api.results(email=PERSON["email"])
    return {
        **PERSON,
        "number": "+919829017365",
        **GUARDIAN,
        "digest": secret_digest(token_of(unused)),
        "digest of a used link": secret_digest(token_of(url)),
        "browser": Assessment.objects.order_by("pk")[0].browser_digest,
    }


def look_at_everything(student: Student, admin_user: User) -> Client:
    """Let staff search for the student and open the pages on them."""
    staff = Client()
    staff.force_login(admin_user)
    for model, row in (
        ("student", student),
        ("assessmentlink", student.links.all()[0]),
        ("assessment", student.assessments.all()[0]),
    ):
        assert staff.get(reverse(f"admin:assessments_{model}_change", args=[row.pk])).status_code
        staff.get(reverse(f"admin:assessments_{model}_changelist"))
    find: Any = reverse("admin:assessments_assessmentlink_find")
    for question in (PERSON["email"], PERSON["mobile"]):
        staff.post(find, {"q": question})
    return staff


def test_a_dump_holds_the_person_before_and_nothing_after(
    planted: dict[str, str], admin_user: User
) -> None:
    student = Student.objects.get()
    staff = look_at_everything(student, admin_user)
    assert found(planted, dump()) == list(planted)

    staff.post(reverse("admin:assessments_student_erase", args=[student.pk]), {"reason": "letter"})

    student.refresh_from_db()
    assert student.is_erased
    assert found(planted, dump()) == []
    look_at_everything(student, admin_user)
    # The search goes by the address; nothing keeps what was searched for.
    assert found(planted, dump()) == []


def test_a_refused_reason_is_kept_nowhere(planted: dict[str, str], admin_user: User) -> None:
    staff = Client()
    staff.force_login(admin_user)
    address = reverse("admin:assessments_student_erase", args=[Student.objects.get().pk])

    refused = staff.post(address, {"reason": f"{PERSON['name']} asked, number 47-11"})

    assert "names the person" in refused.content.decode()
    assert "number 47-11" not in dump()
