"""What the admin's start page and a project's page say at the top."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.db.models import Max, QuerySet, Sum
from django.template import Context
from django.utils import timezone
from django.utils.timesince import timesince

from assessments.figures.counts import Counts, count_by_day
from assessments.figures.pages import VIEW_PROJECT
from assessments.models import RefusedCall
from partners.models import Project

register = template.Library()

DAYS = 7


@register.simple_tag
def project_facts(project: Project) -> dict[str, Any]:
    """Return the state of a project in a line, and the counts of its last seven days.

    Test projects have no counts.
    """
    at = timezone.now()
    _, week = _count_recent(Project.objects.filter(pk=project.pk), at)
    refused = RefusedCall.objects.filter(project=project, at__gt=at - timedelta(days=DAYS))
    return {
        "state": " · ".join(_state(project)),
        "week": None if project.is_test else week,
        "refused": refused.aggregate(n=Sum("count"))["n"] or 0,
    }


@register.simple_tag(takes_context=True)
def recent_counts(context: Context) -> dict[str, Counts] | None:
    """Return the counts of today and of the last seven days, for staff who may see projects."""
    if not context["request"].user.has_perm(VIEW_PROJECT):
        return None
    today, week = _count_recent(Project.objects.all(), timezone.now())
    return {"today": today, "week": week}


def _count_recent(projects: QuerySet[Project], at: datetime) -> tuple[Counts, Counts]:
    """Return the counts of today and of the last seven days. A day is the project's own."""
    today, week = Counts(), Counts()
    for zone in set(projects.order_by().values_list("time_zone", flat=True)):
        day = timezone.localdate(at, ZoneInfo(zone))
        since = day - timedelta(days=DAYS - 1)
        found = count_by_day(projects.filter(time_zone=zone), since, day, at)
        for (_project, counted_on), counts in found.items():
            week.add(counts)
            if counted_on == day:
                today.add(counts)
    return today, week


def _state(project: Project) -> list[str]:
    kind = "closed" if project.is_closed else "live"
    live = project.access_tokens.live()
    used = live.aggregate(at=Max("last_used_at"))["at"]
    if used:
        token = f"token used {timesince(used, depth=1)} ago"
    else:
        token = "token never used" if live.exists() else "no live token"
    courses = project.courses.active().count()
    endpoint = getattr(project, "webhook_endpoint", None)
    webhooks = "none" if endpoint is None else "on" if endpoint.is_on else "off"
    return [
        f"{kind.capitalize()}{', test' if project.is_test else ''}",
        token,
        f"{courses} course{'' if courses == 1 else 's'}",
        f"webhooks {webhooks}",
    ]
