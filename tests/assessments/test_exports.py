"""A project's results as a file: a finished attempt a row, in CSV and JSON, page after page."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assessments.measurement.scales import INTERESTS, PREFERENCES
from assessments.models import Assessment, PrivateLink, Student
from assessments.support import exports
from partners.models import AuditEvent, Project
from tests.assessments.attempts import (
    answer_until,
    completed,
    copies,
    issue,
    marked_completed,
    started,
)
from tests.assessments.partner import Backend
from tests.factories import CourseFactory

pytestmark = pytest.mark.usefixtures("bank")
AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
DAY = timedelta(days=1)
WHO = "command:tests"


def export(project: Project, file: exports.Format = "csv", **arguments: Any) -> str:
    return "".join(exports.results(project, file, **{"actor": WHO, "at": AT + DAY} | arguments))


def cells(file: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file.removeprefix("\ufeff"), newline="")))


def run(*arguments: str) -> str:
    stdout = io.StringIO()
    call_command("export_results", *arguments, stdout=stdout, stderr=io.StringIO())
    return stdout.getvalue()


@pytest.fixture
def done(project: Project) -> Assessment:
    """Give a completed attempt of 90 seconds."""
    CourseFactory.create(project=project, name="Botany", order=1)
    CourseFactory.create(project=project, name="Welding; basics", order=2)
    attempt = answer_until(started(project, AT), 6, AT)
    return completed(attempt, AT + timedelta(seconds=90))


def test_a_completed_attempt_is_a_row_with_its_figures(done: Assessment, project: Project) -> None:
    [row] = cells(export(project))

    assert list(row) == list(exports.COLUMNS)
    profile = done.profile or {}
    assert row == {
        "AssessmentId": done.assessment_id,
        "email": "asha.rao@example.com",
        "name": "Asha Rao",
        "Status": "Completed",
        "startedAt": "2026-11-21T09:30:00Z",
        "endedAt": "2026-11-21T09:31:30Z",
        "AssessmentDuration": "1m 30s",
        "Recommendations": "\n".join(done.recommended_names),
        "language": "en",
        "lowEffort": "\n".join(done.flags),
        **{f"interest_{n}": str(profile["interests"][n]["mean"]) for n in INTERESTS},
        **{
            f"aptitude_{n}": str(profile["aptitude"][n]["theta"])
            if n in profile["aptitude"]
            else ""
            for n in ("overall", "numerical", "abstract", "verbal")
        },
        **{f"preference_{n}": str(profile["preferences"][n]["mean"]) for n in PREFERENCES},
    }
    # A name may hold any sign, and is whole again in a list.
    assert row["Recommendations"].split("\n") == ["Botany", "Welding; basics"]


def test_json_has_every_value_as_it_is(done: Assessment, project: Project) -> None:
    Student.objects.update(name="=1+1", email="=cmd@x.co")

    [row] = json.loads(export(project, "json"))

    [record] = json.loads(Backend.of(project).results(email="asha.rao@example.com").content)
    assert {name: row[name] for name in record} == record
    assert set(row) == set(exports.COLUMNS)
    assert (row["name"], row["email"]) == ("=1+1", "=cmd@x.co")
    assert row["Recommendations"] == ["Botany", "Welding; basics"]
    assert row["lowEffort"] == done.flags
    assert row["startedAt"] == "2026-11-21T09:30:00Z"
    assert row["interest_social"] == (done.profile or {})["interests"]["social"]["mean"]


def test_in_csv_nothing_is_executed(done: Assessment, project: Project) -> None:
    Student.objects.update(name="@SUM(A1)", email="=cmd@x.co")
    Assessment.objects.update(recommendations=[{"name": "B"}, {"name": "=HYPERLINK(1)"}])

    file = export(project)

    [row] = cells(file)
    assert (row["name"], row["email"]) == ("'@SUM(A1)", "'=cmd@x.co")
    assert row["Recommendations"] == "B\n'=HYPERLINK(1)"
    assert all(line.startswith('"') for line in file.removeprefix("\ufeff").split("\r\n")[:-1])


def test_only_this_projects_finished_attempts(
    done: Assessment, project: Project, other_project: Project
) -> None:
    marked_completed(started(other_project, AT), AT)
    started(project, AT + DAY, email="still.open@example.com")

    assert [row["AssessmentId"] for row in cells(export(project))] == [done.assessment_id]


@pytest.mark.parametrize(
    ("since", "found"),
    [(date(2026, 11, 21), 3), (date(2026, 11, 22), 1), (date(2026, 11, 23), 0)],
)
def test_since_a_day_counts_the_end(project: Project, since: date, found: int) -> None:
    completed(started(project, AT), AT)
    left = started(project, AT, email="b@example.com")
    left.abandon(datetime(2026, 11, 21, 23, 59, tzinfo=UTC))
    started(project, AT, email="c@example.com")

    assert len(cells(export(project, since=since))) == found


def test_an_erased_student_is_a_row_without_a_name(done: Assessment, project: Project) -> None:
    Student.objects.get().erase(actor=WHO)

    [row] = cells(export(project))
    [as_json] = json.loads(export(project, "json"))

    assert (row["AssessmentId"], row["email"], row["name"]) == (done.assessment_id, "", "")
    assert (as_json["email"], as_json["name"]) == (None, None)
    assert row["Status"] == "Completed"


@pytest.mark.parametrize("file", ["csv", "json"])
def test_it_reads_a_page_at_a_time(
    done: Assessment, project: Project, monkeypatch: pytest.MonkeyPatch, file: exports.Format
) -> None:
    """Two queries a page, none of them before it is asked for, and no cursor that stays open."""
    copies(done, 9)
    monkeypatch.setattr(exports, "PAGE", 4)

    with CaptureQueriesContext(connection) as queries:
        pieces = exports.results(project, file, at=AT + 2 * DAY, actor=WHO)
        before = len(queries)
        first = [next(pieces), next(pieces)]
        after_two = len(queries)
        rest = list(pieces)

    assert before == 2  # the count and the line in the audit trail
    assert after_two == 4
    assert len(queries) == 2 + 2 * 3 + 1
    assert not [query["sql"] for query in queries if "CURSOR" in query["sql"]]
    text = "".join([*first, *rest])
    rows = json.loads(text) if file == "json" else cells(text)
    assert len({row["AssessmentId"] for row in rows}) == 10


def test_the_audit_trail_says_how_many_and_since_when(done: Assessment, project: Project) -> None:
    export(project)
    export(project, "json", since=date(2026, 11, 1))

    events = AuditEvent.objects.filter(action="results.exported").order_by("pk")
    assert [event.reason for event in events] == [
        "csv, attempts 1",
        "json, attempts 1, ended since 2026-11-01",
    ]
    assert {(event.object_id, event.actor, event.project) for event in events} == {
        (project.project_id, WHO, project)
    }


# --- the command


def test_the_command_prints_the_file_alone(done: Assessment, project: Project) -> None:
    assert [row["AssessmentId"] for row in cells(run(project.project_id))] == [done.assessment_id]
    assert json.loads(run(project.project_id, "--json"))[0]["AssessmentId"] == done.assessment_id
    assert cells(run(project.project_id, "--since", "2100-01-01")) == []
    assert AuditEvent.objects.filter(action="results.exported").count() == 3


# --- everything about one person


def person(*arguments: str) -> dict[str, Any]:
    stdout = io.StringIO()
    call_command("export_student", *arguments, stdout=stdout, stderr=io.StringIO())
    printed: dict[str, Any] = json.loads(stdout.getvalue())
    return printed


def test_all_about_one_student(done: Assessment, project: Project) -> None:
    issue(project)
    AuditEvent.record("student.read", done.student, actor="staff:7")

    told = person(project.project_id, "asha.rao@example.com")

    assert (told["project"], told["name"]) == (project.project_id, "Asha Rao")
    assert (told["email"], told["mobile"]) == ("asha.rao@example.com", "+919876543210")
    assert [link["mobile"] for link in told["links"]] == ["+91 98765 43210"] * 2
    [attempt] = told["assessments"]
    assert attempt["assessment_id"] == done.assessment_id
    assert attempt["status"] == "Completed"
    assert attempt["kept_until"] == "2028-11-21"
    assert attempt["profile"] == done.profile
    assert len(attempt["answers"]) == done.answers.count()
    columns = {"position", "item", "text", "choice", "shown_at", "answered_at", "replaced_at"}
    assert columns == set(attempt["answers"][0])
    assert [event["action"] for event in told["audit_events"]] == [
        "results.exported",
        "student.read",
    ]


def test_private_links_are_in_it_but_no_digest_and_nobody_else(
    done: Assessment, project: Project
) -> None:
    other = completed(started(project, AT, email="b@example.com", name="Mira Sen"), AT)
    private_link, key = PrivateLink.objects.make(done, with_puzzles=True, seen="", at=AT)

    told = person(project.project_id, "asha.rao@example.com")

    [link] = told["assessments"][0]["private_links"]
    assert link.keys() == {"created_at", "expires_at", "ended_at", "with_puzzles"}
    assert link["with_puzzles"] is True
    text = json.dumps(told)

    assert other.assessment_id not in text
    assert "Mira" not in text
    assert done.browser_digest not in text
    assert done.links.get().token_digest not in text
    assert private_link.key_digest not in text
    assert key not in text
