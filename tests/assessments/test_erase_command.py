"""`erase_student` asks, erases one student of one project, and prints the receipt."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command

from assessments.models import Student
from partners.models import AuditEvent, Project
from partners.student_pages import ConsentMode
from tests.assessments.ages import GUARDIAN
from tests.assessments.attempts import DETAILS, issue
from tests.assessments.erasing import minor
from tests.factories import ProjectFactory

pytestmark = pytest.mark.usefixtures("bank")
VALUES = [*DETAILS.values(), "+919876543210", *GUARDIAN.values()]


@pytest.fixture
def project(db: None) -> Project:
    return ProjectFactory.create(consent_mode=ConsentMode.ASK)


@pytest.fixture
def student(project: Project) -> Student:
    return minor(project)


def run(*arguments: str) -> tuple[str, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    call_command("erase_student", *arguments, stdout=stdout, stderr=stderr)
    return stdout.getvalue(), stderr.getvalue()


def test_the_command_prints_the_receipt(student: Student, project: Project) -> None:
    stdout, stderr = run(project.project_id, DETAILS["email"], "--yes", "--reason", "by letter")

    student.refresh_from_db()
    assert stdout == f"{student.receipt}\n"
    assert AuditEvent.objects.get(action="student.erased").reason.endswith(": by letter")
    assert "links 3, attempts 2" in stderr
    assert not [value for value in VALUES if value in stdout + stderr]


@pytest.mark.parametrize("email", ["nobody@example.com", "not an address"])
def test_an_address_that_the_project_does_not_know(
    student: Student, project: Project, email: str
) -> None:
    other = issue(ProjectFactory.create(), email="nobody@example.com")[0].project

    with pytest.raises(CommandError, match="has no student with this e-mail address") as refusal:
        run(project.project_id, email, "--yes")

    assert refusal.value.returncode == 1
    assert email not in str(refusal.value)
    assert other.project_id not in str(refusal.value)
    assert not AuditEvent.objects.filter(action="student.erased").exists()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("typed", "erased"), [("\n", False), ("y\n", True)])
def test_it_asks_first_and_says_what_it_will_touch(
    student: Student,
    project: Project,
    monkeypatch: pytest.MonkeyPatch,
    typed: str,
    erased: bool,
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    stderr = io.StringIO()

    try:
        call_command(
            "erase_student",
            project.project_id,
            DETAILS["email"],
            stdout=io.StringIO(),
            stderr=stderr,
        )
    except CommandError as refusal:
        assert str(refusal) == "Nothing was changed."

    assert "Links: 3, of which 1 can still be started. Attempts: 2, of which 1 are open and 2" in (
        stderr.getvalue()
    )
    assert Student.objects.get().is_erased is erased


def test_without_a_terminal_it_wants_yes(student: Student, project: Project) -> None:
    with pytest.raises(CommandError, match="--yes"):
        run(project.project_id, DETAILS["email"])

    assert not Student.objects.get().is_erased


def test_the_command_refuses_a_reason_that_names_the_student(
    student: Student, project: Project
) -> None:
    with pytest.raises(CommandError):
        run(project.project_id, DETAILS["email"], "--yes", "--reason", "Asha Rao asked")

    assert not Student.objects.get().is_erased
