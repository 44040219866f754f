"""Erasing what is known of one person: what will be touched, and the doing of it.

It works through the rows that belong to the student and imports no model: `Student.erase` is the
door. What stays are rows without a name: how many links, attempts and answers there were, and what
was scored and recommended.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Unpack

from django.db import models, transaction
from django.db.models import Count

from assessments.identity import MOBILE_MIN
from partners import reasons
from partners.models import AuditEvent
from partners.origin import Origin
from partners.public_ids import new_public_id

if TYPE_CHECKING:
    from assessments.models.students import Student

ACTION = "student.erased"
# What stands in a column that may not be empty.
NOBODY = "erased"
# What a receipt takes of the reason's room in the audit trail: `ers_`, 16 letters, a separator.
REASON_MAX = 170
# Shorter words are in half of all sentences.
TELLING = 3
# A number is the same with the code of its country and without it.
NUMBER_END = 10


class ReasonNamesThePerson(ValueError):
    """The reason would keep in the audit trail, for years, what is about to be erased."""


@dataclass(frozen=True)
class Touched:
    """What of a student an erasure touches."""

    links: int
    startable: int
    attempts: int
    open: int
    guardians: int
    answers: int


@dataclass(frozen=True)
class Erased:
    """What an erasure leaves: a receipt, and the counts of what is nobody's now."""

    receipt: str
    links: int
    attempts: int
    answers: int


def touched(student: Student, at: datetime) -> Touched:
    """Count what an erasure would touch."""
    attempts = student.assessments.all()
    return Touched(
        links=student.links.count(),
        startable=student.links.unused(at).count(),
        attempts=attempts.count(),
        open=attempts.open(at).count(),
        guardians=attempts.exclude(guardian_name="").count(),
        answers=attempts.aggregate(given=Count("answers__answered_at"))["given"],
    )


@transaction.atomic
def erase(student: Student, reason: str, at: datetime, **origin: Unpack[Origin]) -> Erased:
    """Do what `Student.erase` says."""
    # Held in full, as its key changes. Then attempts, then links: whoever starts, answers or
    # deletes takes them in this order too.
    held = type(student).objects.select_for_update().get(pk=student.pk)
    attempts = list(held.assessments.select_for_update().order_by("pk"))
    links = list(held.links.select_for_update().order_by("pk"))
    receipt = held.receipt
    if not receipt:
        refuse_naming(reason, held)
        receipt = new_public_id("ers")
        _forget_attempts(held, attempts, at)
        _forget_links(held, links, at)
        type(student).objects.filter(pk=held.pk).update(
            # The receipt can't be anybody's e-mail address: it has no @.
            email_key=receipt,
            email=f"{NOBODY} on {at:%Y-%m-%d}",
            name=NOBODY,
            mobile=NOBODY,
        )
        note = f"{receipt}: {reason}" if reason else receipt
        AuditEvent.record(ACTION, held, reason=note, at=at, **origin)
    student.refresh_from_db()
    left = touched(student, at)
    return Erased(receipt, left.links, left.attempts, left.answers)


def _forget_attempts(student: Student, attempts: list[Any], at: datetime) -> None:
    """Let no browser open them, and nobody find a guardian in them; end what is open."""
    for attempt in attempts:
        attempt.browser_digest = secrets.token_hex(32)
    student.assessments.bulk_update(attempts, ["browser_digest"], batch_size=500)
    student.assessments.update(is_minor=None, guardian_name="", guardian_contact="")
    student.assessments.open(at).update(abandoned_at=at)


def _forget_links(student: Student, links: list[Any], at: datetime) -> None:
    """Let no link token find them, and none that is unused be started; nor what fetched them."""
    events: type[models.Model] = student.links.model._meta.get_field("events").related_model
    events._base_manager.filter(link__in=links).delete()
    for link in links:
        link.token_digest = secrets.token_hex(32)
        link.name = link.mobile = NOBODY
        if link.used_at is None and link.expires_at > at:
            # It was issued at this very moment, or by a clock that ran ahead.
            link.expires_at = max(at, link.issued_at + timedelta(microseconds=1))
    student.links.bulk_update(
        links, ["token_digest", "name", "mobile", "expires_at"], batch_size=500
    )


def refuse_naming(reason: str, student: Student) -> None:
    """Raise ReasonNamesThePerson if the reason says who the student or a guardian is.

    Looked for are each word of a name from three letters, however it is inflected by an apostrophe
    or written; a whole shorter name; an e-mail address, or what stands before its @; a number by
    its last ten digits, whatever stands between them.
    """
    if not reason:
        return
    links = student.links.values_list("name", "mobile")
    guardians = student.assessments.values_list("guardian_name", "guardian_contact")
    names, contacts = {student.name}, {student.email, student.email_key, student.mobile}
    for name, contact in (*links, *guardians):
        names.add(name)
        contacts.add(contact)
    said, number = f" {' '.join(reasons.words(reason))} ", reasons.digits(reason)
    phrases = {word for name in names for word in reasons.words(name) if len(word) >= TELLING}
    phrases |= {" ".join(reasons.words(name)) for name in names}
    phrases |= {" ".join(reasons.words(each)) for each in contacts if "@" in each}
    phrases |= set(filter(None, map(_before_at, contacts)))
    numbers = {reasons.digits(each)[-NUMBER_END:] for each in contacts if "@" not in each}
    if any(f" {phrase} " in said for phrase in phrases - {""}) or any(
        each in number for each in numbers if len(each) >= MOBILE_MIN
    ):
        raise ReasonNamesThePerson(
            "The reason names the person. It is kept in the audit trail for years: write it "
            "without any part of a name, an e-mail address or a number of the student or the "
            "guardian, for example “asked for by letter”."
        )


def _before_at(contact: str) -> str:
    """Return the words before the @ and before a tag, "" if they are too short to tell anybody."""
    local, at_sign, _ = contact.partition("@")
    said = " ".join(reasons.words(local.partition("+")[0]))
    return said if at_sign and len(said) >= TELLING else ""
