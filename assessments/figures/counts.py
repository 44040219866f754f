"""Count links issued, attempts started and attempts ended, by project and day, and students.

Everything is counted when it is asked for, from the rows that are kept: `purge` lowers the counts
of old days. A day is one of its project's time zone. An attempt that was not finished in time
ended at its finish-by.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone

from assessments.models import Assessment, AssessmentLink
from assessments.models.retention import ENDED_AT
from partners.models import Project
from partners.spreadsheet import csv_lines

# A percentage of fewer is mostly chance.
FEWEST_FOR_PERCENT = 10
CSV_HEADER = [
    *("day", "partner", "project", "projectId"),
    *("linksIssued", "started", "completed", "abandoned", "completionRate"),
]


@dataclass
class Counts:
    issued: int = 0
    started: int = 0
    completed: int = 0
    abandoned: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.issued + other.issued,
            self.started + other.started,
            self.completed + other.completed,
            self.abandoned + other.abandoned,
        )

    @property
    def ended(self) -> int:
        return self.completed + self.abandoned

    @property
    def completion_rate(self) -> str:
        """Completed as a share of ended: "78.5 %", "3 of 4" of few, "" of none."""
        if self.ended < FEWEST_FOR_PERCENT:
            return f"{self.completed} of {self.ended}" if self.ended else ""
        return f"{round(100 * self.completed / self.ended, 1):g} %"


DayCounts = Mapping[tuple[int, date], Counts]


def day_bounds(first: date, last: date, zone: str) -> tuple[datetime, datetime]:
    """Return the beginning of the first day and the end of the last in a time zone."""
    begin, end = (
        datetime.combine(day, time(), ZoneInfo(zone)) for day in (first, last + timedelta(days=1))
    )
    return begin, end


def count_by_day(
    projects: QuerySet[Project], first: date, last: date, at: datetime | None = None
) -> DayCounts:
    """Return the counts by project key and day, without days on which nothing happened.

    Makes three queries for each time zone of the projects. Test projects are left out.
    """
    at = at or timezone.now()
    counts: defaultdict[tuple[int, date], Counts] = defaultdict(Counts)
    for zone, keys in _by_zone(projects):
        begin, end = day_bounds(first, last, zone)
        # Keys, because with a subquery PostgreSQL misjudges a partner's rows: ten times slower.
        links = AssessmentLink.objects.filter(student__project__in=keys)
        attempts = Assessment.objects.filter(project_id__in=keys)
        issued = links.filter(issued_at__gte=begin, issued_at__lt=end)
        started = attempts.filter(started_at__gte=begin, started_at__lt=end)
        ended = attempts.alias(ended_at=ENDED_AT).filter(
            ended_at__gte=begin, ended_at__lt=end, ended_at__lte=at
        )
        for project, day, n in _group(issued, "student__project", "issued_at", zone):
            counts[project, day].issued = n
        for project, day, n in _group(started, "project_id", "started_at", zone):
            counts[project, day].started = n
        for project, day, n, completed in _group(
            ended, "project_id", ENDED_AT, zone, completed=Count("completed_at")
        ):
            counts[project, day].completed = completed
            counts[project, day].abandoned = n - completed
    return counts


def count_students(projects: QuerySet[Project], first: date, last: date) -> Counts:
    """Return how many students started and how many completed an attempt on these days, once each.

    Makes two queries for each time zone of the projects. Test projects are left out.
    """
    found = Counts()
    for zone, keys in _by_zone(projects):
        begin, end = day_bounds(first, last, zone)
        students = Assessment.objects.filter(project_id__in=keys).values("student").distinct()
        found.started += students.filter(started_at__gte=begin, started_at__lt=end).count()
        found.completed += students.filter(completed_at__gte=begin, completed_at__lt=end).count()
    return found


def _by_zone(projects: QuerySet[Project]) -> Iterable[tuple[str, list[int]]]:
    """Return the time zones of these projects, and the keys in each, without test projects."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for key, zone in projects.filter(is_test=False).values_list("pk", "time_zone"):
        found[zone].append(key)
    return found.items()


def _group(
    rows: QuerySet[Any], project: str, moment: Any, zone: str, **more: Count
) -> Iterable[tuple[Any, ...]]:
    day = TruncDate(moment, tzinfo=ZoneInfo(zone))
    groups = (
        rows.order_by().annotate(day=day).values(project, "day").annotate(n=Count("pk"), **more)
    )
    found: Iterable[tuple[Any, ...]] = groups.values_list(project, "day", "n", *more)
    return found


def csv_file(counts: DayCounts) -> Iterator[str]:
    """Yield the lines of a CSV file: a row for each day and project with an event."""
    projects = Project.objects.select_related("partner").in_bulk({key for key, _ in counts})
    rows = []
    for (key, day), each in counts.items():
        project = projects[key]
        rate = round(100 * each.completed / each.ended, 1) if each.ended else ""
        whose = (day.isoformat(), project.partner.name, project.name, project.project_id)
        rows.append((*whose, each.issued, each.started, each.completed, each.abandoned, rate))
    # By day, then by project.
    return csv_lines(CSV_HEADER, sorted(rows, key=lambda row: (row[0], row[2], row[3])))
