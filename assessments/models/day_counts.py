"""Count the events of a day in all projects, with a fixed number of queries.

An event counts for the day (UTC) on which it happened: an issued link for the day of issue, an
attempt that ran out of time for the day of its finish-by. A past day is final, because staff can
extend only open attempts. Purged and erased rows stay counted, because settled days are recounted
only on request.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Unpack

from django.db import transaction
from django.db.models import Count, F, Min, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from assessments.charts.days import BEFORE_FIRST, COUNTS, OTHER_COURSES
from assessments.models.answers import Answer
from assessments.models.attempts import Assessment
from assessments.models.banks import ItemBank
from assessments.models.links import AssessmentLink
from assessments.models.statistics import ProjectDay
from partners.actor_context import ActorContext
from partners.models import AuditEvent

# A request reads the clock when it begins and writes a little later, perhaps after midnight.
SETTLED_AFTER = timedelta(minutes=10)
# The limit of courses counted by name. Only all projects together exceed it.
MOST_COURSES = 200
CHUNK = 500


@dataclass(frozen=True)
class Span:
    """A day, or the part of today up to now."""

    day: date
    at: datetime

    def has(self, column: str) -> Q:
        """Return the condition that a time lies in it."""
        begin = datetime.combine(self.day, time(), UTC)
        end = begin + timedelta(days=1)
        within = {f"{column}__gte": begin, f"{column}__lt": end}
        # Today includes future times, of links that will expire.
        return Q(**within, **({f"{column}__lte": self.at} if self.at < end else {}))


@dataclass
class Tally:
    """The figures of one project on one day, while they are being counted."""

    counts: Counter[str] = field(default_factory=Counter)
    durations: Counter[str] = field(default_factory=Counter)
    courses: Counter[str] = field(default_factory=Counter)
    stopped: Counter[str] = field(default_factory=Counter)
    languages: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, other: Tally) -> None:
        self.counts += other.counts
        self.durations += other.durations
        self.courses += other.courses
        self.stopped += other.stopped
        for code, counts in other.languages.items():
            self.languages[code] += counts

    def columns(self) -> dict[str, Any]:
        named = dict(self.courses.most_common(MOST_COURSES))
        if rest := self.courses.total() - sum(named.values()):
            named[OTHER_COURSES] = rest
        return {
            **{name: self.counts[name] for name in COUNTS},
            "durations": dict(self.durations),
            "courses": named,
            "stopped": dict(self.stopped),
            "languages": {code: dict(counts) for code, counts in self.languages.items()},
        }


COLUMNS = ("counted_at", *COUNTS, "durations", "courses", "stopped", "languages")
Tallies = dict[int, Tally]


def days_to_count(at: datetime | None = None, since: date | None = None) -> list[date]:
    """Return the days that are not final, or all since a day; always includes today.

    Days before the first link or attempt are left out.
    """
    at = at or timezone.now()
    today = at.astimezone(UTC).date()
    first = max(since, _first_event(at)) if since else _first_unsettled() or _first_event(at)
    return [first + timedelta(days=number) for number in range((today - first).days + 1)]


def count_days(
    days: list[date],
    at: datetime | None = None,
    progress: Callable[[int, date], None] | None = None,
) -> None:
    """Count these days one by one, each in its own transaction.

    Counting a day again replaces its figures; concurrent runs are safe. `progress` is called with
    the number of days done, and the last one.
    """
    at = at or timezone.now()
    for number, day in enumerate(days, start=1):
        _store(day, at, _tallies(Span(day, at)))
        if progress:
            progress(number, day)


def recount_days(
    days: list[date],
    at: datetime | None = None,
    progress: Callable[[int, date], None] | None = None,
    **context: Unpack[ActorContext],
) -> None:
    """Count these days on request of a person, and audit it; see `count_days`."""
    count_days(days, at, progress)
    newest = ProjectDay.objects.of(None).get(day=days[-1])
    span = f"{days[0]} to {days[-1]}" if len(days) > 1 else f"{days[0]}"
    details = {"counts": {"days": len(days)}}
    AuditEvent.record("figures.recounted", newest, reason=span, details=details, **context)


def _first_unsettled() -> date | None:
    """Return the first day whose figures may still change; None if nothing was counted."""
    newest = list(ProjectDay.objects.of(None).order_by("-day")[:7])
    for row in newest:
        end = datetime.combine(row.day, time(), UTC) + timedelta(days=1)
        if row.counted_at >= end + SETTLED_AFTER:
            return row.day + timedelta(days=1)
    return newest[-1].day if newest else None


def _first_event(at: datetime) -> date:
    """Return the day of the first link or attempt; today if there is none."""
    firsts: tuple[datetime | None, ...] = (
        AssessmentLink.objects.aggregate(first=Min("issued_at"))["first"],
        Assessment.objects.aggregate(first=Min("started_at"))["first"],
    )
    return min([at, *(first for first in firsts if first)]).astimezone(UTC).date()


def _tallies(span: Span) -> Tallies:
    """Count a day of all projects. Counts by name are read from the rows of that day."""
    tallies: Tallies = defaultdict(Tally)
    attempts, links = Assessment.objects.without_tests(), AssessmentLink.objects.without_tests()
    completed = attempts.completed().filter(span.has("completed_at"))
    counted: dict[str, QuerySet[Any]] = {
        "links_issued": links.filter(span.has("issued_at")),
        "links_expired": links.filter(span.has("expires_at"), used_at=None, cancelled_at=None),
        "links_cancelled": links.filter(span.has("cancelled_at")),
        "completed": completed,
        "low_effort": completed.flagged(),
    }
    for name, rows in counted.items():
        grouped = rows.order_by().values_list("student__project").annotate(n=Count("pk"))
        for project, count in grouped:
            tallies[project].counts[name] += count
    _read_started(tallies, attempts.filter(span.has("started_at")))
    _read_completed(tallies, completed)
    # Two queries, because each has its own index.
    _read_stopped(tallies, attempts.filter(span.has("abandoned_at")))
    out_of_time = attempts.filter(completed_at=None, abandoned_at=None)
    _read_stopped(tallies, out_of_time.filter(span.has("finish_by_at")))
    return tallies


def _read_started(tallies: Tallies, started: QuerySet[Assessment]) -> None:
    """Count the attempts started, together and by language."""
    groups = started.order_by().values_list("student__project", "language").annotate(n=Count("pk"))
    for project, language, count in groups:
        tallies[project].counts["started"] += count
        tallies[project].languages[language]["started"] += count


def _read_completed(tallies: Tallies, completed: QuerySet[Assessment]) -> None:
    """Count durations, recommended courses and languages."""
    rows = completed.annotate(of_project=F("student__project")).only(
        "started_at", "completed_at", "recommendations", "language"
    )
    for attempt in rows.iterator(CHUNK):
        tally = tallies[attempt.of_project]
        tally.durations[str(nearest_minute(attempt.duration))] += 1
        tally.languages[attempt.language]["completed"] += 1
        tally.courses.update(attempt.recommended_names)


def _read_stopped(tallies: Tallies, stopped: QuerySet[Assessment]) -> None:
    """Count abandoned attempts by the section of their first unanswered question."""
    answers = Answer.objects.filter(assessment=OuterRef("pk")).order_by()
    choices = answers.values("assessment").annotate(n=Count("choice")).values("n")
    # The count is null for attempts without any row of answers.
    groups = (
        stopped.order_by()
        .annotate(choices=Subquery(choices))
        .values_list("student__project", "bank", "language", "choices")
        .annotate(n=Count("pk"))
    )
    for project, bank, language, given, count in groups:
        tally = tallies[project]
        tally.counts["abandoned"] += count
        tally.languages[language]["abandoned"] += count
        if given is None:
            tally.stopped[BEFORE_FIRST] += count
        else:
            layout = ItemBank.cached(bank).layout
            tally.stopped[layout.section_at(min(given + 1, layout.total)).code] += count


def nearest_minute(duration: timedelta) -> int:
    """Return a duration in minutes; half a minute is rounded up."""
    return int(duration.total_seconds() + 30) // 60


@transaction.atomic
def _store(day: date, at: datetime, tallies: Tallies) -> None:
    """Write the rows of a day: one for all projects together, and one for each active project."""
    together = Tally()
    for tally in tallies.values():
        together.add(tally)
    # This row is written first, so that concurrent writers of the same day wait here. It is
    # separate because `unique_fields` cannot name its partial index.
    _, is_first = ProjectDay.objects.update_or_create(
        project=None, day=day, defaults={"counted_at": at, **together.columns()}
    )
    ProjectDay.objects.bulk_create(
        [
            ProjectDay(project_id=project, day=day, counted_at=at, **tallies[project].columns())
            for project in sorted(tallies)
        ],
        update_conflicts=True,
        unique_fields=["project", "day"],
        update_fields=COLUMNS,
    )
    if not is_first:
        of_projects = ProjectDay.objects.filter(day=day, project__isnull=False)
        of_projects.exclude(project__in=tallies).delete()
