"""Who did what: the audit trail, which is only ever added to."""

from __future__ import annotations

import ipaddress
from datetime import datetime
from typing import Any, NoReturn, Self, Unpack, cast

from django.contrib.auth import get_user_model
from django.db import models
from django.db.models import OuterRef, Q, Subquery, Value
from django.db.models.functions import Cast, Concat
from django.utils import timezone

from partners.origin import Origin

# After that an event may go, and PostgreSQL lets it: see the migration 0005.
KEPT_YEARS = 7


class AppendOnlyError(RuntimeError):
    """Somebody tried to change or delete what was recorded."""


class AuditEventQuerySet(models.QuerySet["AuditEvent"]):
    def about(self, target: models.Model) -> Self:
        return self.filter(object_type=_kind(target), object_id=_public_id(target))

    def newest_first(self) -> Self:
        return self.order_by("-at", "-pk")

    def with_staff_names(self) -> Self:
        """Add `staff_name`, the user name behind a `staff:<pk>` actor, null for any other."""
        staff = get_user_model()._default_manager.annotate(
            as_actor=Concat(Value("staff:"), Cast("pk", models.CharField()))
        )
        names = staff.filter(as_actor=OuterRef("actor")).values(get_user_model().USERNAME_FIELD)
        return self.annotate(staff_name=Subquery(names[:1]))

    def update(self, **kwargs: Any) -> NoReturn:
        raise AppendOnlyError("Audit events are never changed.")

    def bulk_update(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise AppendOnlyError("Audit events are never changed.")

    def delete(self) -> NoReturn:
        raise AppendOnlyError("Audit events are never deleted.")


class AuditEvent(models.Model):
    """One act of staff, a command, a partner or a student. Holds identifiers only, no e-mail."""

    at = models.DateTimeField("when", db_index=True)
    actor = models.CharField("who", max_length=200)
    action = models.CharField(max_length=40)
    object_type = models.CharField("kind of object", max_length=40)
    object_id = models.CharField("object", max_length=64)
    project = models.ForeignKey(
        "partners.Project",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="audit_events",
    )
    address = models.GenericIPAddressField("from address", null=True, blank=True)
    request_id = models.CharField(max_length=64, blank=True, default="")
    reason = models.CharField(max_length=200, blank=True, default="")

    objects = AuditEventQuerySet.as_manager()

    class Meta:
        # There is one right to an audit trail: to read it.
        default_permissions = ("view",)
        indexes = [models.Index(fields=["object_type", "object_id"], name="auditevent_object")]
        constraints = [
            models.CheckConstraint(
                condition=~Q(actor="") & ~Q(action="") & ~Q(object_type="") & ~Q(object_id=""),
                name="auditevent_says_who_what_and_to_what",
            )
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.object_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise AppendOnlyError("Audit events are never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise AppendOnlyError("Audit events are never deleted.")

    @property
    def who(self) -> str:
        """Return the actor in words. Needs `with_staff_names()`, else it is the bare actor."""
        return getattr(self, "staff_name", None) or self.actor

    @classmethod
    def record(
        cls,
        action: str,
        target: models.Model,
        *,
        reason: str = "",
        at: datetime | None = None,
        **origin: Unpack[Origin],
    ) -> AuditEvent:
        """Write down an act. Call it in the transaction of the act, so that both or neither stand.

        `target` is known by its `public_id`, else by kind and number; it has a `project` if it
        belongs to one.
        """
        address = origin.get("address")
        return cls.objects.create(
            at=at or timezone.now(),
            actor=origin["actor"],
            action=action,
            object_type=_kind(target),
            object_id=_public_id(target),
            project=getattr(target, "project", None),
            address=address if _is_address(address) else None,
            request_id=origin.get("request_id", ""),
            reason=reason,
        )


def _kind(target: models.Model) -> str:
    return target._meta.model_name or ""


def _public_id(target: models.Model) -> str:
    """Return the target's own identifier, or its kind and number: `user-7`."""
    return cast("str", getattr(target, "public_id", f"{_kind(target)}-{target.pk}"))


def _is_address(text: str | None) -> bool:
    """Tell whether a column for addresses takes `text`; "unknown" is none."""
    try:
        ipaddress.ip_address(text or "")
    except ValueError:
        return False
    return True
