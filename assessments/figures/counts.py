"""Count links, starts and ends by project and day.

Nothing is stored: deleting rows lowers the counts of old days. A day is one of the project's time
zone. An attempt that was not finished in time ended at its finish-by.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass
from datetime import date, datetime, time, timedelta
from operator import add
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone

from assessments.models import AssessmentLink, Attempt
from assessments.models.ended import ENDED_AT
from partners.models import Project
from partners.spreadsheet import csv_lines

# A percentage of fewer attempts is mostly chance.
FEWEST_FOR_PERCENT = 10
CSV_HEADER = [
    *("day", "partner", "project", "projectId"),
    *("linksIssued", "started", "completed", "abandoned", "completionRate", "unlisted"),
]


@dataclass
class Counts:
    issued: int = 0
    started: int = 0
    completed: int = 0
    abandoned: int = 0
    unlisted: int = 0  # attempts whose student thinks of a course that is not listed

    def __add__(self, other: Counts) -> Counts:
        return Counts(*map(add, astuple(self), astuple(other)))

    @property
    def ended(self) -> int:
        return self.completed + self.abandoned

    @property
    def completion_rate(self) -> str:
        """Completed as a share of ended: "78.5 %", or "3 of 4" of few, or "" of none."""
        if self.ended < FEWEST_FOR_PERCENT:
            return f"{self.completed} of {self.ended}" if self.ended else ""
        return f"{round(100 * self.completed / self.ended, 1):g} %"


DayCounts = Mapping[tuple[int, date], Counts]
# What is counted of the attempts that ended on a day.
ENDS = {
    "completed": Count("completed_at"),
    "abandoned": Count("pk", filter=Q(completed_at=None)),
    "unlisted": Count("pk", filter=Q(considers_unlisted=True)),
}


def day_bounds(first: date, last: date, zone: str) -> tuple[datetime, datetime]:
    midnight = time(tzinfo=ZoneInfo(zone))
    return datetime.combine(first, midnight), datetime.combine(last + timedelta(days=1), midnight)


def count_by_day(
    projects: QuerySet[Project], first: date, last: date, at: datetime | None = None
) -> DayCounts:
    """Return the counts by project key and day, without test projects and days with no event."""
    at = at or timezone.now()
    counts: defaultdict[tuple[int, date], Counts] = defaultdict(Counts)
    for zone, keys in _keys_by_zone(projects):
        begin, end = day_bounds(first, last, zone)
        # Keys: with a subquery, PostgreSQL misjudges the number of rows and takes ten times longer.
        links = AssessmentLink.objects.filter(student__project__in=keys)
        attempts = Attempt.objects.filter(project_id__in=keys)
        issued = links.filter(issued_at__gte=begin, issued_at__lt=end)
        started = attempts.filter(started_at__gte=begin, started_at__lt=end)
        ended = attempts.alias(ended_at=ENDED_AT).filter(
            ended_at__gte=begin, ended_at__lt=end, ended_at__lte=at
        )
        counted: Any = (
            (issued, "student__project", "issued_at", {"issued": Count("pk")}),
            (started, "project_id", "started_at", {"started": Count("pk")}),
            (ended, "project_id", ENDED_AT, ENDS),
        )
        for rows, project, time_column, sums in counted:
            days = rows.order_by().annotate(day=TruncDate(time_column, tzinfo=ZoneInfo(zone)))
            groups = days.values(project, "day").annotate(**sums)
            for key, day, *values in groups.values_list(project, "day", *sums):
                for name, value in zip(sums, values, strict=True):
                    setattr(counts[key, day], name, value)
    return counts


def count_students(projects: QuerySet[Project], first: date, last: date) -> Counts:
    counts = Counts()
    for zone, keys in _keys_by_zone(projects):
        begin, end = day_bounds(first, last, zone)
        students = Attempt.objects.filter(project_id__in=keys).values("student").distinct()
        counts.started += students.filter(started_at__gte=begin, started_at__lt=end).count()
        counts.completed += students.filter(completed_at__gte=begin, completed_at__lt=end).count()
    return counts


def _keys_by_zone(projects: QuerySet[Project]) -> Iterable[tuple[str, list[int]]]:
    keys: defaultdict[str, list[int]] = defaultdict(list)
    for key, zone in projects.filter(is_test=False).values_list("pk", "time_zone"):
        keys[zone].append(key)
    return keys.items()


def counts_as_csv(counts: DayCounts) -> Iterator[str]:
    projects = Project.objects.select_related("partner").in_bulk({key for key, _ in counts})
    rows = []
    for (key, day), n in counts.items():
        project = projects[key]
        rate = round(100 * n.completed / n.ended, 1) if n.ended else ""
        group = (day.isoformat(), project.partner.name, project.name, project.project_id)
        rows.append((*group, n.issued, n.started, n.completed, n.abandoned, rate, n.unlisted))
    # By day, then by project.
    return csv_lines(CSV_HEADER, sorted(rows, key=lambda row: (row[0], row[2], row[3])))
