"""Counts and times for the home page and the page of a project in the admin."""

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.db.models import Max, Sum
from django.template import Context
from django.utils import timezone

from assessments.desk.invitations import invitations
from assessments.figures.counts import Counts, count_by_day
from assessments.figures.pages import VIEW_PROJECT
from assessments.models import AssessmentLink, Attempt, RefusedCall
from partners.models import Project
from partners.times import moment_in_words

register = template.Library()
register.filter("moment", moment_in_words)
register.simple_tag(invitations)

DAYS = 7


@register.simple_tag
def project_facts(project: Project) -> dict[str, Any]:
    """Return what a project has, and its counts of seven days, which a test project lacks."""
    at = timezone.now()
    today = timezone.localdate(at, ZoneInfo(project.time_zone))
    since = today - timedelta(days=DAYS - 1)
    counts = count_by_day(Project.objects.filter(pk=project.pk), since, today, at)
    refused = RefusedCall.objects.filter(project=project, at__gt=at - timedelta(days=DAYS))
    tokens = project.access_tokens.live()
    return {
        "has_token": tokens.exists(),
        "token_used_at": tokens.aggregate(at=Max("last_used_at"))["at"],
        "courses": project.courses.recommendable().count(),
        "fillable": Attempt.objects.without_courses().filter(project_id=project.pk).count(),
        "week": None if project.is_test else sum(counts.values(), Counts()),
        "refused": refused.aggregate(n=Sum("count"))["n"] or 0,
    }


@register.simple_tag(takes_context=True)
def recent_counts(context: Context) -> list[tuple[str, int, int]]:
    """Return (label, count of one day, count of seven days), without test projects."""
    if not context["request"].user.has_perm(VIEW_PROJECT):
        return []
    at = timezone.now()
    day, week = at - timedelta(days=1), at - timedelta(days=DAYS)
    links = AssessmentLink.objects.without_tests()
    attempts = Attempt.objects.without_tests()
    columns = (
        ("Links", links, "issued_at__gt"),
        ("Starts", attempts, "started_at__gt"),
        ("Completed", attempts, "completed_at__gt"),
    )
    return [
        (label, rows.filter(**{since: day}).count(), rows.filter(**{since: week}).count())
        for label, rows, since in columns
    ]
