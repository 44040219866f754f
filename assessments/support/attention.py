"""What needs somebody's attention, and where to act."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from statistics import median

from django.db import connection
from django.db.models import Count, Max, Q, Sum
from django.urls import reverse
from django.utils import timezone

from assessments.models import Course, ProjectDay, RefusedCall, WebhookEndpoint
from partners.archive import segments_waiting
from partners.models import LastSuccess, Partner, Project
from partners.models.last_successes import BACKUP, PERIODS, WEBHOOKS
from tokens.models import AccessToken, AccessTokenQuerySet, RotationReadiness

ENDS_SOON = timedelta(days=14)
# A partner has a week to use a new token.
USED_WITHIN = timedelta(days=7)
DAY = timedelta(days=1)
FORTNIGHT = timedelta(days=14)
MORE_REFUSED, FEWEST_REFUSED = 3, 20
# A partner is quiet after three times its usual gap between days with new links.
QUIET_GAPS, QUIET_FROM, LOOKED_BACK = 3, timedelta(days=7), timedelta(days=180)

# Files of the log, 16 MB each. There is one a minute at most while students are few.
MOST_WAITING = 10

VIEW_PROJECT = "partners.view_project"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that needs attention: what, and the page or the words to act on it.

    `permission` is needed to open the page. A finding about no single project has no `project_id`.
    """

    kind: str
    says: str
    act: str
    address: str = ""
    permission: str = VIEW_PROJECT
    project_id: str = ""


def attention(at: datetime | None = None) -> list[Finding]:
    """Return everything that needs attention now, the most urgent kinds first.

    Closed and test projects are left out.
    """
    at = at or timezone.now()
    return [finding for check in CHECKS for finding in check(at)]


def overdue_tasks(at: datetime) -> list[LastSuccess]:
    """Return the tasks that should have succeeded.

    Webhooks count only where there are any, and backups only on PostgreSQL.
    """
    return [task for task in LastSuccess.objects.overdue(at) if _is_expected(task.task)]


def _is_expected(task: str) -> bool:
    if task == WEBHOOKS:
        return WebhookEndpoint.objects.on().exists()
    return task != BACKUP or connection.vendor == "postgresql"


def _overdue_tasks(at: datetime) -> Iterator[Finding]:
    for task in overdue_tasks(at):
        since = task.succeeded_at
        last = f"last succeeded at {since:%H:%M} UTC on {_day(since)}" if since else "never ran"
        yield Finding(
            "overdue_task",
            f"{task.task} {last}. It should succeed {_every(PERIODS.get(task.task, DAY))}.",
            "Ask the operator to look at its timer and its log.",
        )


def _archive_behind(at: datetime) -> Iterator[Finding]:
    waiting = segments_waiting() or 0
    if waiting > MOST_WAITING:
        yield Finding(
            "archive_behind",
            f"{waiting} files of the database's log wait to be archived. What is in them can't be "
            "restored from a backup yet.",
            "Ask the operator to look at PostgreSQL's log and at the repository of backups.",
        )


def _webhooks_off(at: datetime) -> Iterator[Finding]:
    endpoints = WebhookEndpoint.objects.off_by_failure().filter(_live("project__"))
    for endpoint in endpoints.select_related("project"):
        yield Finding(
            "webhooks_off",
            f"The webhooks of {endpoint.project.name} were switched off on "
            f"{_day(endpoint.switched_off_at)}, after three days of failures.",
            "Talk to the partner, then switch them on",
            reverse("admin:assessments_webhookendpoint_change", args=[endpoint.pk]),
            "assessments.view_webhookendpoint",
            endpoint.project.project_id,
        )


def _tokens_ending(at: datetime) -> Iterator[Finding]:
    ending = _tokens().counted_against_cap(at).filter(expires_at__lt=at + ENDS_SOON)
    for token in ending.order_by("expires_at"):
        yield _of_token(
            "token_ends",
            token,
            f"The token {token.token_id} of {token.project.name} ends on {_day(token.expires_at)}.",
            "Rotate it",
        )


def _refused_calls(at: datetime) -> Iterator[Finding]:
    today = Q(at__gt=at - DAY)
    counts = (
        RefusedCall.objects.filter(_live("project__"), at__gt=at - DAY - FORTNIGHT, at__lte=at)
        .order_by()
        .values_list("project")
        .annotate(today=Sum("count", filter=today), before=Sum("count", filter=~today))
        .filter(today__gte=FEWEST_REFUSED)
    )
    usual = {
        project: (refused, (before or 0) / FORTNIGHT.days) for project, refused, before in counts
    }
    many = {
        project: (refused, mean)
        for project, (refused, mean) in usual.items()
        if refused > MORE_REFUSED * mean
    }
    for project in Project.objects.filter(pk__in=many).order_by("name"):
        refused, mean = many[project.pk]
        yield Finding(
            "refused_calls",
            f"{refused} calls of {project.name} were refused in 24 hours; usually it is "
            f"{mean:.0f} a day.",
            "See why",
            f"{reverse('admin:assessments_refusedcall_changelist')}?project={project.pk}",
            "tokens.view_accesstoken",
            project.project_id,
        )


def _quiet_partners(at: datetime) -> Iterator[Finding]:
    last_calls = (
        AccessToken.objects.filter(_live("project__"))
        .order_by()
        .values_list("project__partner")
        .annotate(last=Max("last_used_at"))
        .filter(last__gt=at - LOOKED_BACK, last__lt=at - QUIET_FROM)
    )
    calls = dict(last_calls)
    quiet = {}
    for partner, days in _days_with_links(calls, at).items():
        last_day, usual = _gaps(days)
        last = max(calls[partner], datetime.combine(last_day, time(), UTC) + DAY)
        if usual is not None and at - last > max(QUIET_GAPS * usual, QUIET_FROM):
            quiet[partner] = ((at - last).days, usual.days)
    for found in Partner.objects.filter(pk__in=quiet).order_by("name"):
        days_quiet, usual_days = quiet[found.pk]
        yield Finding(
            "partner_quiet",
            f"{found.name} has made no call for {days_quiet} days; it usually asks for links every "
            f"{_days(usual_days)}.",
            "Ask the partner",
            reverse("admin:partners_partner_change", args=[found.pk]),
            "partners.view_partner",
        )


def _days_with_links(partners: Collection[int], at: datetime) -> dict[int, list[date]]:
    """Return the days on which each of these partners got links, by its key.

    Only of partners who may be quiet, because a year of all projects is a large table.
    """
    projects = Project.objects.filter(_live(), partner__in=partners)
    rows = ProjectDay.objects.filter(
        project__in=projects, day__gt=(at - LOOKED_BACK).date(), links_issued__gt=0
    )
    days: dict[int, list[date]] = defaultdict(list)
    for partner, day in rows.values_list("project__partner", "day").distinct().order_by("day"):
        days[partner].append(day)
    return days


def _gaps(days: Sequence[date]) -> tuple[date, timedelta | None]:
    """Return the last of some days in order, and the median gap, or None for a single day."""
    gaps = [(later - earlier).days for earlier, later in pairwise(days)]
    return days[-1], timedelta(days=median(gaps)) if gaps else None


def _without_courses(at: datetime) -> Iterator[Finding]:
    projects = Project.objects.filter(_live()).annotate(
        active=Count("courses", filter=Q(courses__is_active=True))
    )
    for project in projects.filter(active=0).order_by("name"):
        yield _of_courses(
            "no_courses",
            project,
            f"{project.name} has no active course, so completed assessments recommend nothing.",
            "Add courses",
        )


def _proposed_fields(at: datetime) -> Iterator[Finding]:
    proposed = Course.objects.active().filter(_live("project__"), fields_proposed=True)
    counts = dict(proposed.order_by().values_list("project").annotate(n=Count("pk")))
    for project in Project.objects.filter(pk__in=counts).order_by("name"):
        count = counts[project.pk]
        yield _of_courses(
            "proposed_fields",
            project,
            f"{count} {'course' if count == 1 else 'courses'} of {project.name} have fields that "
            "no editor has confirmed.",
            "Confirm them",
            "?show=proposed",
        )


def _rotations_to_end(at: datetime) -> Iterator[Finding]:
    ending = _tokens().live(at).filter(rotated_at__isnull=False).order_by("rotated_at")
    for token in ending:
        if token.readiness_at(at) is RotationReadiness.SAFE:
            yield _of_token(
                "rotation_to_end",
                token,
                f"The old token {token.token_id} of {token.project.name} can end: nothing has "
                "called with it for a day.",
                "End it",
            )


def _unused_tokens(at: datetime) -> Iterator[Finding]:
    unused = _tokens().counted_against_cap(at).filter(last_used_at=None)
    for token in unused.filter(issued_at__lt=at - USED_WITHIN).order_by("issued_at"):
        yield _of_token(
            "token_never_used",
            token,
            f"The token {token.token_id} of {token.project.name} was issued on "
            f"{_day(token.issued_at)} and never used.",
            "Ask the partner, or revoke it",
        )


CHECKS = (
    _overdue_tasks,
    _archive_behind,
    _webhooks_off,
    _tokens_ending,
    _refused_calls,
    _quiet_partners,
    _without_courses,
    _proposed_fields,
    _rotations_to_end,
    _unused_tokens,
)


def _tokens() -> AccessTokenQuerySet:
    return AccessToken.objects.filter(_live("project__")).select_related("project")


def _live(prefix: str = "") -> Q:
    """Return the condition for projects that are open and not for tests."""
    return Q(**{f"{prefix}closed_at": None, f"{prefix}is_test": False})


def _of_token(kind: str, token: AccessToken, says: str, act: str) -> Finding:
    address = reverse("admin:tokens_accesstoken_change", args=[token.pk])
    return Finding(kind, says, act, address, "tokens.view_accesstoken", token.project.project_id)


def _of_courses(kind: str, project: Project, says: str, act: str, query: str = "") -> Finding:
    address = reverse("admin:assessments_course_catalogue", args=[project.pk]) + query
    return Finding(kind, says, act, address, "assessments.change_course", project.project_id)


def _day(at: datetime | None) -> str:
    return f"{at:%d %b %Y}" if at else ""


def _days(count: int) -> str:
    return "day" if count <= 1 else f"{count} days"


def _every(period: timedelta) -> str:
    if period >= DAY:
        return "every day"
    minutes = int(period.total_seconds() // 60)
    return "every hour" if minutes == 60 else f"every {minutes} minutes"
