"""The counted days as a CSV file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assessments.charts import arithmetic
from assessments.charts.days import COUNTS, Period
from assessments.models.statistics import ProjectDay, Scope
from assessments.support.spreadsheet import csv_lines

OUTCOME = "low_effort"
HEADERS = {
    "links_issued": "linksIssued",
    "links_expired": "linksExpired",
    "links_cancelled": "linksCancelled",
    OUTCOME: "lowEffort",
}


def csv_file(scope: Scope, period: Period, *, with_outcomes: bool) -> Iterator[str]:
    """Yield the lines of a CSV file: a row for each counted day, of a partner for each project.

    `medianMinutes` is empty if no attempt was completed, or its duration is no longer kept.
    """
    counts = [name for name in COUNTS if with_outcomes or name != OUTCOME]
    named = [HEADERS.get(name, name) for name in counts]
    header = ["day", "partner", "project", "projectId", *named, "medianMinutes"]
    rows = ProjectDay.objects.of_scope(scope).between(period.first, period.last)
    found = rows.select_related("project__partner").defer("courses", "stopped", "languages")
    ordered = found.order_by("day", "project__name", "project")
    return csv_lines(header, (_cells(row, counts) for row in ordered))


def _cells(row: ProjectDay, counts: list[str]) -> list[Any]:
    project = row.project
    whose = [project.partner.name, project.name, project.project_id] if project else ["", "", ""]
    minutes = arithmetic.median({int(each): count for each, count in row.durations.items()})
    numbers = [getattr(row, name) for name in counts]
    return [f"{row.day}", *whose, *numbers, "" if minutes is None else minutes]
