"""Students who were sent a link and have not finished, named by the partner's own reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Exists, OuterRef

from assessments.figures.counts import day_bounds
from assessments.models.attempts import Assessment
from assessments.models.link_events import LinkEvent
from assessments.models.links import AssessmentLink, AssessmentLinkQuerySet
from partners.models import Project
from partners.spreadsheet import csv_lines
from partners.times import rfc3339

PAGE = 500
HEADER = ("Reference", "LinkId", "IssuedAt", "Until", "State", "Answered")


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A student's newest link, and how far they got.

    Until `until` the link can be started, or the attempt continued. `answered` counts the answers
    of an attempt, and is None without one.
    """

    link: AssessmentLink
    state: str
    until: datetime
    answered: int | None = None


def unfinished_links(
    project: Project, first: date, last: date, *, started: bool | None = None
) -> AssessmentLinkQuerySet:
    """Return the newest links, issued on these days, of students who have not finished.

    `started` keeps those who have, or have not, started an attempt. Days are of the project's time
    zone. Erased students are left out.
    """
    begin, end = day_bounds(first, last, project.time_zone)
    attempts = Assessment.objects.filter(student=OuterRef("student"))
    links = AssessmentLink.objects.filter(
        student__project=project,
        student__email_key__contains="@",
        issued_at__gte=begin,
        issued_at__lt=end,
    )
    if started is not None:
        links = links.filter(Exists(attempts) if started else ~Exists(attempts))
    return links.newest_of_each().exclude(Exists(attempts.completed()))


def csv_file(links: AssessmentLinkQuerySet, at: datetime) -> Iterator[str]:
    """Yield the lines of a CSV file of all, oldest first, read in pages."""

    def rows() -> Iterator[list[str]]:
        last = 0
        while page := list(links.filter(pk__gt=last).order_by("pk")[:PAGE]):
            for each in describe(page, at):
                link, answered = each.link, "" if each.answered is None else str(each.answered)
                times = rfc3339(link.issued_at), rfc3339(each.until)
                yield [link.reference, link.link_id, *times, each.state, answered]
            last = page[-1].pk

    return csv_lines(HEADER, rows())


def describe(links: Sequence[AssessmentLink], at: datetime) -> list[Unfinished]:
    """Return how far the students of these links got.

    An open attempt comes first, then the newest link if it is unused, then an abandoned attempt.
    """
    events = LinkEvent.objects.filter(link__in=links, kind="opened")
    opened = set(events.values_list("link_id", flat=True))
    attempts = Assessment.objects.filter(student__in=[link.student_id for link in links])
    newest = {each.student_id: each for each in attempts.with_answered().order_by("started_at")}
    found = []
    for link in links:
        attempt = newest.get(link.student_id)
        if attempt and (link.used_at or attempt.is_open(at)):
            state = attempt.status_at(at).label.lower()
            answered: int = attempt.answered  # type: ignore[attr-defined]  # annotated
            found.append(Unfinished(link, state, attempt.finish_by_at, answered))
            continue
        # An unused link has the state that the partner API gives it.
        state = "opened" if link.pk in opened else "unopened"
        if link.cancelled_at:
            state = "cancelled"
        elif at >= link.expires_at:
            state = "expired"
        found.append(Unfinished(link, state, link.expires_at))
    return found
