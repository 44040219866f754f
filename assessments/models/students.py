"""Students: known by e-mail within a project, remembered at each link, erased on request.

An erasure works through the rows that belong to the student and imports no model above it. What
stays are rows without a name: how many links, attempts and answers there were, and what was scored
and recommended.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar, Self, Unpack

from django.db import models, transaction
from django.db.models import Count, Q
from django.utils import timezone

from assessments import identity
from partners import reasons
from partners.models import AuditEvent, Project
from partners.origin import Origin
from partners.public_ids import new_public_id

ERASED = "student.erased"
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


class StudentQuerySet(models.QuerySet["Student"]):
    def remember(
        self, project: Project, *, name: str, email: str, mobile: str, at: datetime
    ) -> Student:
        """Return the project's student of this e-mail, with the name and mobile given now.

        `email` has passed `identity.email_key`. Two calls at one moment make one student.
        """
        student = Student(
            project=project,
            email_key=identity.email_key(email),
            email=email,
            name=name,
            mobile=identity.normal_mobile(mobile),
            created_at=at,
        )
        self.bulk_create(
            [student],
            update_conflicts=True,
            unique_fields=["project", "email_key"],
            update_fields=["email", "name", "mobile"],
        )
        return student

    def known_as(self, project: Project, email: str) -> Student:
        """Return the project's student of this e-mail address. Raise DoesNotExist otherwise."""
        try:
            email_key = identity.email_key(email)
        except ValueError:
            raise Student.DoesNotExist from None
        return self.select_related("project").get(project=project, email_key=email_key)

    def elsewhere(self, student: Student) -> Self:
        """Return the students of other projects with the same e-mail address."""
        same = self.filter(email_key=student.email_key).exclude(pk=student.pk)
        return same.select_related("project").order_by("project__project_id")

    def known_by(self, contact: str) -> Self:
        """Return the students of an e-mail key, or of a mobile number, in every project."""
        return self.filter(email_key=contact) if "@" in contact else self.filter(mobile=contact)

    def locked(self, pk: int) -> Student:
        """Return the student, held until the transaction ends: one start at a time."""
        return self.select_for_update(no_key=True).get(pk=pk)


class Student(models.Model):
    """A person, known by e-mail within a project."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, db_index=False)
    email_key = models.CharField(max_length=identity.EMAIL_MAX, help_text="identity.email_key")
    email = models.CharField("e-mail", max_length=identity.EMAIL_MAX, help_text="As given last.")
    name = models.CharField(max_length=identity.NAME_MAX, help_text="As given last.")
    mobile = models.CharField(max_length=identity.MOBILE_MAX + 1, help_text="As given last.")
    created_at = models.DateTimeField()

    objects = StudentQuerySet.as_manager()

    class Meta:
        default_permissions = ("view",)
        permissions: ClassVar = [("erase_student", "Can erase what is known of a student")]
        indexes: ClassVar = [
            # A support desk looks a student up without knowing the project.
            models.Index(fields=["email_key"], name="student_email"),
            models.Index(fields=["mobile"], name="student_mobile"),
            # The newest of one project, and of their links and attempts.
            models.Index(fields=["project", "id"], name="student_newest_of_project"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["project", "email_key"], name="student_email_unique_in_project"
            ),
            models.CheckConstraint(
                condition=~Q(email_key="") & ~Q(email="") & ~Q(name="") & ~Q(mobile=""),
                name="student_details_not_empty",
            ),
        ]

    def __str__(self) -> str:
        return f"student {self.pk}"

    @property
    def receipt(self) -> str:
        """The number under which the student was erased; "" while somebody is known."""
        return "" if "@" in self.email_key else self.email_key

    @property
    def is_erased(self) -> bool:
        return bool(self.receipt)

    @property
    def erased_at(self) -> datetime | None:
        """When the student was erased: the audit trail knows, which outlives the row."""
        if not self.is_erased:
            return None
        events = AuditEvent.objects.about(self).of_actions([ERASED])
        return events.values_list("at", flat=True).first()

    def touched(self, at: datetime | None = None) -> Touched:
        """Count what an erasure would touch."""
        return touched(self, at or timezone.now())

    def refuse_naming(self, reason: str) -> None:
        """Raise ReasonNamesThePerson if a reason, which is kept for years, says who this is."""
        refuse_naming(reason, self)

    def erase(
        self, *, reason: str = "", at: datetime | None = None, **origin: Unpack[Origin]
    ) -> Erased:
        """Forget the person at once and for good; the attempts stay, as nobody's.

        Names, addresses, numbers and guardians go, links and browsers open nothing any more, an
        open attempt ends. A student who was erased before keeps the receipt. Raise
        ReasonNamesThePerson, with nothing changed: the reason is kept.
        """
        return erase(self, reason, at or timezone.now(), **origin)


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
        AuditEvent.record(ERASED, held, reason=note, at=at, **origin)
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
        each in number for each in numbers if len(each) >= identity.MOBILE_MIN
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
