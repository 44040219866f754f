"""Summary of a student, link or attempt: diagnosis, buttons, timeline and related rows."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import F
from django.db.models.functions import Coalesce
from django.http import HttpRequest

from assessments.desk.link_history import ERASED, NO_LINK, diagnose, events, of_link
from assessments.models import AssessmentLink, Student
from assessments.models.retention import ended_at
from partners.admin_base import page_of

# Links and attempts listed per student. Only a partner's test account has more.
MAX_LISTED = 20


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
        "buttons": _buttons(request, student, link),
        "summary_link": link,
        "events": events(history, at) if history else [],
        "links": links,
        "attempts": student.assessments.with_answered().newest_first()[:MAX_LISTED],
        "max_listed": MAX_LISTED,
    }


def latest_link(student: Student) -> AssessmentLink | None:
    """Return the link with the latest activity: issued, used, or its attempt ended."""
    ended_at = Coalesce("assessment__completed_at", "assessment__abandoned_at")
    latest = Coalesce(ended_at, "used_at", "issued_at")
    # Of two links of one attempt, the one used last counts.
    by_activity = student.links.with_attempts().order_by(
        latest.desc(), F("used_at").desc(nulls_last=True)
    )
    return by_activity.first()


def _buttons(
    request: HttpRequest, student: Student, link: AssessmentLink | None
) -> list[tuple[str, str]]:
    """Return the address and title of each action that is possible and permitted."""
    found = []
    rows: list[Any] = [student, link.assessment if link else None, link]
    for row in filter(None, rows):
        model_admin: Any = admin.site.get_model_admin(type(row))
        for kind in model_admin.row_actions:
            action = kind(model_admin=model_admin, row=row)
            action.setup(request)
            is_permitted = action.in_summary and request.user.has_perm(kind.permission)
            if is_permitted and not action.why_not():
                found.append((page_of(row, kind.name), kind.title))
    return found
