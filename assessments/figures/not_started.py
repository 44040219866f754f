"""Students who were sent a link and have not started, named by the partner's own reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime

from django.db.models import Exists, OuterRef

from assessments.figures.counts import day_bounds
from assessments.models.attempts import Assessment
from assessments.models.link_events import LinkEvent
from assessments.models.links import AssessmentLink, AssessmentLinkQuerySet, LinkState
from partners.models import Project
from partners.spreadsheet import csv_lines
from partners.times import rfc3339

MOST_LISTED = 100
PAGE = 500
HEADER = ("Reference", "LinkId", "IssuedAt", "ExpiresAt", "State")


def waiting_links(project: Project, first: date, last: date) -> AssessmentLinkQuerySet:
    """Return the newest links, issued on these days, of students who have not started.

    Days are of the project's time zone. Erased students are left out.
    """
    begin, end = day_bounds(first, last, project.time_zone)
    links = AssessmentLink.objects.filter(
        student__project=project,
        student__email_key__contains="@",
        issued_at__gte=begin,
        issued_at__lt=end,
        used_at=None,
    )
    started = Assessment.objects.filter(student=OuterRef("student"))
    return links.newest_of_each().exclude(Exists(started))


def newest(
    links: AssessmentLinkQuerySet, at: datetime
) -> tuple[list[tuple[AssessmentLink, str]], bool]:
    """Return the newest MOST_LISTED with their states, and whether there are more."""
    found = list(links.order_by("-pk")[: MOST_LISTED + 1])
    return _with_states(found[:MOST_LISTED], at), len(found) > MOST_LISTED


def csv_file(links: AssessmentLinkQuerySet, at: datetime) -> Iterator[str]:
    """Yield the lines of a CSV file of all, oldest first, read in pages."""
    return csv_lines(HEADER, _rows(links, at))


def _rows(links: AssessmentLinkQuerySet, at: datetime) -> Iterator[list[str]]:
    last = 0
    while page := list(links.filter(pk__gt=last).order_by("pk")[:PAGE]):
        for link, state in _with_states(page, at):
            times = rfc3339(link.issued_at), rfc3339(link.expires_at)
            yield [link.reference, link.link_id, *times, state]
        last = page[-1].pk


def _with_states(links: Sequence[AssessmentLink], at: datetime) -> list[tuple[AssessmentLink, str]]:
    """Return links with their states of the partner API: unopened, opened, expired, cancelled."""
    events = LinkEvent.objects.filter(link__in=links, kind="opened")
    opened = set(events.values_list("link_id", flat=True))
    return [(link, _state(link, link.pk in opened, at)) for link in links]


def _state(link: AssessmentLink, is_opened: bool, at: datetime) -> str:
    if link.cancelled_at:
        return LinkState.CANCELLED.value
    if at >= link.expires_at:
        return LinkState.EXPIRED.value
    return "opened" if is_opened else "unopened"
