"""Summary of a student, link or attempt: diagnosis, buttons, timeline and related rows."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any

from django.db import models
from django.http import HttpRequest

from assessments.desk import link_history
from assessments.desk.diagnosis import CLOSE, ERASED, EXTEND, ISSUE, Diagnosis, diagnose
from assessments.desk.timeline import When, events
from assessments.models import AssessmentLink, Student
from assessments.models.attempts import EXTENDED_AT_MOST
from assessments.models.links import LinkState
from partners.admin_base import page_of
from partners.times import moment_in_words

# Links and attempts listed per student. Only a partner's test account has more.
MAX_LISTED = 20
# Never suggested by a diagnosis.
CANCEL, END_PRIVATE_LINK, CORRECT = "cancel", "end-private-link", "correct-email"
WORDS = {
    ISSUE: "Issue a fresh link",
    CLOSE: "Close the attempt",
    EXTEND: "Give more time",
    CANCEL: "Cancel the link",
    END_PRIVATE_LINK: "End the private link",
    CORRECT: "Correct the e-mail address",
}


NO_LINK = Diagnosis("no-link", "This student has no link.", "Issue a fresh link.", (ISSUE,))


def time_formatter(student: Student, at: datetime) -> When:
    return partial(moment_in_words, zone=student.project.time_zone, now=at)


def context_of(
    request: HttpRequest,
    student: Student,
    link: AssessmentLink | None,
    at: datetime,
    shown: models.Model,
) -> dict[str, Any]:
    """Return the context of `link_summary.html` for a student's page with or without a link.

    `shown` is the object of the page.
    """
    when = time_formatter(student, at)
    facts = link_history.of_link(link, at) if link else None
    diagnosis = diagnose(facts, at, when) if facts else NO_LINK
    if student.is_erased:
        diagnosis = ERASED
    return {
        "student": student,
        "summary_link": link,
        "diagnosis": diagnosis,
        "buttons": _buttons(request, student, link, diagnosis, at),
        "events": [(when(event.at), event) for event in events(facts, at)] if facts else [],
        "links": _links(student, at, when, shown),
        "attempts": _attempts(student, at, when, shown),
        "max_listed": MAX_LISTED,
        "zone": student.project.time_zone,
    }


def latest_link(student: Student) -> AssessmentLink | None:
    """Return the link with the latest activity: issued, used, or its attempt ended."""
    links = list(student.links.with_attempts().newest_first()[:MAX_LISTED])
    return max(links, key=_touched_at, default=None)


def _touched_at(link: AssessmentLink) -> tuple[datetime, int]:
    attempt = link.assessment
    moments = [link.issued_at, link.used_at]
    if attempt:
        moments += [attempt.completed_at, attempt.abandoned_at]
    # Of two links of one attempt, the one used last counts.
    last_used = link.used_at.timestamp() if link.used_at else 0
    return max(moment for moment in moments if moment), int(last_used * 1_000_000)


def _buttons(
    request: HttpRequest,
    student: Student,
    link: AssessmentLink | None,
    diagnosis: Diagnosis,
    at: datetime,
) -> list[dict[str, Any]]:
    """Return the actions that are possible and permitted, the suggested ones first."""
    may = request.user.has_perm
    attempt = link.assessment if link else None
    can_start = not student.project.is_closed and not student.is_erased
    rows: dict[str, models.Model] = {}
    if may("assessments.issue_link") and can_start:
        rows[ISSUE] = student
    if attempt and attempt.is_open(at):
        if may("assessments.extend_assessment") and attempt.finish_by_at < at + EXTENDED_AT_MOST:
            rows[EXTEND] = attempt
        if may("assessments.close_assessment"):
            rows[CLOSE] = attempt
    if attempt and may("assessments.close_assessment") and attempt.private_links.working(at):
        rows[END_PRIVATE_LINK] = attempt
    if link and may("assessments.cancel_link") and link.state_at(at) == LinkState.UNUSED:
        rows[CANCEL] = link
    if may("assessments.cancel_link") and can_start and student.can_correct_email:
        rows[CORRECT] = student
    suggested = diagnosis.actions
    order = [*suggested, *(action for action in rows if action not in suggested)]
    return [
        {
            "url": page_of(rows[action], action),
            "words": WORDS[action],
            "is_first": action in suggested[:1],
        }
        for action in order
        if action in rows
    ]


def _links(student: Student, at: datetime, when: When, shown: Any) -> list[dict[str, Any]]:
    links = student.links.with_attempts().with_newest_of_attempt().newest_first()[:MAX_LISTED]
    rows = []
    for link in links:
        # Saves a query per link.
        link.student = student
        rows.append(_row(link, f"#{link.pk}", link.state_in_words(at), when(link.issued_at), shown))
    return rows


def _attempts(student: Student, at: datetime, when: When, shown: Any) -> list[dict[str, Any]]:
    attempts = student.assessments.with_answered().newest_first()[:MAX_LISTED]
    rows = []
    for attempt in attempts:
        answered: int = attempt.answered  # type: ignore[attr-defined]  # annotated
        state = f"{attempt.status_at(at).label.lower()}, {answered} answered"
        rows.append(_row(attempt, attempt.assessment_id, state, when(attempt.started_at), shown))
    return rows


def _row(row: models.Model, name: str, state: str, when: str, shown: Any) -> dict[str, Any]:
    url, is_current = page_of(row), row == shown
    return {"url": url, "name": name, "state": state, "when": when, "is_current": is_current}
