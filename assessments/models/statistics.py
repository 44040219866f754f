"""Statistics of each project by day, counted by a command and never live."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Count, Min, Q, Sum
from django.utils import timezone

from assessments.charts import arithmetic
from assessments.charts.dashboard_report import Report, report, share
from assessments.charts.days import Counted, Period, together
from assessments.models.banks import ItemBank
from assessments.models.items import Item
from partners.models import Partner, Project

# The command runs once an hour, so after two hours it has probably failed.
STALE_AFTER = timedelta(hours=2)
# The longest period offered by a number of days, 90, and the 90 days before it for comparison.
DETAILS_KEPT = timedelta(days=180)
# Comparing the projects of everybody reads a row a day of each, so it needs a short period.
MOST_DAYS_OF_ALL = 92
MOST_COMPARED = 50


@dataclass(frozen=True)
class Scope:
    """Whose figures: of a project, of all projects of a partner, or of all together."""

    project: Project | None = None
    partner: Partner | None = None


@dataclass(frozen=True)
class ProjectSums:
    """The sums of one project, beside those of others."""

    project: Project
    links_issued: int
    started: int
    completed: int
    abandoned: int

    @property
    def completion_rate(self) -> str:
        """The share of ended attempts that were completed, as the headline has it."""
        return share(self.completed, self.completed + self.abandoned)

    @property
    def percent(self) -> int | None:
        """The completion rate in whole percent; None if too few attempts ended."""
        found = arithmetic.percent(self.completed, self.completed + self.abandoned)
        return None if found is None else round(found)


class ProjectDayQuerySet(models.QuerySet["ProjectDay"]):
    def of(self, project: Project | None) -> Self:
        """Return the days of a project, or of all projects together for None."""
        return self.filter(project=project)

    def of_scope(self, scope: Scope) -> Self:
        """Return the days of a project, of each project of a partner, or of all together."""
        if scope.partner:
            return self.filter(project__partner=scope.partner)
        return self.of(scope.project)

    def between(self, first: date, last: date) -> Self:
        """Return days from the first to the last, both included."""
        return self.filter(day__range=(first, last))

    def last_counted_at(self) -> datetime | None:
        """Return when days were last counted, or None."""
        return self.of(None).order_by("-day").values_list("counted_at", flat=True).first()


class ProjectDay(models.Model):
    """The events of one project, or of all, on one day (UTC). Past days are final."""

    project = models.ForeignKey(
        Project,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="days",
        db_index=False,
        help_text="None: all projects together.",
    )
    day = models.DateField()
    counted_at = models.DateTimeField()
    links_issued = models.PositiveIntegerField(default=0)
    links_expired = models.PositiveIntegerField(default=0, help_text="Unused, by their expiry.")
    links_cancelled = models.IntegerField(default=0)
    started = models.PositiveIntegerField(default=0)
    completed = models.PositiveIntegerField(default=0)
    abandoned = models.PositiveIntegerField(default=0, help_text="Left, replaced or out of time.")
    low_effort = models.PositiveIntegerField(default=0, help_text="Completed, with a flag.")
    durations = models.JSONField(
        default=dict, help_text="Completed attempts by the nearest minute."
    )
    courses = models.JSONField(default=dict, help_text="Recommendations by course name.")
    stopped = models.JSONField(
        default=dict, help_text="Abandoned attempts by the section where they stopped."
    )
    languages = models.JSONField(
        default=dict,
        help_text="Attempts started, completed and abandoned, by language.",
    )

    objects = ProjectDayQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        verbose_name = "figures of a day"
        verbose_name_plural = "figures"
        indexes: ClassVar = [
            # Projects beside each other.
            models.Index(fields=["day"], name="projectday_day"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["project", "day"], name="projectday_once_a_project"),
            models.UniqueConstraint(
                fields=["day"],
                name="projectday_once_for_all",
                condition=Q(project__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project_id or 'all'} {self.day}"


@dataclass(frozen=True)
class Figures:
    """The report of a dashboard, and how complete it is.

    `missing` is the number of its days that were not counted although earlier days were.
    `lacks_details` is true if details of its first days were deleted.
    """

    report: Report
    counted_at: datetime
    is_stale: bool
    missing: int
    lacks_details: bool


def figures(
    scope: Scope, period: Period, compared: Period, at: datetime | None = None
) -> Figures | None:
    """Return the figures of whole days, beside those of other days; None if none was counted yet.

    They include today's, apart, if the period ends yesterday.
    """
    at = at or timezone.now()
    today = at.astimezone(UTC).date()
    all_projects = ProjectDay.objects.of(None)
    counted_at = ProjectDay.objects.last_counted_at()
    if counted_at is None:
        return None
    counted = all_projects.aggregate(
        first=Min("day"), days=Count("pk", filter=Q(day__range=(period.first, period.last)))
    )
    to_be_counted = max(0, (period.last - max(counted["first"], period.first)).days + 1)
    days = _days(scope, period.first, period.last + timedelta(days=1))
    is_current = period.last + timedelta(days=1) == today
    before = None
    if counted["first"] <= compared.first:
        before = _days(scope, compared.first, compared.last)
    kept_from = today - DETAILS_KEPT
    return Figures(
        report=report(
            [day for day in days if day.day <= period.last],
            period,
            _sections(),
            settings.LANGUAGES,
            today=[day for day in days if day.day == today] if is_current else None,
            before=before,
            compared=compared,
            kept_from=kept_from,
        ),
        counted_at=counted_at,
        is_stale=at - counted_at > STALE_AFTER,
        missing=to_be_counted - counted["days"],
        lacks_details=period.first < kept_from,
    )


def _days(scope: Scope, first: date, last: date) -> Sequence[Counted]:
    """Return a row for each counted day; of a partner, the sum of its projects."""
    rows = list(ProjectDay.objects.of_scope(scope).between(first, last))
    if scope.partner:
        return together(rows)
    return rows


def week(at: datetime | None = None) -> Figures | None:
    """Return the last seven whole days of all projects; None if nothing was counted yet."""
    at = at or timezone.now()
    period = Period.before(at.astimezone(UTC).date(), 7)
    return figures(Scope(), period, period.just_before, at)


def beside_each_other(scope: Scope, period: Period) -> list[ProjectSums] | None:
    """Return the sums of a partner's projects, or of those of all, most starts first.

    Return at most MOST_COMPARED; None for a single project, and for those of all over more than
    MOST_DAYS_OF_ALL days.
    """
    if scope.project or (not scope.partner and len(period.days) > MOST_DAYS_OF_ALL):
        return None
    rows = ProjectDay.objects.filter(project__isnull=False).between(period.first, period.last)
    if scope.partner:
        rows = rows.filter(project__partner=scope.partner)
    sums = {name: Sum(name) for name in ("links_issued", "started", "completed", "abandoned")}
    most = list(
        rows.order_by()
        .values("project")
        .annotate(**sums)
        .order_by("-started", "-links_issued", "project")
        .values_list("project", *sums)[:MOST_COMPARED]
    )
    projects = Project.objects.select_related("partner").in_bulk([key for key, *_ in most])
    return [ProjectSums(projects[key], *counts) for key, *counts in most]


def _sections() -> list[tuple[str, str]]:
    """Return codes and English titles of the sections of the current bank.

    Without a bank, return those of `Item.Section`.
    """
    try:
        sections = ItemBank.objects.current().layout.sections
    except ItemBank.DoesNotExist:
        return [(str(code), str(name)) for code, name in Item.Section.choices]
    return [(section.code, section.title["en"]) for section in sections]
