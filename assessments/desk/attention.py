"""What staff have to attend to, and the page where they act."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils import timezone

from assessments.models import Attempt, Course, WebhookEndpoint
from partners.back_office.pages import page_of
from partners.models import LastSuccess, Project
from partners.models.last_successes import BACKUP, WEBHOOKS
from partners.times import DEFAULT_ZONE, moment_in_words
from tokens.models import ENDS_SOON, AccessToken

VIEW_PROJECT = "partners.view_project"


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact, what to do about it, and the page for that, which needs the permission."""

    says: str
    act: str
    address: str = ""
    permission: str = VIEW_PROJECT


def overdue_tasks(at: datetime) -> list[LastSuccess]:
    """Return the tasks that are late, except those that have nothing to do here."""
    overdue = LastSuccess.objects.overdue(at)
    if not WebhookEndpoint.objects.on().exists():
        overdue = overdue.exclude(task=WEBHOOKS)
    if connection.vendor != "postgresql":
        overdue = overdue.exclude(task=BACKUP)
    return list(overdue)


def attention(at: datetime | None = None) -> Iterator[Finding]:
    """Yield late tasks, and what live projects lack: tokens, courses, webhooks that work."""
    at = at or timezone.now()
    live = Project.objects.filter(closed_at=None, is_test=False)
    for task in overdue_tasks(at):
        since = task.succeeded_at
        last = (
            f"last succeeded {moment_in_words(since, DEFAULT_ZONE, at)}" if since else "never ran"
        )
        yield Finding(f"{task.task} {last}.", "Ask the operator to look at its timer and its log.")
    tokens = AccessToken.objects.live(at).filter(project=OuterRef("pk"))
    for project in live.filter(~Exists(tokens)).order_by("name"):
        yield Finding(
            f"{project.name} has no live access token, so every call is refused.",
            "Issue one, or close the project",
            page_of(project),
        )
    yield from lacking_courses(live)
    ending = AccessToken.objects.counted_against_cap(at).filter(expires_at__lt=at + ENDS_SOON)
    for token in ending.filter(project__in=live).with_project().order_by("expires_at"):
        yield Finding(
            f"The token {token.token_id} of {token.project.name} ends {token.expiry_in_words}.",
            "Rotate it",
            page_of(token),
            "tokens.view_accesstoken",
        )
    endpoints = WebhookEndpoint.objects.off_by_failure().filter(project__in=live)
    for endpoint in endpoints.select_related("project"):
        yield Finding(
            f"The webhooks of {endpoint.project.name} were switched off "
            f"{moment_in_words(endpoint.switched_off_at, endpoint.project.time_zone, at)}: "
            f"{endpoint.switched_off_why}.",
            "Talk to the partner, then switch them on",
            page_of(endpoint),
            "assessments.view_webhookendpoint",
        )


def lacking_courses(projects: QuerySet[Project]) -> Iterator[Finding]:
    """Yield the projects that recommend nothing, and the results that can be filled."""
    results = Attempt.objects.without_courses().order_by().values_list("project_id")
    counts = dict(results.annotate(count=Count("pk")))
    courses = Course.objects.recommendable().filter(project=OuterRef("pk"))
    for project in projects.annotate(has_courses=Exists(courses)).order_by("name"):
        waiting = counts.get(project.pk, 0)
        if not project.has_courses:
            so_far = f", {waiting:,} so far" if waiting else ""
            yield Finding(
                f"{project.name} has no active course for {project.get_takers_display().lower()}: "
                f"completed attempts recommend nothing{so_far}.",
                "Load courses, or change who takes the assessment",
                page_of(project),
            )
        elif waiting:
            yield Finding(
                f"Completed attempts of {project.name} without courses, as it had none: "
                f"{waiting:,}.",
                "Add courses to them",
                page_of(project),
            )
