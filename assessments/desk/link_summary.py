"""Summary of a student, link or attempt: diagnosis, buttons, timeline and related rows."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import models
from django.http import HttpRequest

from assessments.desk.diagnosis import CLOSE, ERASED, EXTEND, ISSUE, NO_LINK, Diagnosis, diagnose
from assessments.desk.link_history import of_link
from assessments.desk.timeline import events
from assessments.models import AssessmentLink, Student
from assessments.models.attempts import EXTENDED_AT_MOST
from assessments.models.links import LinkState
from assessments.models.retention import ended_at
from partners.admin_base import page_of

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


def context_of(
    request: HttpRequest, student: Student, link: AssessmentLink | None, at: datetime
) -> dict[str, Any]:
    """Return the context of `link_summary.html` for a student, with or without a link."""
    history = of_link(link, at) if link else None
    diagnosis = diagnose(history) if history else NO_LINK
    if student.is_erased:
        diagnosis = ERASED
    links = student.links.with_attempts().with_newest_of_attempt().newest_first()[:MAX_LISTED]
    for each in links:
        each.student = student  # saves a query per link
    return {
        "student": student,
        "zone": student.project.time_zone,
        "diagnosis": diagnosis,
        "history": None if student.is_erased else history,
        "ended_at": ended_at(link.assessment) if link and link.assessment else None,
        "buttons": _buttons(request, student, link, diagnosis, at),
        "summary_link": link,
        "events": events(history, at) if history else [],
        "links": links,
        "attempts": student.assessments.with_answered().newest_first()[:MAX_LISTED],
        "max_listed": MAX_LISTED,
    }


def latest_link(student: Student) -> AssessmentLink | None:
    """Return the link with the latest activity: issued, used, or its attempt ended."""
    links = list(student.links.with_attempts().newest_first()[:MAX_LISTED])
    return max(links, key=_touched_at, default=None)


def _touched_at(link: AssessmentLink) -> tuple[datetime, datetime]:
    attempt = link.assessment
    # Of two links of one attempt, the one used last counts.
    used_at = link.used_at or link.issued_at
    ends = [attempt.completed_at, attempt.abandoned_at] if attempt else []
    return max(moment for moment in (link.issued_at, used_at, *ends) if moment), used_at


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
