"""Cancel links that nobody has started: by a partner, by staff, or with the token that leaked."""

from __future__ import annotations

from datetime import datetime
from typing import Self, TypeVar, Unpack

from django.db import models, transaction
from django.utils import timezone

from assessments.models.students import Student
from partners.models import AuditEvent, Project
from partners.models.audit import ActorContext

Link = TypeVar("Link", bound=models.Model)
CANCELLED = "link.cancelled"


class LinkStarted(Exception):
    """The link was started, so it can't be cancelled."""


class CancellingQuerySet(models.QuerySet[Link]):
    def unused(self, at: datetime) -> Self:
        """Return links that can be started: neither used nor cancelled nor expired."""
        return self.filter(used_at=None, cancelled_at=None, expires_at__gt=at)

    def expired(self, at: datetime) -> Self:
        """Return links that nobody started in time."""
        return self.filter(used_at=None, cancelled_at=None, expires_at__lte=at)

    @transaction.atomic
    def cancel(
        self,
        target: models.Model,
        *,
        reason: str = "",
        at: datetime | None = None,
        **context: Unpack[ActorContext],
    ) -> int:
        """Cancel the unused ones of these links, record it about `target`, and return how many.

        Of a cancelling and a start at the same moment, one wins: PostgreSQL checks `unused` again
        for a row that changed while the UPDATE waited for it. So filter these links by columns of
        their own table, without a join.
        """
        at = at or timezone.now()
        cancelled = self.unused(at).update(cancelled_at=at)
        if cancelled:
            AuditEvent.record(
                CANCELLED, target, reason=reason or _counted(cancelled), at=at, **context
            )
        return cancelled

    def cancel_named(
        self,
        project: Project,
        link_id: str,
        *,
        at: datetime | None = None,
        **context: Unpack[ActorContext],
    ) -> int:
        """Cancel the link of this project with this id, and return 1, or 0 if it has ended.

        Raises DoesNotExist if there is none or its student was erased, LinkStarted if it was used.
        """
        link = self.select_related("student__project").get(
            student__project=project, student__email_key__contains="@", link_id=link_id
        )
        cancelled = self.filter(pk=link.pk).cancel(link, at=at, **context)
        if not cancelled and self.filter(pk=link.pk).exclude(used_at=None).exists():
            raise LinkStarted
        return cancelled

    @transaction.atomic
    def cancel_for_email(
        self,
        project: Project,
        email: str,
        *,
        at: datetime | None = None,
        **context: Unpack[ActorContext],
    ) -> int:
        """Cancel the unused links of the student with this e-mail address. Return how many."""
        try:
            student = Student.objects.known_as(project, email)
        except Student.DoesNotExist:
            return 0
        # Starts and erasure lock the student too, so that none of them waits for another's links.
        Student.objects.locked(student.pk)
        return self.filter(student=student).cancel(student, at=at, **context)


def _counted(links: int) -> str:
    return "1 link" if links == 1 else f"{links} links"
