"""The page that exports a project's results as a file. test_exports.py has what is in it."""

import csv
import io

import pytest
from django.utils import timezone

from partners.models import AuditEvent
from tests.assessments.attempts import marked_completed, started

pytestmark = pytest.mark.usefixtures("bank")


@pytest.fixture
def address(project):
    marked_completed(started(project))
    return f"/admin/assessments/figures/{project.pk}/export/"


@pytest.fixture
def exporter(staff):
    return staff("assessments.export_results")


def was_exported():
    return AuditEvent.objects.filter(action="results.exported").exists()


def test_csv_is_streamed_as_a_file(address, exporter, project):
    answer = exporter.post(address, {"file": "csv", "since": ""})

    text = answer.getvalue().decode().removeprefix("\ufeff")  # type: ignore[attr-defined]
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["email"] for row in rows] == ["asha.rao@example.com"]
    name = f"results-{project.project_id}-{timezone.now():%Y-%m-%d}.csv"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in answer.headers["Cache-Control"]
    event = AuditEvent.objects.get(action="results.exported")
    assert event.reason == "csv, attempts 1"
    assert event.actor.startswith("staff:")


@pytest.mark.parametrize("sent", [{"file": ""}, {"file": "xlsx"}, {"file": "csv", "since": "soon"}])
def test_another_format_or_no_date(address, exporter, sent):
    page = exporter.post(address, sent)

    assert list(page.context["form"].errors) == [list(sent)[-1]]
    assert not was_exported()
