"""The invariants I-1 to I-7, which hold for all rows after any race, kill or failure.

I-8, that every acknowledged write is stored, needs a log of acknowledged writes (ledger.py). The
checks use stored times only, so the program must not turn a clock back. Rows from factories, which
have no link or audit event, break the invariants.

    program                          in a test
    violations_of(service)           violations()
    ends_of(service)                 ends()
    changed(before, after)           changed(before, after)
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Exists, F, Max, OuterRef, Q
from django.utils import timezone

from assessments.models import Answer, Assessment, AssessmentLink, ItemBank
from partners.models import AuditEvent
from tokens.models import AccessToken

if TYPE_CHECKING:
    from tests.support.server import Service

# The AssessmentId of each ended attempt, and a digest of its final values.
Ends = dict[str, str]


def violations() -> list[str]:
    """Describe each broken invariant, beginning with its number. [] if all hold."""
    checks = (
        attempts_without_a_link,
        completed_by_halves,
        answers_out_of_place,
        links_used_out_of_time,
        rows_across_projects,
        token_events_unwritten,
    )
    return [found for check in checks for found in check()]


def attempts_without_a_link() -> Iterator[str]:
    """I-1: a link starts at most one attempt; a second one would have no link."""
    for attempt in Assessment.objects.filter(links=None):
        yield f"I-1 {attempt} has no link"


def completed_by_halves() -> Iterator[str]:
    """I-3: a completed attempt has all answers, a result, courses and no negative duration."""
    completed = Assessment.objects.completed().with_answered().select_related("catalogue")
    for attempt in completed.iterator():
        total = ItemBank.cached(attempt.bank_id).layout.total
        answered: int = attempt.answered  # type: ignore[attr-defined]  # annotated
        if answered != total:
            yield f"I-3 {attempt} is completed with {answered} of {total} answers"
        if not attempt.profile:
            yield f"I-3 {attempt} is completed without a result"
        if attempt.catalogue is None or attempt.recommendations is None:
            yield f"I-3 {attempt} is completed without recommendations"
        elif bool(attempt.recommendations) != bool(attempt.catalogue.courses) and not (
            attempt.profile and attempt.profile.get("other_subjects")
        ):
            yield f"I-3 {attempt} is completed with recommendations that its catalogue lacks"
        if attempt.completed_at and attempt.completed_at < attempt.started_at:
            yield f"I-3 {attempt} took less than no time"


def answers_out_of_place() -> Iterator[str]:
    """I-4: items are from the attempt's bank; positions have no gaps and no duplicates."""
    elsewhere = Answer.objects.exclude(item__bank=F("assessment__bank"))
    for answer in elsewhere.select_related("assessment"):
        yield f"I-4 {answer} of {answer.assessment} is to an item of another bank"
    current = Count("answers", filter=Q(answers__replaced_at=None))
    counted = Assessment.objects.annotate(shown=current, last=Max("answers__position"))
    for attempt in counted.filter(shown__gt=0).exclude(shown=F("last")):
        yield f"I-4 {attempt} has gaps or doubles among its positions"


def links_used_out_of_time() -> Iterator[str]:
    """I-5: a link is used after its issue and before its expiry."""
    used = AssessmentLink.objects.exclude(used_at=None)
    for link in used.filter(Q(used_at__lt=F("issued_at")) | Q(used_at__gte=F("expires_at"))):
        yield f"I-5 {link} was used before its issue or after its expiry"


def rows_across_projects() -> Iterator[str]:
    """I-6: related rows belong to the same project and the same student."""
    links = AssessmentLink.objects.all()
    asked = links.exclude(access_token=None)
    for link in asked.exclude(access_token__project=F("student__project")):
        yield f"I-6 {link} was asked for by a token of another project"
    for link in links.exclude(assessment=None).exclude(assessment__student=F("student")):
        yield f"I-6 {link} opened an attempt of another student"
    completed = Assessment.objects.exclude(catalogue=None)
    for attempt in completed.exclude(catalogue__project=F("student__project")):
        yield f"I-6 {attempt} was completed with the catalogue of another project"
    for token in AccessToken.objects.exclude(replaces=None).exclude(replaces__project=F("project")):
        yield f"I-6 {token} replaces a token of another project"
    for token in AccessToken.objects.filter(Exists(_events().exclude(project=OuterRef("project")))):
        yield f"I-6 an audit event of {token} stands under another project"


def token_events_unwritten() -> Iterator[str]:
    """I-7: a token was issued, rotated or revoked if and only if the audit trail says so."""
    happened = {
        "token.issued": Q(pk__isnull=False),
        "token.rotated": Q(rotated_at__isnull=False),
        "token.revoked": Q(revoked_at__isnull=False),
    }
    for action, has_happened in happened.items():
        is_written = Exists(_events().filter(action=action))
        for token in AccessToken.objects.filter(has_happened & ~is_written):
            yield f"I-7 {action} of {token} has no audit event"
        for token in AccessToken.objects.filter(~has_happened & is_written):
            yield f"I-7 {action} of {token} is written down and has not happened"
    named = set(AccessToken.objects.values_list("token_id", flat=True))
    issued = AuditEvent.objects.filter(action="token.issued").values_list("object_id", flat=True)
    for token_id in sorted(set(issued) - named):
        yield f"I-7 token.issued of {token_id} is written down, and there is no such token"


def _events() -> Any:
    """Return the audit events about the token of the outer query."""
    return AuditEvent.objects.filter(object_type="accesstoken", object_id=OuterRef("token_id"))


def ends() -> Ends:
    """Return the ended attempts, including those past their finish-by, with their digests."""
    choices: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    ended = Assessment.objects.finished(timezone.now())
    answers = Answer.objects.filter(assessment__in=ended).order_by("assessment", "position")
    for pk, *answer in answers.values_list("assessment", "position", "item", "choice").iterator():
        choices[pk].append(tuple(answer))
    return {attempt.assessment_id: _digest(attempt, choices[attempt.pk]) for attempt in ended}


def _digest(attempt: Assessment, answers: list[tuple[Any, ...]]) -> str:
    final = (
        attempt.completed_at,
        attempt.abandoned_at,
        # The finish-by is final only if nothing else has ended the attempt.
        attempt.completed_at or attempt.abandoned_at or attempt.finish_by_at,
        attempt.profile,
        attempt.recommendations,
        attempt.catalogue_id,
        answers,
    )
    said = json.dumps(final, default=str, sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()


def changed(before: Ends, after: Ends) -> list[str]:
    """I-2: describe the ended attempts that have changed since."""
    return [
        f"I-2 {each} had ended, and {'was changed' if each in after else 'is open again, or gone'}"
        for each, digest in before.items()
        if after.get(each) != digest
    ]


def violations_of(service: Service) -> list[str]:
    """Return the violations in the database of a service."""
    found: list[str] = _asked(service, "violations()")
    return found


def ends_of(service: Service) -> Ends:
    """Return the ended attempts in the database of a service."""
    found: Ends = _asked(service, "ends()")
    return found


def _asked(service: Service, call: str) -> Any:
    program = (
        f"import json; from tests.support import invariants; print(json.dumps(invariants.{call}))"
    )
    return json.loads(service.manage("shell", "--no-imports", "-c", program))
