"""What a project's page in the admin says at the top."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.db.models import Max, Sum
from django.utils import timezone
from django.utils.timesince import timesince

from assessments.figures.counts import Counts, count_by_day
from assessments.models import RefusedCall
from partners.models import Project

register = template.Library()

DAYS = 7


@register.simple_tag
def project_facts(project: Project) -> dict[str, Any]:
    """Return the state of a project in a line, and the counts of its last seven days.

    The days are the project's. Test projects have no counts.
    """
    at = timezone.now()
    today = timezone.localdate(at, ZoneInfo(project.time_zone))
    since = today - timedelta(days=DAYS - 1)
    week = Counts()
    for counts in count_by_day(Project.objects.filter(pk=project.pk), since, today, at).values():
        week.add(counts)
    refused = RefusedCall.objects.filter(project=project, at__gt=at - timedelta(days=DAYS))
    return {
        "state": " · ".join(_state(project)),
        "week": None if project.is_test else week,
        "refused": refused.aggregate(n=Sum("count"))["n"] or 0,
    }


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
