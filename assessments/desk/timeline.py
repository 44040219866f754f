"""The timeline of a link for the support desk. Pure functions over its history."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from assessments.desk.link_history import STAFF_ACTIONS, LinkHistory
from assessments.models.ends import End
from assessments.models.retention import ended_at


@dataclass(frozen=True)
class Event:
    """A line of the timeline. `kind` is its CSS class: robot, student, staff, partner or clock."""

    at: datetime
    kind: str
    said: str
    detail: str = ""


REFUSALS = {
    "in-use": "Opened in another browser, where it can't continue",
    "finished": "Opened in another browser after the assessment was completed",
    "ended": "Opened after the attempt had ended",
    "cancelled": "Opened after the link was cancelled",
    "expired": "Opened after the link had expired",
    "closed": "Opened while the project was closed",
}
ENDS = {
    End.COMPLETED: ("student", "Completed"),
    End.LATE: ("clock", "Time ran out"),
    End.REPLACED: ("student", "Started again with a newer link, which ended this attempt"),
    End.LEFT: ("student", "Left by the student"),
}


def events(history: LinkHistory, at: datetime) -> list[Event]:
    """Return the events of the link and its attempt until `at`, oldest first."""
    happened = [*_of_link(history, at)]
    if history.link.assessment:
        happened += _of_attempt(history, history.link.assessment)
    return sorted(happened, key=lambda event: event.at)


def _of_link(history: LinkHistory, at: datetime) -> Iterator[Event]:
    link, token = history.link, history.link.access_token
    yield Event(link.issued_at, "partner", "Issued", history.issued_by)
    for fetch in history.fetches:
        if fetch.kind == "robot":
            detail = "this does not use the link"
            yield Event(fetch.at, "robot", f"Fetched by {fetch.what}", detail)
        elif fetch.kind == "refused":
            yield Event(fetch.at, "student", REFUSALS.get(fetch.what, "Opened, but refused"))
        else:
            is_again = link.used_at and fetch.at > link.used_at
            said = "Opened again in the same browser" if is_again else "Opened"
            yield Event(fetch.at, "student", said)
    if token and token.revoked_at:
        said = "The access token that asked for it was revoked"
        detail = "" if link.cancelled_at else "links already issued still work"
        yield Event(token.revoked_at, "staff", said, detail)
    if link.cancelled_at:
        kind = "partner" if history.cancelled_by.startswith("by access token") else "staff"
        yield Event(link.cancelled_at, kind, "Cancelled", history.cancelled_by)
    if history.erased_at:
        was_open = history.ended == End.ERASED
        detail = f"this ended the attempt, {history.progress}" if was_open else ""
        yield Event(history.erased_at, "staff", "Erased", detail)
    if link.used_at is None:
        if link.project.closed_at:
            yield Event(link.project.closed_at, "staff", "The project was closed")
        # Cancelling and erasure end an unused link; its expiry is not a separate event then.
        was_cut_short = link.cancelled_at or link.expires_at == history.erased_at
        if link.expires_at <= at and not was_cut_short:
            yield Event(link.expires_at, "clock", "Expired, unused")


def _of_attempt(history: LinkHistory, attempt: Any) -> Iterator[Event]:
    for number, use in enumerate(history.uses):
        by = "this link" if use.pk == history.link.pk else f"link #{use.pk}"
        said, detail = (
            ("Continued", f"with {by}") if number else ("Started", f"{attempt}, with {by}")
        )
        yield Event(use.used_at or attempt.started_at, "student", said, detail)
    for title, reached_at in history.sections:
        yield Event(reached_at, "student", f"Reached “{title}”")
    if attempt.last_answered_at and history.ended != End.COMPLETED:
        yield Event(attempt.last_answered_at, "student", "Last answer", history.progress)
    for done in history.actions:
        detail = f"{done.who}: {done.reason}" if done.reason else done.who
        yield Event(done.at, "staff", STAFF_ACTIONS[done.action], detail)
    if history.ended and history.ended in ENDS:
        kind, said = ENDS[history.ended]
        yield Event(ended_at(attempt), kind, said, history.progress)
    if attempt.results_read_at:
        yield Event(attempt.results_read_at, "partner", "Outcome first read by the partner")
