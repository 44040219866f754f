"""Queries for a link's history, returned as the plain values of `assessments.desk.timeline`.

The number of queries does not grow with the links, their fetches or the answers of an attempt.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from assessments.desk import timeline
from assessments.desk.timeline import AttemptFacts, Fetch, LinkFacts, StaffAction, Use
from assessments.models.attempts import Assessment, AssessmentQuerySet
from assessments.models.cancelling import CANCELLED
from assessments.models.link_events import LinkEvent
from assessments.models.links import ISSUED, AssessmentLink, LinkState, Offer
from assessments.models.retention import ended_at
from partners.models import AuditEvent


def of_links(links: Sequence[AssessmentLink], at: datetime) -> list[LinkFacts]:
    """Return the facts about links of one student on which their diagnosis rests.

    Takes five queries, however many links there are. The links need their student, with its
    project, and their access token. Left out is what only the desk of support shows: names of
    staff, sections reached, and what a fresh link would continue.
    """
    if not links:
        return []
    newest = links[0].student.links.newest_first().values_list("pk", flat=True)[0]
    fetches: defaultdict[int, list[Fetch]] = defaultdict(list)
    for event in LinkEvent.objects.filter(link__in=links).order_by("number"):
        fetches[event.link_id].append(Fetch(event.at, event.kind, event.what))
    used = [link.assessment_id for link in links if link.assessment_id]
    attempts = {each.pk: each for each in with_facts(Assessment.objects.filter(pk__in=used))}
    uses: defaultdict[int, list[Use]] = defaultdict(list)
    opened = AssessmentLink.objects.filter(assessment__in=attempts).order_by("used_at", "pk")
    for each in opened.only("assessment", "used_at"):
        if each.assessment_id and each.used_at:
            uses[each.assessment_id].append(Use(each.pk, each.used_at))
    found = []
    for link in links:
        if link.assessment_id:
            link.assessment = attempts[link.assessment_id]
            link.assessment.student = link.student
        found.append(_link(link, fetches[link.pk], uses, newest, at))
    return found


def with_facts(attempts: AssessmentQuerySet) -> AssessmentQuerySet:
    """Add to the rows what `_attempt` needs of them."""
    return attempts.with_progress().with_end()


def _link(
    link: AssessmentLink,
    fetches: Sequence[Fetch],
    uses: Mapping[int, Sequence[Use]],
    newest: int,
    at: datetime,
) -> LinkFacts:
    attempt, token = link.assessment, link.access_token
    return LinkFacts(
        number=link.pk,
        state=link.state_at(at).value,
        issued_at=link.issued_at,
        expires_at=link.expires_at,
        used_at=link.used_at,
        cancelled_at=link.cancelled_at,
        fetches=tuple(fetches),
        attempt=_attempt(attempt, uses[attempt.pk], at) if attempt else None,
        project_closed_at=link.project.closed_at,
        token_revoked_at=token.revoked_at if token else None,
        newer=newest if newest != link.pk else None,
        erased_at=link.student.erased_at,
    )


def _attempt(attempt: Assessment, uses: Sequence[Use], at: datetime) -> AttemptFacts:
    end = attempt.end_at(at)
    return AttemptFacts(
        assessment_id=attempt.assessment_id,
        started_at=attempt.started_at,
        finish_by_at=attempt.finish_by_at,
        total=attempt.cached_bank.layout.total,
        answered=attempt.answered,  # type: ignore[attr-defined]  # annotated
        last_answer_at=attempt.last_answered_at,  # type: ignore[attr-defined]  # annotated
        uses=tuple(uses),
        ended=end.value if end else "",
        ended_at=ended_at(attempt) if end else None,
        read_at=attempt.results_read_at,
    )


def of_link(link: AssessmentLink, at: datetime) -> LinkFacts:
    """Return all facts about a link and the attempt that it started or continued."""
    [facts] = of_links([link], at)
    startable = link.state_at(at) in {LinkState.UNUSED, LinkState.EXPIRED}
    offered = link.attempt_to_continue(at=at) if startable else None
    others = link.student.assessments.open(at).newest_first()
    known = {link.assessment, offered.attempt if offered else None}
    attempt = facts.attempt
    if link.assessment and attempt:
        attempt = replace(
            attempt,
            sections=_sections(link.assessment),
            actions=_actions(link.assessment),
            can_move=attempt.ended == "" and _can_move(link.assessment, at),
        )
    return replace(
        facts,
        issued_by=_issuer(link),
        cancelled_by=_canceller(link, link.cancelled_at) if link.cancelled_at else "",
        attempt=attempt,
        waiting=_progress(offered) if offered else None,
        others=tuple(other.assessment_id for other in others if other not in known),
    )


def _sections(attempt: Assessment) -> tuple[tuple[str, datetime], ...]:
    shown = dict(attempt.answers.current().values_list("position", "shown_at"))
    return tuple(
        (section.title["en"], shown[section.first])
        for section in attempt.cached_bank.layout.sections
        if section.first in shown
    )


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
    return offer.attempt.read_answers().answered_count, offer.attempt.cached_bank.layout.total


def _can_move(attempt: Assessment, at: datetime) -> bool:
    """Return whether a link with the number of the attempt's first one continues it elsewhere."""
    started = AssessmentLink.objects.that_started(Assessment.objects.filter(pk=attempt.pk))
    link = started.select_related("student__project").first()
    offer = link.attempt_to_continue(at=at) if link else None
    return offer is not None and offer.attempt == attempt
