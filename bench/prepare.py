"""Fill a service's database for a benchmark, in one go. Runs inside `manage.py shell`."""

from __future__ import annotations

import secrets
from typing import Any

from assessments.models.answers import Answer
from assessments.models.attempts import Assessment
from assessments.models.links import AssessmentLink
from partners.models import Project


def links(project_id: str, count: int) -> list[str]:
    """Issue links, each for a student of its own; return their link tokens."""
    project = Project.objects.get(project_id=project_id)
    return [issue(project, number)[1] for number in range(count)]


def attempts_at_the_last_page(project_id: str, count: int) -> dict[str, Any]:
    """Make attempts that lack the answers of the last page only.

    Return that page's `positions`, and `attempts`: the AssessmentId and browser token of each. The
    first attempt is really answered; the others are copies of its answers.
    """
    project = Project.objects.get(project_id=project_id)
    started = [start(project, f"late-{number}") for number in range(count)]
    first = started[0][0]
    last_page = answer_but_the_last_page(first)
    copied = list(first.answers.all())
    Answer.objects.bulk_create(
        [
            Answer(
                assessment=attempt,
                position=answer.position,
                item_id=answer.item_id,
                shown_at=answer.shown_at,
                choice=answer.choice,
                answered_at=answer.answered_at,
            )
            for attempt, _ in started[1:]
            for answer in copied
        ],
        batch_size=5000,
    )
    return {
        "positions": last_page,
        "attempts": [(attempt.assessment_id, token) for attempt, token in started],
    }


def issue(project: Project, student: object) -> tuple[AssessmentLink, str]:
    return AssessmentLink.objects.issue(
        project, name=f"Student {student}", email=f"s{student}@example.com", mobile="9876543210"
    )


def start(project: Project, student: str) -> tuple[Assessment, str]:
    """Return a fresh attempt and the token of the browser that holds it."""
    browser_token = secrets.token_hex(32)
    link, _ = issue(project, student)
    return link.start(browser_token, consent_version="bench", language="en"), browser_token


def answer_but_the_last_page(attempt: Assessment) -> list[int]:
    """Answer an attempt page by page and return the positions of the page left over."""
    layout = attempt.content.layout
    while True:
        position = attempt.resume_position()
        if not attempt.page(position):
            attempt.begin_section(position)
        page = attempt.page(position)
        if page[-1].position == layout.total:
            return [answer.position for answer in page]
        attempt.record(position, {answer.position: 1 for answer in page})
