"""Private links to results: made, found by their key, and ended. Timestamps tell their state."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import ClassVar, Self

from django.conf import settings
from django.db import models, transaction
from django.db.models import F, Q
from django.utils import timezone

from assessments.models.attempts import Attempt
from assessments.models.identity import URL_SECRET, new_url_secret, secret_digest
from assessments.models.students import erasers
from partners.models import Actor, AuditEvent, Refused
from partners.times import kept_until

WORKS_FOR = timedelta(days=90)
PRIVATE_LINK_ENDED = "attempt.private_link_ended"
NONE_WORKS = "Nothing was changed: this result has no private link that still works."


class NoResult(Exception):
    """There is no result here to make a link to: not completed, deleted, or held elsewhere."""


class AnotherMade(Exception):
    """The attempt has a newer private link than the student has seen."""


class PrivateLinkQuerySet(models.QuerySet["PrivateLink"]):
    def working(self, at: datetime | None = None) -> Self:
        return self.filter(ended_at=None, expires_at__gt=at or timezone.now())

    @transaction.atomic
    def make(
        self,
        attempt: Attempt,
        *,
        with_puzzles: bool,
        with_ideas: bool = False,
        seen_version: str,
        at: datetime | None = None,
    ) -> tuple[PrivateLink, str]:
        """Make a link to a result in place of an earlier one. Return it and its key, not stored.

        So an attempt has one at most. `seen_version` is that of the link that the student saw, or
        "". Raise AnotherMade if there is a newer one, as after a form sent twice, or NoResult.
        """
        at = at or timezone.now()
        # Erasure, purge and "Forget this browser" wait for this lock, or this waits for theirs.
        completed = Attempt.objects.select_for_update(no_key=True).completed()
        completed = completed.only("completed_at", "retention_months")
        locked = completed.filter(pk=attempt.pk, browser_digest=attempt.browser_digest).first()
        if locked is None or (expires_at := _expires_at(locked, at)) <= at:
            raise NoResult
        earlier = self.filter(attempt=attempt).first()
        if seen_version != (earlier.version if earlier else ""):
            raise AnotherMade
        self.filter(attempt=attempt).delete()
        key = new_url_secret()
        link = self.create(
            attempt=attempt,
            key_digest=secret_digest(key),
            created_at=at,
            expires_at=expires_at,
            with_puzzles=with_puzzles,
            with_ideas=with_ideas,
        )
        return link, key

    def end(self, attempt: Attempt, at: datetime | None = None) -> bool:
        """End the link of an attempt that works now, whichever it is. Return False without one."""
        at = at or timezone.now()
        return self.working(at).filter(attempt=attempt).update(ended_at=at) == 1

    @transaction.atomic
    def end_by_staff(
        self, attempt: Attempt, *, by: Actor, reason: str = "", at: datetime | None = None
    ) -> None:
        """Like `end`, by staff. Raise Refused without one, or ReasonNamesThePerson."""
        attempt.student.refuse_naming(reason)
        at = at or timezone.now()
        if not self.end(attempt, at):
            raise Refused(NONE_WORKS)
        AuditEvent.record(PRIVATE_LINK_ENDED, attempt, by=by, reason=reason, at=at)

    def for_key(self, project_id: str, key: str, at: datetime | None = None) -> PrivateLink:
        """Return the working link of this key in this project. Raise DoesNotExist otherwise."""
        if not URL_SECRET.fullmatch(key):
            raise self.model.DoesNotExist
        links = self.working(at).select_related("attempt__student__project")
        return links.get(
            key_digest=secret_digest(key), attempt__student__project__project_id=project_id
        )


def _expires_at(attempt: Attempt, at: datetime) -> datetime:
    """Return when a link made now expires: at the end of the attempt's retention at the latest."""
    completed_at = attempt.completed_at or at
    last_day = kept_until(completed_at.astimezone(UTC).date(), attempt.retention_months)
    deleted_from = datetime.combine(last_day + timedelta(days=1), time(), tzinfo=UTC)
    return min(at + WORKS_FOR, deleted_from)


class PrivateLink(models.Model):
    """An address at which anybody who has it can read the result of an attempt."""

    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="private_links")
    key_digest = models.CharField(max_length=64, help_text="SHA-256, in hex.")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(help_text="Until then the link opens the result.")
    ended_at = models.DateTimeField(null=True, blank=True, help_text="By the student or by staff.")
    with_puzzles = models.BooleanField(help_text="Whether it also shows how the puzzles went.")
    with_ideas = models.BooleanField(help_text="Whether it also shows the courses they named.")

    objects = PrivateLinkQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["key_digest"], name="privatelink_key_once"),
            models.UniqueConstraint(
                fields=["attempt"],
                condition=Q(ended_at=None),
                name="privatelink_one_not_ended_per_attempt",
            ),
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("created_at")),
                name="privatelink_expires_after_creation",
            ),
        ]

    def __str__(self) -> str:
        return f"private link {self.pk}"

    @property
    def version(self) -> str:
        """Identifies the shown link when the form is posted."""
        return self.created_at.isoformat()

    def works(self, at: datetime | None = None) -> bool:
        return self.ended_at is None and (at or timezone.now()) < self.expires_at

    @staticmethod
    def url(project_id: str, key: str) -> str:
        """Return the address of a key, based on a setting and never the Host header."""
        return f"{settings.APP_URL}/{project_id}/result?key={key}"


erasers.append(lambda student: PrivateLink.objects.filter(attempt__student=student).delete())
