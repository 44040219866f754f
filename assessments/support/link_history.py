"""Queries for a link's history, returned as the plain values of `assessments.support.timeline`.

The number of queries does not grow with the fetches of a link or the answers of an attempt.
"""

from __future__ import annotations

from datetime import datetime

from assessments.models.attempt_states import End
from assessments.models.attempts import Assessment
from assessments.models.cancelling import CANCELLED
from assessments.models.links import ISSUED, AssessmentLink, LinkState, Offer
from assessments.support import timeline
from assessments.support.timeline import AttemptFacts, Fetch, LinkFacts, StaffAction, Use
from partners.models import AuditEvent


def of_link(link: AssessmentLink, at: datetime) -> LinkFacts:
    """Return the facts about a link and the attempt that it started or continued."""
    state = link.state_at(at)
    newest = link.student.links.newest_first().values_list("pk", flat=True)[0]
    token = link.access_token
    startable = state in {LinkState.UNUSED, LinkState.EXPIRED}
    offered = link.attempt_to_continue(at=at) if startable else None
    others = link.student.assessments.open(at).newest_first()
    known = {link.assessment, offered.attempt if offered else None}
    return LinkFacts(
        number=link.pk,
        state=state.value,
        issued_at=link.issued_at,
        issued_by=_issuer(link),
        expires_at=link.expires_at,
        used_at=link.used_at,
        cancelled_at=link.cancelled_at,
        cancelled_by=_canceller(link, link.cancelled_at) if link.cancelled_at else "",
        fetches=tuple(Fetch(e.at, e.kind, e.what) for e in link.events.order_by("number")),
        attempt=of_attempt(link.assessment, at) if link.assessment else None,
        project_closed_at=link.project.closed_at,
        token_revoked_at=token.revoked_at if token else None,
        newer=newest if newest != link.pk else None,
        waiting=_progress(offered) if offered else None,
        others=tuple(other.assessment_id for other in others if other not in known),
        erased_at=link.student.erased_at,
    )


def of_attempt(attempt: Assessment, at: datetime) -> AttemptFacts:
    """Return the facts about an attempt. Counts answers without reading the chosen options."""
    layout = attempt.content.layout
    current = attempt.answers.current().order_by("position")
    shown = current.values_list("position", "shown_at", "answered_at")
    answers = {position: (shown_at, given_at) for position, shown_at, given_at in shown}
    given = [given_at for _, given_at in answers.values() if given_at]
    opened = attempt.links.exclude(used_at=None).order_by("used_at", "pk")
    end = attempt.end_at(at)
    return AttemptFacts(
        assessment_id=attempt.assessment_id,
        started_at=attempt.started_at,
        finish_by_at=attempt.finish_by_at,
        total=layout.total,
        answered=len(given),
        last_answer_at=max(given, default=None),
        uses=tuple(Use(pk, used) for pk, used in opened.values_list("pk", "used_at") if used),
        sections=tuple(
            (section.title["en"], answers[section.first][0])
            for section in layout.sections
            if section.first in answers
        ),
        actions=_actions(attempt),
        ended=end.value if end else "",
        ended_at=_ended_at(attempt, end),
        read_at=attempt.results_read_at,
        can_move=end is None and _can_move(attempt, at),
    )


def _ended_at(attempt: Assessment, end: End | None) -> datetime | None:
    if end == End.LATE:
        return attempt.finish_by_at
    return attempt.completed_at or attempt.abandoned_at


def _actions(attempt: Assessment) -> tuple[StaffAction, ...]:
    events = AuditEvent.objects.about(attempt).of_actions(timeline.ACTIONS).with_staff_names()
    return tuple(
        StaffAction(event.at, event.action, event.who, event.reason)
        for event in events.order_by("at", "pk")
    )


def _issuer(link: AssessmentLink) -> str:
    """Return who issued a link: an access token, or a member of staff with their reason."""
    if link.access_token:
        return f"by access token {link.access_token.token_id}"
    events = AuditEvent.objects.about(link).of_actions([ISSUED]).with_staff_names()
    issued = events.first()
    if issued is None:
        return "by support"
    return f"by {issued.who}: {issued.reason}" if issued.reason else f"by {issued.who}"


def _canceller(link: AssessmentLink, cancelled_at: datetime) -> str:
    """Return who cancelled a link: it, all links of its student, or all of its access token."""
    about = AuditEvent.objects.about(link) | AuditEvent.objects.about(link.student)
    if link.access_token:
        about |= AuditEvent.objects.about(link.access_token)
    events = about.of_actions([CANCELLED]).filter(at=cancelled_at).with_staff_names()
    event = events.first()
    if event is None:
        return ""
    if event.actor.startswith("token:"):
        return f"by access token {event.actor.removeprefix('token:')}"
    if event.object_type == "accesstoken":
        return f"with the other links of its access token, by {event.who}"
    return f"by {event.who}: {event.reason}"


def _progress(offer: Offer) -> tuple[int, int]:
    return offer.attempt.read_answers().answered_count, offer.attempt.content.layout.total


def _can_move(attempt: Assessment, at: datetime) -> bool:
    """Return whether a link with the number of the attempt's first one continues it elsewhere."""
    started = AssessmentLink.objects.that_started(Assessment.objects.filter(pk=attempt.pk))
    link = started.select_related("student__project").first()
    offer = link.attempt_to_continue(at=at) if link else None
    return offer is not None and offer.attempt == attempt
