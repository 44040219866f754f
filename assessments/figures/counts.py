"""Count links, starts and ends by project and day, and find the students who have not finished.

Nothing is stored: deleting rows lowers the counts of old days. A day is one of the project's time
zone. An attempt that was not finished in time ended at its finish-by.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import date, datetime, time, timedelta
from operator import add
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Exists, OuterRef, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone

from assessments.models import AssessmentLink, Attempt, LinkEvent
from assessments.models.ended import ENDED_AT
from assessments.models.links import AssessmentLinkQuerySet
from assessments.models.students import NOT_ERASED
from partners.models import Project
from partners.spreadsheet import csv_lines
from partners.times import rfc3339

# A percentage of fewer attempts is mostly chance.
FEWEST_FOR_PERCENT = 10
CSV_HEADER = [
    *("day", "partner", "project", "projectId"),
    *("linksIssued", "started", "completed", "abandoned", "completionRate"),
]
PAGE = 500  # rows in memory at once
UNFINISHED_HEADER = ("Reference", "LinkId", "IssuedAt", "Until", "State", "Answered")


@dataclass
class Counts:
    issued: int = 0
    started: int = 0
    completed: int = 0
    abandoned: int = 0

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
        for project, day, n in _count_groups(issued, "student__project", "issued_at", zone):
            counts[project, day].issued = n
        for project, day, n in _count_groups(started, "project_id", "started_at", zone):
            counts[project, day].started = n
        for project, day, n, completed in _count_groups(
            ended, "project_id", ENDED_AT, zone, completed=Count("completed_at")
        ):
            counts[project, day].completed = completed
            counts[project, day].abandoned = n - completed
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


def _count_groups(
    rows: QuerySet[Any], project: str, time_column: Any, zone: str, **more_counts: Count
) -> Iterable[tuple[Any, ...]]:
    days = rows.order_by().annotate(day=TruncDate(time_column, tzinfo=ZoneInfo(zone)))
    counts = days.values(project, "day").annotate(n=Count("pk"), **more_counts)
    groups: Iterable[tuple[Any, ...]] = counts.values_list(project, "day", "n", *more_counts)
    return groups


def counts_as_csv(counts: DayCounts) -> Iterator[str]:
    projects = Project.objects.select_related("partner").in_bulk({key for key, _ in counts})
    rows = []
    for (key, day), n in counts.items():
        project = projects[key]
        rate = round(100 * n.completed / n.ended, 1) if n.ended else ""
        group = (day.isoformat(), project.partner.name, project.name, project.project_id)
        rows.append((*group, n.issued, n.started, n.completed, n.abandoned, rate))
    # By day, then by project.
    return csv_lines(CSV_HEADER, sorted(rows, key=lambda row: (row[0], row[2], row[3])))


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A student's newest link, and how far they got."""

    link: AssessmentLink
    state: str
    until: datetime  # the end of the time to start the link, or to continue the attempt
    answered: int | None = None  # None without an attempt


def unfinished_links(
    project: Project, first: date, last: date, *, started: bool | None = None
) -> AssessmentLinkQuerySet:
    """Return the newest links, issued on these days, of students who have not finished.

    `started` selects those who have, or have not, started an attempt.
    """
    begin, end = day_bounds(first, last, project.time_zone)
    attempts = Attempt.objects.filter(student=OuterRef("student"))
    links = AssessmentLink.objects.filter(
        NOT_ERASED, student__project=project, issued_at__gte=begin, issued_at__lt=end
    )
    if started is not None:
        links = links.filter(Exists(attempts) if started else ~Exists(attempts))
    return links.newest_of_each().exclude(Exists(attempts.completed()))


def unfinished_as_csv(links: AssessmentLinkQuerySet, at: datetime) -> Iterator[str]:
    def rows() -> Iterator[list[str]]:
        last = 0
        while page := list(links.filter(pk__gt=last).order_by("pk")[:PAGE]):
            for student in describe_unfinished(page, at):
                link = student.link
                answered = "" if student.answered is None else str(student.answered)
                times = rfc3339(link.issued_at), rfc3339(student.until)
                yield [link.reference, link.link_id, *times, student.state, answered]
            last = page[-1].pk

    return csv_lines(UNFINISHED_HEADER, rows())


def describe_unfinished(links: Sequence[AssessmentLink], at: datetime) -> list[Unfinished]:
    """Describe students by an open attempt, else by an unused link, else by an ended attempt."""
    events = LinkEvent.objects.filter(link__in=links, kind="opened")
    opened = set(events.values_list("link_id", flat=True))
    attempts = Attempt.objects.filter(student__in=[link.student_id for link in links])
    newest = {row.student_id: row for row in attempts.with_answered().order_by("started_at")}
    students = []
    for link in links:
        attempt = newest.get(link.student_id)
        if attempt and (link.used_at or attempt.is_open(at)):
            state = attempt.status_at(at).label.lower()
            answered: int = attempt.answered  # type: ignore[attr-defined]  # annotated
            students.append(Unfinished(link, state, attempt.finish_by_at, answered))
            continue
        # An unused link has the state that the partner API gives it.
        state = "opened" if link.pk in opened else "unopened"
        if link.cancelled_at:
            state = "cancelled"
        elif at >= link.expires_at:
            state = "expired"
        students.append(Unfinished(link, state, link.expires_at))
    return students
