"""`purge` counts first what it would delete, and deletes that with --apply."""

from __future__ import annotations

import io
import json

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command

from assessments.management.commands import purge as purge_command
from assessments.models import Assessment, retention
from partners.models import AuditEvent, Project
from tests.assessments.attempts import issue
from tests.assessments.purging import AT, DAY, PURGED, done, purge, rows, snapshot
from tests.factories import ProjectFactory, StudentFactory

pytestmark = pytest.mark.usefixtures("bank", "clocks_agree")


def run(*arguments: str) -> tuple[str, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    right = ["--clock-is-right"] if "--apply" in arguments else []
    call_command("purge", *arguments, *right, stdout=stdout, stderr=stderr)
    return stdout.getvalue(), stderr.getvalue()


def test_the_forecast_says_what_the_deletion_does(project: Project, other_project: Project) -> None:
    issue(project, AT)
    done(project, AT)
    done(other_project, AT)
    issue(other_project, AT + 1000 * DAY)
    snapshot(project, "old", AT - 900 * DAY)
    StudentFactory.create(project=other_project)
    Session.objects.create(session_key="old", session_data="", expire_date=AT)
    at = AT + 1000 * DAY
    before = rows()

    expected = retention.forecast(at)

    assert rows() == before
    names: dict[int | None, str] = dict(Project.objects.values_list("pk", "project_id"))
    by_name = {names.get(pk, ""): dict(counts) for pk, counts in expected.items()}
    assert by_name == purge(at)
    assert by_name[project.project_id] == {
        "unused links": 1,
        "attempts": 1,
        "students": 2,
        "catalogues": 1,
    }
    assert by_name[other_project.project_id] == {"attempts": 1, "students": 2}
    assert by_name[""] == {"sessions": 1}


def test_with_apply_it_deletes_and_says_so(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "deploy")
    done(project, AT)

    with time_machine.travel(AT + 1000 * DAY, tick=False):
        stdout, stderr = run("--apply")
        nothing = run("--apply")

    assert rows() == [0, 0, 0, 0, 0]
    assert stdout == f"{project.project_id}: attempts 1, students 1\n"
    assert "Deleted: attempts 1, students 1." in stderr
    assert nothing == ("", "There is nothing to delete.\n")
    assert AuditEvent.objects.get(action=PURGED).actor == "command:deploy"


@pytest.mark.parametrize("apply", [False, True])
def test_as_json(project: Project, apply: bool) -> None:
    issue(project, AT)
    Session.objects.create(session_key="old", session_data="", expire_date=AT)

    with time_machine.travel(AT + 100 * DAY, tick=False):
        printed = json.loads(run("--json", *(["--apply"] if apply else []))[0])

    none = dict.fromkeys(
        (
            *("unusedLinks", "attempts", "students", "catalogues", "auditEvents"),
            *("refusedCalls", "webhookEvents", "sessions"),
        ),
        0,
    )
    assert printed == {
        "applied": apply,
        **none,
        "unusedLinks": 1,
        "students": 1,
        "sessions": 1,
        "projects": [
            {"projectId": None, **none, "sessions": 1},
            {"projectId": project.project_id, **none, "unusedLinks": 1, "students": 1},
        ],
    }


def test_more_than_a_twentieth_of_the_attempts_is_deleted_only_if_the_number_is_told(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong clock or a wrong retention must not delete a college's year in one night."""
    monkeypatch.setattr(purge_command, "FEW_ATTEMPTS", 3)
    for _ in range(3):
        done(project, AT)
    for _ in range(56):
        done(project, AT + 900 * DAY)

    with time_machine.travel(AT + 1000 * DAY, tick=False):
        with pytest.raises(CommandError, match="3 of 59 attempts .* more than 5%.*--attempts 3"):
            run("--apply")
        with pytest.raises(CommandError):
            run("--apply", "--attempts", "2")
        assert Assessment.objects.count() == 59
        done(project, AT + 900 * DAY)  # now it is a twentieth
        run("--apply")
        assert Assessment.objects.count() == 57


def test_the_number_told_is_deleted_and_tests_are_not_counted(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(purge_command, "FEW_ATTEMPTS", 2)
    tests = ProjectFactory.create(is_test=True)
    for _ in range(5):
        done(tests, AT)
    done(project, AT)

    with time_machine.travel(AT + 1000 * DAY, tick=False):
        run("--apply")
    assert Assessment.objects.count() == 0
    for _ in range(2):
        done(project, AT)
    with time_machine.travel(AT + 1000 * DAY, tick=False):
        run("--apply", "--attempts", "2")
    assert Assessment.objects.count() == 0
