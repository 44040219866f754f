"""What is said of a link in every state, and the line of what happened to it. No database."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.template.loader import render_to_string

from assessments.models import AssessmentLink, Attempt, Student
from assessments.models.ended import End
from assessments.models.link_events import LinkEvent
from assessments.models.link_history import LinkHistory, diagnose, events
from assessments.models.links import LinkState
from partners.models import AuditEvent, Project
from tokens.models import AccessToken

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
TOTAL = "14 of 44 answered"


def hours(count):
    return NOON + timedelta(hours=count)


def link_of(attempt=None, closed=None, revoked=None, **fields):
    project = Project(time_zone="UTC", closed_at=closed and hours(closed))
    token = AccessToken(revoked_at=revoked and hours(revoked))
    return AssessmentLink(
        pk=7,
        student=Student(project=project),
        access_token=token,
        attempt=attempt,
        issued_at=NOON,
        expires_at=hours(72),
        used_at=hours(3) if attempt else None,
        **fields,
    )


def fetch(hour, kind, what=""):
    return LinkEvent(at=hours(hour), kind=kind, what=what)


def attempt_of(last=4, **fields):
    attempt = Attempt(assessment_id="asm_1", started_at=hours(3), finish_by_at=hours(27), **fields)
    attempt.last_answered_at = last and hours(last)
    return attempt


def used(attempt=None, state=LinkState.IN_PROGRESS, revoked=None, **facts):
    """Return the history of a link with an attempt, by default one in progress."""
    link = link_of(attempt or attempt_of(), revoked=revoked)
    sections = [("Interests", hours(3))]
    facts = {"uses": [link], "progress": TOTAL, "sections": sections, **facts}
    return LinkHistory(link, state, **facts)


def ended(how, read=None, filled=None):
    over = "completed_at" if how == End.COMPLETED else "abandoned_at"
    times = {over: hours(6), "courses_filled_at": filled and hours(filled)}
    attempt = attempt_of(results_read_at=read and hours(read), **times)
    state = LinkState.COMPLETED if how == End.COMPLETED else LinkState.ABANDONED
    return used(attempt, state, ended=how)


UNUSED = LinkHistory(link_of(), LinkState.UNUSED, issued_by="by access token tok_1")
ROBOT, OPENED = fetch(1, "robot", "WhatsApp (chat preview)"), fetch(2, "opened")
IN_USE = used()
MOVED = replace(IN_USE, uses=[*IN_USE.uses, AssessmentLink(pk=9, used_at=hours(5))])
EXPIRED = replace(UNUSED, state=LinkState.EXPIRED)
CANCELLED = LinkHistory(
    link_of(cancelled_at=hours(5)), LinkState.CANCELLED, cancelled_by="by anna: wrong address"
)
CLOSED = LinkHistory(link_of(closed=1), LinkState.PROJECT_CLOSED)
ELSEWHERE, AT_ONCE = fetch(5, "refused", "in-use"), fetch(3.5, "refused", "in-use")

CASES = [
    (UNUSED, "unopened"),
    (replace(UNUSED, fetches=[ROBOT]), "robots-only"),
    (replace(UNUSED, fetches=[ROBOT, OPENED]), "not-started"),
    (EXPIRED, "expired-unopened"),
    (replace(EXPIRED, fetches=[ROBOT]), "expired-robots-only"),
    (replace(EXPIRED, fetches=[OPENED]), "expired-not-started"),
    (replace(EXPIRED, fetches=[fetch(80, "refused", "expired")]), "expired-unopened"),
    (CANCELLED, "cancelled"),
    (replace(CANCELLED, fetches=[ROBOT, fetch(80, "refused", "cancelled")]), "cancelled"),
    (CLOSED, "project-closed"),
    (IN_USE, "in-progress"),
    (used(attempt_of(last=None)), "in-progress"),
    (replace(IN_USE, fetches=[ELSEWHERE]), "other-browser"),
    (replace(IN_USE, fetches=[AT_ONCE]), "in-progress"),
    (MOVED, "moved"),
    (ended(End.LEFT), "left"),
    (ended(End.REPLACED), "replaced"),
    (used(state=LinkState.ABANDONED, ended=End.LATE), "late"),
    (ended(End.CLOSED), "closed"),
    (replace(ended(End.ERASED), erased_at=hours(6)), "erased"),
    (ended(End.COMPLETED), "completed-unread"),
    (ended(End.COMPLETED, read=8), "completed-read"),
]


def shown(history):
    attempt = history.link.attempt
    context = {
        "diagnosis": diagnose(history),
        "history": None if history.erased_at else history,
        "ended_at": attempt and attempt.ends_at,
        "student": history.link.student,
    }
    html = render_to_string("admin/assessments/_diagnosis.html", context)
    return " ".join(re.sub(r"<[^>]+>", " ", html).replace("&#x27;", "'").split())


@pytest.mark.parametrize(("history", "code"), CASES)
def test_what_happened_and_what_to_do(history, code):
    assert diagnose(history) == code
    assert shown(history).endswith(".")


REVOKED = "the link still works"
MOVABLE = "issue a fresh link: its page says whether it continues the attempt on any device"


@pytest.mark.parametrize(
    ("history", "said"),
    [
        (replace(UNUSED, link=link_of(revoked=4)), REVOKED),
        (used(revoked=4), REVOKED),
        *((IN_USE, MOVABLE), (replace(IN_USE, fetches=[ELSEWHERE]), MOVABLE)),
        (replace(EXPIRED, newer=9), "The student has a newer link, #9."),
    ],
)
def test_what_to_do_depends_on_tokens_numbers_and_other_links(history, said):
    assert said in shown(history)


def test_the_whole_timeline_is_in_its_order():
    left = replace(ended(End.LEFT, read=8), uses=MOVED.uses)
    given = AuditEvent(at=hours(4.5), action="attempt.extended", actor="anna", reason="exam week")
    history = replace(
        left,
        link=link_of(left.link.attempt, revoked=7),
        issued_by="by access token tok_1",
        actions=[given],
        fetches=[ROBOT, OPENED, fetch(3.2, "opened"), ELSEWHERE],
    )

    entries = [
        ((each.at - NOON) / timedelta(hours=1), each.text, each.detail)
        for each in events(history, hours(100))
    ]

    assert entries == [
        (0, "Issued", "by access token tok_1"),
        (1, "Fetched by WhatsApp (chat preview)", "this does not use the link"),
        (2, "Opened", ""),
        (3, "Started", "asm_1, with this link"),
        (3, "Reached “Interests”", ""),
        (3.2, "Opened again in the same browser", ""),
        (4, "Last answer", TOTAL),
        (4.5, "More time given", "by anna: exam week"),
        (5, "Opened, where it could not be started", "in progress"),
        (5, "Continued", "asm_1, with link #9"),
        (6, "Left by the student", TOTAL),
        (7, "The access token that asked for it was revoked", "links already issued still work"),
        (8, "Outcome first read by the partner", ""),
    ]


def test_staff_who_added_courses_to_a_result_are_in_the_line():
    [*_, last] = events(ended(End.COMPLETED, filled=9), hours(100))

    assert (last.at, last.kind) == (hours(9), "staff")
