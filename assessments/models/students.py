"""Students: created with their first link, updated by each further one, erased on request."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, ClassVar, Self

from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.db.models import Count, Q
from django.utils import timezone

from assessments.models import identity
from partners import plain_text
from partners.models import Actor, AuditEvent, Project, Refused
from partners.public_ids import new_public_id

ERASED = "student.erased"
CORRECTED = "student.email_corrected"
# Replaces the values of columns that must not be empty.
NOBODY = "erased"
# Of links and attempts. An erasure replaces the address by a receipt.
NOT_ERASED = Q(student__email_key__contains="@")
# The audit trail stores the receipt and a separator before the reason.
REASON_MAX = 170
# Of a profile: what it says of the courses that the student named.
IDEAS = ("considered", "unnamed")
# Shorter parts of a name are too common in sentences.
SHORTEST_WORD = 3
# Families share a phone. More students share a placeholder, or one person's number.
MAX_SHARED_BY = 3
PROJECT_CLOSED = (
    "The project is closed, so its links cannot be started. If the partner wants that, reopen the "
    "project first."
)
STARTED_OR_ERASED = (
    "Nothing was changed. The address can be corrected only before anybody starts a link of the "
    "student, and this student has started one or was erased. Ask the partner to request a link "
    "with the right address: that is another student. Of the wrong one, close the attempt, or ask "
    "an administrator to erase it."
)
# Called in the transaction of an erasure, with the locked student. A module whose rows about a
# student an erasure deletes adds a function. Links, attempts and answers stay, without a name.
erasers: list[Callable[[Student], object]] = []


class ReasonNamesThePerson(ValidationError):
    """The reason, which is kept for years, names the person that it is about."""


class StudentQuerySet(models.QuerySet["Student"]):
    def known_as(self, project: Project, email: str) -> Student:
        """Return the project's student with this e-mail address. Raise DoesNotExist."""
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
        """Return the students of all projects with this e-mail key or mobile number."""
        return self.filter(email_key=contact) if "@" in contact else self.filter(mobile=contact)

    def locked(self, pk: int) -> Student:
        """Return the student, locked until the transaction ends, so that starts take turns."""
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
            # The newest students of one project, and their links and attempts.
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
        """The number of the erasure, or "" if the student was not erased."""
        return "" if "@" in self.email_key else self.email_key

    @property
    def is_erased(self) -> bool:
        return bool(self.receipt)

    def number_identifies(self, number: str) -> bool:
        """Return whether at most MAX_SHARED_BY students of the project have this number (E.164)."""
        having = Student.objects.filter(project=self.project_id, mobile=number)
        others = having.exclude(pk=self.pk).order_by()[:MAX_SHARED_BY]
        return others.count() < MAX_SHARED_BY

    @property
    def erased_at(self) -> datetime | None:
        if not self.is_erased:
            return None
        events = AuditEvent.objects.about(self).of_actions([ERASED])
        return events.values_list("at", flat=True).first()

    @property
    def refusal_of_link(self) -> str:
        """Why staff can't issue a link to the student; "" if they can."""
        if self.is_erased:
            return "This student was erased, so there is nobody to send a link to."
        return PROJECT_CLOSED if self.project.is_closed else ""

    @property
    def refusal_of_correction(self) -> str:
        """Why staff can't correct the address; "" if they can."""
        if self.project.is_closed:
            return PROJECT_CLOSED
        # Perhaps by a stranger, to whom a link went.
        is_started = self.links.exclude(used_at=None).exists() or self.attempts.exists()
        return STARTED_OR_ERASED if self.is_erased or is_started else ""

    @transaction.atomic
    def correct_email(self, email: str, *, by: Actor, reason: str = "") -> int:
        """Give the student another e-mail address, and cancel the unused links sent to the old one.

        Return how many. Raise ValidationError if it is no address, the student's own or another
        student's; Refused if a link was started; ReasonNamesThePerson.
        """
        # A full lock, because the key changes; starts and fresh links lock the student too.
        locked = Student.objects.select_for_update().get(pk=self.pk)
        try:
            email, key = identity.read_email(email), identity.email_key(email)
        except ValueError:
            key = locked.email_key
        if key == locked.email_key:
            error = "Give another e-mail address, such as asha.rao@example.com."
            raise ValidationError({"email": error})
        if refusal := locked.refusal_of_correction:
            raise Refused(refusal)
        locked.refuse_naming(reason)
        try:
            with transaction.atomic():
                Student.objects.filter(pk=self.pk).update(email=email, email_key=key)
        except IntegrityError:
            error = (
                "Another student of the project has this address. Issue a fresh link to that "
                "student, and cancel the links of this one."
            )
            raise ValidationError({"email": error}) from None
        at, changes = timezone.now(), {"email": (None, None)}
        cancelled = self.links.cancel(locked, by=by, reason=reason, at=at)
        AuditEvent.record(CORRECTED, locked, by=by, reason=reason, changes=changes, at=at)
        self.refresh_from_db()
        return cancelled

    def row_counts(self) -> dict[str, int]:
        """Count the links, attempts and answers, which an erasure keeps without a name."""
        counts = self.attempts.aggregate(
            attempts=Count("pk", distinct=True), answers=Count("answers__answered_at")
        )
        return {"links": self.links.count(), **counts}

    @transaction.atomic
    def erase(self, *, by: Actor, reason: str = "", at: datetime | None = None) -> str:
        """Permanently remove everything that identifies the person; attempts stay, anonymously.

        Disables links and cookies, and ends an open attempt. Return the receipt, the same one if
        the student was erased before. Raise ReasonNamesThePerson, with nothing changed.
        """
        at = at or timezone.now()
        # A full lock, because the key changes. Then attempts, then links: starting, answering and
        # deleting lock in this order too.
        locked = Student.objects.select_for_update().get(pk=self.pk)
        attempts = list(locked.attempts.select_for_update().order_by("pk"))
        links = list(locked.links.select_for_update().order_by("pk"))
        receipt = locked.receipt
        if not receipt:
            locked.refuse_naming(reason)
            receipt = new_public_id("ers")
            at = locked._erase_attempts(attempts, at)
            locked._erase_links(links, at)
            for erase in erasers:
                erase(locked)
            Student.objects.filter(pk=self.pk).update(
                # The receipt cannot be an e-mail address: it has no @.
                email_key=receipt,
                email=f"{NOBODY} on {at:%Y-%m-%d}",
                name=NOBODY,
                mobile=NOBODY,
            )
            note = f"{receipt}: {reason}" if reason else receipt
            AuditEvent.record(ERASED, locked, by=by, reason=note, at=at)
        self.refresh_from_db()
        return receipt

    def _erase_attempts(self, attempts: list[Any], at: datetime) -> datetime:
        """Remove personal data, and end an open attempt. Return when that ended, or `at`."""
        for attempt in attempts:
            attempt.browser_digest = secrets.token_hex(32)
            for kept in IDEAS if attempt.profile else ():
                attempt.profile.pop(kept, None)
        self.attempts.bulk_update(attempts, ["browser_digest", "profile"], batch_size=500)
        guardian = {"is_minor": None, "guardian_name": "", "guardian_contact": ""}
        self.attempts.update(**guardian, dismissed=[], considered=None, considers_unlisted=None)
        return self.attempts.end("abandoned_at", at) or at

    def _erase_links(self, links: list[Any], at: datetime) -> None:
        for link in links:
            link.token_digest = secrets.token_hex(32)
            link.name = link.mobile = NOBODY
            link.reference = ""
            if link.used_at is None and link.expires_at > at:
                # A link may be issued at this moment, or by a server whose clock is ahead.
                link.expires_at = max(at, link.issued_at + timedelta(microseconds=1))
        columns = ["token_digest", "name", "mobile", "reference", "expires_at"]
        self.links.bulk_update(links, columns, batch_size=500)

    def refuse_naming(self, reason: str) -> None:
        """Raise ReasonNamesThePerson if a reason names the student or a guardian.

        Looks for words of names, a short name as a whole, the mailbox, and any address or number.
        """
        if not reason:
            return
        links = self.links.values_list("name", flat=True)
        guardians = self.attempts.values_list("guardian_name", flat=True)
        names = [plain_text.words(name) for name in {self.name, *links, *guardians}]
        mailbox = " ".join(plain_text.words(self.email.partition("@")[0].partition("+")[0]))
        parts = {mailbox, *(word for each in names for word in each)}
        phrases = {each for each in parts if len(each) >= SHORTEST_WORD}
        phrases |= {" ".join(each) for each in names if each}
        said = f" {' '.join(plain_text.words(reason))} "
        if plain_text.holds_contact(reason) or any(f" {each} " in said for each in phrases):
            text = (
                "The reason names the person. The audit trail keeps it for years: write it without "
                "names, addresses and numbers, for example “asked for by letter”."
            )
            raise ReasonNamesThePerson({"reason": text})
