"""The timeline of a link for the support desk.

Pure functions over plain values: `link_history` queries them, `diagnosis` sums them up in one
sentence. The caller's `when` formats a time in the project's time zone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

When = Callable[[datetime], str]


@dataclass(frozen=True)
class Fetch:
    """A recorded fetch of the link, with `kind` and `what` of its LinkEvent."""

    at: datetime
    kind: str
    what: str = ""


@dataclass(frozen=True)
class Use:
    link: int
    at: datetime


@dataclass(frozen=True)
class StaffAction:
    """An action of staff on the attempt: the audit action, who and why."""

    at: datetime
    action: str
    who: str
    reason: str = ""


@dataclass(frozen=True)
class AttemptFacts:
    """An attempt. `ended` is a value of `End`, "" if open; `sections` are those it reached.

    `can_move` says whether a fresh link with its mobile number continues it in another browser.
    """

    assessment_id: str
    started_at: datetime
    finish_by_at: datetime
    total: int
    answered: int = 0
    last_answer_at: datetime | None = None
    uses: tuple[Use, ...] = ()
    sections: tuple[tuple[str, datetime], ...] = ()
    actions: tuple[StaffAction, ...] = ()
    ended: str = ""
    ended_at: datetime | None = None
    read_at: datetime | None = None
    can_move: bool = True

    @property
    def opened_by(self) -> int | None:
        """The number of the link that last opened the attempt, or None if unknown."""
        return self.uses[-1].link if self.uses else None

    @property
    def last_seen_at(self) -> datetime:
        moved_at = self.uses[-1].at if self.uses else self.started_at
        return max(moved_at, self.last_answer_at or self.started_at)


@dataclass(frozen=True)
class LinkFacts:
    """A link. `state` is a value of `LinkState`.

    `newer` is the student's newest link, if it is not this one. `waiting` is the progress, such as
    (14, 44), of an open attempt that this unused link would offer to continue by its mobile number;
    `others` are the student's open attempts but for that one and the link's own. `erased_at` is the
    time when the student was erased.
    """

    number: int
    state: str
    issued_at: datetime
    expires_at: datetime
    issued_by: str = ""
    used_at: datetime | None = None
    cancelled_at: datetime | None = None
    cancelled_by: str = ""
    fetches: tuple[Fetch, ...] = ()
    attempt: AttemptFacts | None = None
    project_closed_at: datetime | None = None
    token_revoked_at: datetime | None = None
    newer: int | None = None
    waiting: tuple[int, int] | None = None
    others: tuple[str, ...] = ()
    erased_at: datetime | None = None

    @property
    def opened_at(self) -> datetime | None:
        """When a person first opened the link."""
        return next((fetch.at for fetch in self.fetched("opened")), None)

    def fetched(self, kind: str) -> list[Fetch]:
        return [fetch for fetch in self.fetches if fetch.kind == kind]


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
    "completed": ("student", "Completed"),
    "late": ("clock", "Time ran out"),
    "replaced": ("student", "Started again with a newer link, which ended this attempt"),
    "left": ("student", "Left by the student"),
}
ACTIONS = {
    "assessment.closed": "Closed by support",
    "assessment.extended": "More time given",
    "assessment.private_link_ended": "Private link ended by support",
}


def events(link: LinkFacts, at: datetime) -> list[Event]:
    """Return the events of the link and its attempt until `at`, oldest first."""
    happened = [*_of_link(link, at)]
    if link.attempt:
        happened += _of_attempt(link, link.attempt)
    return sorted(happened, key=lambda event: event.at)


def _of_link(link: LinkFacts, at: datetime) -> Iterator[Event]:
    yield Event(link.issued_at, "partner", "Issued", link.issued_by)
    for fetch in link.fetches:
        yield _fetched(link, fetch)
    if link.token_revoked_at:
        said = "The access token that asked for it was revoked"
        detail = "" if link.cancelled_at else "links already issued still work"
        yield Event(link.token_revoked_at, "staff", said, detail)
    if link.cancelled_at:
        kind = "partner" if link.cancelled_by.startswith("by access token") else "staff"
        yield Event(link.cancelled_at, kind, "Cancelled", link.cancelled_by)
    if link.erased_at:
        attempt = link.attempt
        was_open = attempt and attempt.ended == "erased"
        detail = f"this ended the attempt, {progress(attempt)}" if attempt and was_open else ""
        yield Event(link.erased_at, "staff", "Erased", detail)
    if link.used_at is None:
        if link.project_closed_at:
            yield Event(link.project_closed_at, "staff", "The project was closed")
        # Cancelling and erasure end an unused link; its expiry is not a separate event then.
        was_cut_short = link.cancelled_at or link.expires_at == link.erased_at
        if link.expires_at <= at and not was_cut_short:
            yield Event(link.expires_at, "clock", "Expired, unused")


def _fetched(link: LinkFacts, fetch: Fetch) -> Event:
    if fetch.kind == "robot":
        return Event(fetch.at, "robot", f"Fetched by {fetch.what}", "this does not use the link")
    if fetch.kind == "refused":
        return Event(fetch.at, "student", REFUSALS.get(fetch.what, "Opened, but refused"))
    if link.used_at and fetch.at > link.used_at:
        return Event(fetch.at, "student", "Opened again in the same browser")
    return Event(fetch.at, "student", "Opened")


def _of_attempt(link: LinkFacts, attempt: AttemptFacts) -> Iterator[Event]:
    first, *later = attempt.uses or (Use(link.number, attempt.started_at),)
    yield Event(first.at, "student", "Started", f"{attempt.assessment_id}, {_by(link, first)}")
    for use in later:
        yield Event(use.at, "student", "Continued", _by(link, use))
    for title, reached_at in attempt.sections:
        yield Event(reached_at, "student", f"Reached “{title}”")
    if attempt.last_answer_at and attempt.ended != "completed":
        yield Event(attempt.last_answer_at, "student", "Last answer", progress(attempt))
    for done in attempt.actions:
        detail = f"{done.who}: {done.reason}" if done.reason else done.who
        yield Event(done.at, "staff", ACTIONS[done.action], detail)
    if attempt.ended in ENDS and attempt.ended_at:
        kind, said = ENDS[attempt.ended]
        yield Event(attempt.ended_at, kind, said, progress(attempt))
    if attempt.read_at:
        yield Event(attempt.read_at, "partner", "Outcome first read by the partner")


def _by(link: LinkFacts, use: Use) -> str:
    return "with this link" if use.link == link.number else f"with link #{use.link}"


def progress(attempt: AttemptFacts) -> str:
    """Return the progress in words, such as "14 of 44 answered"."""
    return f"{attempt.answered} of {attempt.total} answered"
