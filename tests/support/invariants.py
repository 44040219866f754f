"""The invariants I-1 to I-7, which hold for all rows after any race, kill or failure.

I-8, that every acknowledged write is stored, needs a log of acknowledged writes (ledger.py). The
checks use stored times only, so the program must not turn a clock back. Rows from factories, which
have no link or audit event, break the invariants.

    program                          in a test
    ends_of(service)                 ends()
"""

import hashlib
import json
from collections import defaultdict

from django.db.models import Count, Exists, F, Max, OuterRef, Q
from django.utils import timezone

from assessments.models import Answer, AssessmentLink, Attempt, ItemBank
from partners.models import AuditEvent
from tokens.models import AccessToken


def violations():
    """Describe each broken invariant, beginning with its number. [] if all hold."""
    found = [f"{text}: {row}" for text, rows in _never().items() for row in rows]
    return [*found, *_completed_by_halves(), *_token_events_unwritten()]


def _never():
    """Return, by what is wrong with them, the rows that may not exist."""
    links, attempts, tokens = (
        each.objects.all() for each in (AssessmentLink, Attempt, AccessToken)
    )
    out_of_time = Q(used_at__lt=F("issued_at")) | Q(used_at__gte=F("expires_at"))
    current = Count("answers", filter=Q(answers__replaced_at=None))
    counted = attempts.annotate(shown=current, last=Max("answers__position"))
    other_project = F("student__project")
    foreign_event = Exists(_events().exclude(project=OuterRef("project")))
    return {
        # A link starts at most one attempt; a second one would have no link.
        "I-1 an attempt without a link": attempts.filter(links=None),
        "I-4 an answer to an item of another bank": Answer.objects.exclude(
            item__bank=F("attempt__bank")
        ),
        "I-4 gaps or doubles among its positions": counted.filter(shown__gt=0).exclude(
            shown=F("last")
        ),
        "I-5 a link used before its issue or after its expiry": links.filter(out_of_time),
        "I-6 a link asked for by a token of another project": links.exclude(
            access_token=None
        ).exclude(access_token__project=other_project),
        "I-6 a link that opened an attempt of another student": links.exclude(attempt=None).exclude(
            attempt__student=F("student")
        ),
        "I-6 an attempt completed with the catalogue of another project": attempts.exclude(
            catalogue=None
        ).exclude(catalogue__project=other_project),
        "I-6 a token that replaces one of another project": tokens.exclude(replaces=None).exclude(
            replaces__project=F("project")
        ),
        "I-6 a token with an audit event of another project": tokens.filter(foreign_event),
    }


def _completed_by_halves():
    """I-3: a completed attempt has all answers, a result, courses and no negative duration."""
    completed = Attempt.objects.completed().with_answered().select_related("catalogue")
    for attempt in completed.iterator():
        profile, catalogue, courses = attempt.profile, attempt.catalogue, attempt.recommendations
        total = ItemBank.cached(attempt.bank_id).layout.total
        answered = attempt.answered  # annotated
        if answered != total:
            yield f"I-3 {attempt} is completed with {answered} of {total} answers"
        if not profile:
            yield f"I-3 {attempt} is completed without a result"
        if catalogue is None or courses is None:
            yield f"I-3 {attempt} is completed without recommendations"
        elif bool(courses) != bool(catalogue.courses) and not (profile or {}).get("other_subjects"):
            yield f"I-3 {attempt} is completed with recommendations that its catalogue lacks"
        if attempt.completed_at and attempt.completed_at < attempt.started_at:
            yield f"I-3 {attempt} took less than no time"


def _token_events_unwritten():
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


def _events():
    return AuditEvent.objects.filter(object_type="accesstoken", object_id=OuterRef("token_id"))


def ends():
    """Return the ended attempts, including those past their finish-by, with their digests."""
    choices = defaultdict(list)
    ended = Attempt.objects.ended(timezone.now())
    answers = Answer.objects.filter(attempt__in=ended).order_by("attempt", "position")
    for pk, *answer in answers.values_list("attempt", "position", "item", "choice").iterator():
        choices[pk].append(tuple(answer))
    return {each.assessment_id: _digest(each, choices[each.pk]) for each in ended}


def _digest(attempt, answers):
    at = attempt.completed_at, attempt.abandoned_at
    final = (
        *at,
        # The finish-by is final only if nothing else has ended the attempt.
        at[0] or at[1] or attempt.finish_by_at,
        *(attempt.profile, attempt.recommendations, attempt.catalogue_id, answers),
    )
    said = json.dumps(final, default=str, sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()


def changed(before, after):
    """I-2: describe the ended attempts that have changed since."""
    return [
        f"I-2 {each} had ended, and {'was changed' if each in after else 'is open again, or gone'}"
        for each, digest in before.items()
        if after.get(each) != digest
    ]


def ends_of(service):
    return dict(service.call("tests.support.invariants", "ends()"))
