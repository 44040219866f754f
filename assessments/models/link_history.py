"""The history of a link. Its diagnosis and its timeline are pure functions of the history."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from assessments.models.attempts import EXTENDED, Attempt
from assessments.models.ended import ATTEMPT_CLOSED, End
from assessments.models.link_events import LinkEvent
from assessments.models.links import CANCELLED, ISSUED, AssessmentLink, LinkState
from assessments.models.private_links import PRIVATE_LINK_ENDED
from partners.models import AuditEvent

# What staff did to an attempt, by the action of the audit trail.
STAFF_ACTIONS = {
    ATTEMPT_CLOSED: "Closed by support",
    EXTENDED: "More time given",
    PRIVATE_LINK_ENDED: "Private link ended by support",
}
NO_LINK, ERASED = "no-link", "erased"


@dataclass(frozen=True)
class LinkHistory:
    """A link, with its student, access token and attempt, and what happened. Makes no query."""

    link: AssessmentLink
    state: LinkState
    fetches: Sequence[LinkEvent] = ()
    uses: Sequence[AssessmentLink] = ()  # that started or continued its attempt, in order
    ended: End | None = None
    newer: int | None = None  # the key of the student's newest link, if not this one
    erased_at: datetime | None = None
    # Only the desk sees these.
    issued_by: str = ""
    cancelled_by: str = ""
    progress: str = ""
    sections: Sequence[tuple[str, datetime]] = ()
    actions: Sequence[AuditEvent] = ()

    @property
    def opened(self) -> list[LinkEvent]:
        return [fetch for fetch in self.fetches if fetch.kind == "opened"]

    @property
    def robots(self) -> list[str]:
        return list(dict.fromkeys(each.what for each in self.fetches if each.kind == "robot"))

    @property
    def refused_at(self) -> datetime | None:
        """When a person last opened the link in a browser that could not start it."""
        return max((each.at for each in self.fetches if each.kind == "refused"), default=None)

    @property
    def opened_at(self) -> datetime | None:
        return self.opened[0].at if self.opened else None

    @property
    def continued_with(self) -> AssessmentLink | None:
        """The last link that continued the attempt, if it is another one."""
        return self.uses[-1] if self.uses and self.uses[-1].pk != self.link.pk else None

    @property
    def is_elsewhere(self) -> bool:
        """Whether another browser opened the link after the last step of its attempt."""
        attempt: Any = self.link.attempt
        last = [attempt.started_at, attempt.last_answered_at, *(use.used_at for use in self.uses)]
        return bool(self.refused_at and self.refused_at > max(filter(None, last)))


def diagnose(history: LinkHistory) -> str:
    """Return a code: .ci/reference/advice.py and `admin/assessments/_diagnosis.html` explain it."""
    attempt = history.link.attempt
    if history.erased_at:
        return ERASED
    if attempt and history.ended == End.COMPLETED:
        return "completed-read" if attempt.results_read_at else "completed-unread"
    if attempt and history.ended:
        return str(history.ended.value)
    if attempt and history.continued_with:
        return "moved"
    if attempt:
        return "other-browser" if history.is_elsewhere else "in-progress"
    if history.state == LinkState.CANCELLED:
        return "cancelled"
    if history.state == LinkState.PROJECT_CLOSED:
        return "project-closed"
    how = "robots-only" if history.robots else "unopened"
    if history.opened:
        how = "not-started"
    return f"expired-{how}" if history.state == LinkState.EXPIRED else how


@dataclass(frozen=True)
class Event:
    """A line of the timeline. `kind` is its CSS class: robot, student, staff, partner, clock."""

    at: datetime
    kind: str
    text: str
    detail: str = ""


def events(history: LinkHistory, at: datetime) -> list[Event]:
    """Return the events of the link and its attempt until `at`, oldest first."""
    found = [*_of_link(history, at)]
    if history.link.attempt:
        found += _of_attempt(history, history.link.attempt)
    return sorted(found, key=lambda event: event.at)


def _of_link(history: LinkHistory, at: datetime) -> Iterator[Event]:
    link, token = history.link, history.link.access_token
    yield Event(link.issued_at, "partner", "Issued", history.issued_by)
    for fetch in history.fetches:
        if fetch.kind == "robot":
            yield Event(fetch.at, "robot", f"Fetched by {fetch.what}", "this does not use the link")
        elif fetch.kind == "refused":
            state = LinkState(fetch.what).label.lower()
            yield Event(fetch.at, "student", "Opened, where it could not be started", state)
        else:
            is_again = link.used_at and fetch.at > link.used_at
            text = "Opened again in the same browser" if is_again else "Opened"
            yield Event(fetch.at, "student", text)
    if token and token.revoked_at:
        text = "The access token that asked for it was revoked"
        detail = "" if link.cancelled_at else "links already issued still work"
        yield Event(token.revoked_at, "staff", text, detail)
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
        text = "Continued" if number else "Started"
        by = "this link" if use.pk == history.link.pk else f"link #{use.pk}"
        yield Event(use.used_at or attempt.started_at, "student", text, f"{attempt}, with {by}")
    for title, reached_at in history.sections:
        yield Event(reached_at, "student", f"Reached “{title}”")
    if attempt.last_answered_at and history.ended != End.COMPLETED:
        yield Event(attempt.last_answered_at, "student", "Last answer", history.progress)
    for act in history.actions:
        yield Event(act.at, "staff", STAFF_ACTIONS[act.action], _by(act))
    # Closing and erasing have an event of their own.
    if history.ended and history.ended not in {End.CLOSED, End.ERASED}:
        kind = "clock" if history.ended == End.LATE else "student"
        yield Event(attempt.ends_at, kind, history.ended.label.capitalize(), history.progress)
    if attempt.results_read_at:
        yield Event(attempt.results_read_at, "partner", "Outcome first read by the partner")
    if attempt.courses_filled_at:
        yield Event(attempt.courses_filled_at, "staff", "Got courses, which the project had lacked")


def of_links(links: Sequence[AssessmentLink], at: datetime) -> list[LinkHistory]:
    """Return the histories of links of one student, without what only the desk sees.

    Takes five queries. The links need their access token, and their student with its project.
    """
    if not links:
        return []
    newest = links[0].student.links.newest_first().values_list("pk", flat=True)[0]
    fetches: defaultdict[int, list[LinkEvent]] = defaultdict(list)
    for event in LinkEvent.objects.filter(link__in=links).order_by("number"):
        fetches[event.link_id].append(event)
    used = [link.attempt_id for link in links if link.attempt_id]
    facts = Attempt.objects.filter(pk__in=used).with_progress().with_end()
    attempts = {each.pk: each for each in facts}
    uses: defaultdict[int | None, list[AssessmentLink]] = defaultdict(list)
    opened = AssessmentLink.objects.filter(attempt__in=attempts).order_by("used_at", "pk")
    for each in opened.only("attempt", "used_at"):
        uses[each.attempt_id].append(each)
    histories = []
    for link in links:
        if link.attempt_id:
            link.attempt = attempts[link.attempt_id]
            link.attempt.student = link.student
        histories.append(
            LinkHistory(
                link,
                state=link.state_at(at),
                fetches=fetches[link.pk],
                uses=uses[link.attempt_id],
                ended=link.attempt.kind_of_end(at) if link.attempt else None,
                newer=newest if newest != link.pk else None,
                erased_at=link.student.erased_at,
            )
        )
    return histories


def of_link(link: AssessmentLink, at: datetime) -> LinkHistory:
    """Return the whole history of a link and its attempt."""
    [history] = of_links([link], at)
    attempt = link.attempt
    history = replace(
        history,
        issued_by=_issuer(link),
        cancelled_by=_canceller(link, link.cancelled_at) if link.cancelled_at else "",
    )
    if attempt is None:
        return history
    shown = dict(attempt.answers.current().values_list("position", "shown_at"))
    titles = {each.first: each.title["en"] for each in attempt.cached_bank.layout.sections}
    events = AuditEvent.objects.about(attempt).of_actions(STAFF_ACTIONS).with_staff_names()
    return replace(
        history,
        progress=progress(attempt),
        sections=[(title, shown[first]) for first, title in titles.items() if first in shown],
        actions=list(events.order_by("at", "pk")),
    )


def progress(attempt: Attempt) -> str:
    answered = attempt.read_answers().answered_count
    return f"{answered} of {attempt.cached_bank.layout.total} answered"


def _issuer(link: AssessmentLink) -> str:
    if link.access_token:
        return f"by access token {link.access_token.token_id}"
    issued = AuditEvent.objects.about(link).of_actions([ISSUED]).with_staff_names().first()
    return _by(issued) if issued else "by support"


def _canceller(link: AssessmentLink, cancelled_at: datetime) -> str:
    """Return who cancelled this link, all links of its student, or all of its access token."""
    about = AuditEvent.objects.about(link) | AuditEvent.objects.about(link.student)
    if link.access_token:
        about |= AuditEvent.objects.about(link.access_token)
    events = about.of_actions([CANCELLED]).filter(at=cancelled_at).with_staff_names()
    event = events.first()
    return _by(event) if event else ""


def _by(event: AuditEvent) -> str:
    by = f"by {event.who.replace('token:', 'access token ')}"
    return f"{by}: {event.reason}" if event.reason else by
