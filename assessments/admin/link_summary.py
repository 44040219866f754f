"""The top of a student's, a link's or an attempt's page: what happened, what to do, the buttons."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.db import models
from django.http import HttpRequest
from django.urls import reverse

from assessments.models import Assessment, AssessmentLink, Student
from assessments.models.attempts import EXTENDED_AT_MOST
from assessments.support import link_history
from assessments.support.diagnosis import CLOSE, ERASED, EXTEND, ISSUE, Verdict, verdict
from assessments.support.timeline import When, events
from partners.times import moment_in_words

# So many links and attempts of a student stand beside; who has more is a test of the partner's.
BESIDE = 20
WORDS = {
    ISSUE: "Issue a fresh link",
    CLOSE: "Close the attempt",
    EXTEND: "Give more time",
}


NO_LINK = Verdict("no-link", "No link is known of this student.", "Issue a fresh one.", (ISSUE,))


@dataclass(frozen=True)
class Button:
    url: str
    words: str
    is_first: bool


@dataclass(frozen=True)
class Row:
    """A link or an attempt beside the one that is told of."""

    url: str
    name: str
    state: str
    when: str
    is_told: bool


def moments(student: Student, at: datetime) -> When:
    """Return how a moment is written for this student's project."""
    return partial(moment_in_words, zone=student.project.time_zone, now=at)


def context_of(
    request: HttpRequest,
    student: Student,
    link: AssessmentLink | None,
    at: datetime,
    shown: models.Model,
) -> dict[str, Any]:
    """Return what `link_summary.html` shows of a link, or, without a link, what is missing.

    `shown` is the row whose page it is.
    """
    when = moments(student, at)
    facts = link_history.of_link(link, at) if link else None
    found = verdict(facts, at, when) if facts else NO_LINK
    if student.is_erased:
        found = ERASED
    attempt = link.assessment if link else None
    return {
        "student": student,
        "told_link": link,
        "verdict": found,
        "buttons": _buttons(request, student, attempt, found, at),
        "events": [(when(event.at), event) for event in events(facts, at)] if facts else [],
        "links": _links(student, at, when, shown),
        "attempts": _attempts(student, at, when, shown),
        "beside": BESIDE,
        "zone": student.project.time_zone,
    }


def latest_link(student: Student) -> AssessmentLink | None:
    """Return the link in which something happened last: issued, used, or its attempt ended."""
    links = list(student.links.with_attempts().newest_first()[:BESIDE])
    return max(links, key=_touched_at, default=None)


def _touched_at(link: AssessmentLink) -> tuple[datetime, int]:
    attempt = link.assessment
    moments = [link.issued_at, link.used_at]
    if attempt:
        moments += [attempt.completed_at, attempt.abandoned_at]
    # Two links of one attempt: the one that it was moved to counts.
    last_used = link.used_at.timestamp() if link.used_at else 0
    return max(moment for moment in moments if moment), int(last_used * 1_000_000)


def _buttons(
    request: HttpRequest,
    student: Student,
    attempt: Assessment | None,
    found: Verdict,
    at: datetime,
) -> list[Button]:
    """Return what the one who reads may do and what can be done, the advised first."""
    may = request.user.has_perm
    urls = {}
    can_start = not student.project.is_closed and not student.is_erased
    if may("assessments.issue_link") and can_start:
        urls[ISSUE] = reverse("admin:assessments_student_issue", args=[student.pk])
    if attempt and attempt.is_open(at):
        of_attempt = [attempt.pk]
        if may("assessments.extend_assessment") and attempt.finish_by_at < at + EXTENDED_AT_MOST:
            urls[EXTEND] = reverse("admin:assessments_assessment_extend", args=of_attempt)
        if may("assessments.close_assessment"):
            urls[CLOSE] = reverse("admin:assessments_assessment_close", args=of_attempt)
    order = [*found.acts, *(act for act in urls if act not in found.acts)]
    first = found.acts[0] if found.acts else ""
    return [Button(urls[act], WORDS[act], act == first) for act in order if act in urls]


def _links(student: Student, at: datetime, when: When, shown: Any) -> list[Row]:
    links = student.links.with_attempts().with_newest_of_attempt().newest_first()[:BESIDE]
    rows = []
    for link in links:
        # asked of each, it would be a query each
        link.student = student
        url = reverse("admin:assessments_assessmentlink_change", args=[link.pk])
        rows.append(
            Row(url, f"#{link.pk}", link.state_in_words(at), when(link.issued_at), link == shown)
        )
    return rows


def _attempts(student: Student, at: datetime, when: When, shown: Any) -> list[Row]:
    attempts = student.assessments.with_answered().newest_first()[:BESIDE]
    rows = []
    for attempt in attempts:
        url = reverse("admin:assessments_assessment_change", args=[attempt.pk])
        answered: int = attempt.answered  # type: ignore[attr-defined]  # annotated
        state = f"{attempt.status_at(at).label.lower()}, {answered} answered"
        name, since = attempt.assessment_id, when(attempt.started_at)
        rows.append(Row(url, name, state, since, attempt == shown))
    return rows
