"""The audit trail: who did what. Append-only."""

from __future__ import annotations

import getpass
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Self, cast

from django.apps import apps
from django.contrib.auth.models import User
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import OuterRef, Q, Subquery, Value
from django.db.models.functions import Cast, Concat
from django.http import HttpRequest
from django.utils import timezone

from partners.times import ended_before

ACTIONS: dict[str, tuple[str, ...]] = {
    "staff": (
        *("signed_in", "sign_in_refused", "signed_out", "added", "changed", "refused"),
        *("second_factor_set", "second_factor_refused", "second_factor_reset"),
        *("recovery_code_used", "recovery_codes_made"),
        *("password_changed", "password_link_made", "password_chosen"),
    ),
    "partner": ("created", "changed"),
    "project": ("created", "changed", "closed", "reopened", "invited"),
    "token": ("issued", "rotated", "revoked"),
    "link": ("issued", "cancelled"),
    "attempt": ("closed", "extended", "private_link_ended"),
    "webhook": (
        *("set_up", "changed", "secret_rotated", "switched_off", "switched_on"),
        *("test_sent", "replayed"),
    ),
    "student": ("read", "listed", "erased", "email_corrected"),
    "results": ("exported", "filled"),
    "answers": ("exported",),
    "data": ("purged",),
    "bank": ("published", "made_current", "retired"),
    "courses": ("loaded", "added", "changed", "restored"),
}


# What staff only looked at, and how they signed in: many events that hide the acts.
READS = ("student.read", "student.listed")
SIGN_INS = (
    *("staff.signed_in", "staff.sign_in_refused", "staff.signed_out"),
    *("staff.second_factor_refused", "staff.recovery_code_used"),
)


def of_kind(kind: str) -> list[str]:
    """Return a kind's actions, such as `token.issued`; none for an unknown kind."""
    return [f"{kind}.{act}" for act in ACTIONS.get(kind, ())]


@dataclass(frozen=True)
class Actor:
    name: str  # staff:<pk>, command:<login>, token:<TokenId> or unknown
    address: str | None = None
    request_id: str = ""


class Refused(Exception):
    """The state of a row does not allow an act by staff, so nothing was changed.

    The text says why and what to do, in sentences for staff. The admin shows it as a warning, a
    command as its error. What the user typed wrong raises ValidationError instead, which a form
    shows at its field.
    """


def request_actor(name: str, request: HttpRequest) -> Actor:
    address: str = request.client_address  # type: ignore[attr-defined]  # middleware's
    return Actor(
        name,
        address=None if address == "unknown" else address,
        request_id=request.request_id,  # type: ignore[attr-defined]  # middleware's
    )


def staff_actor(request: HttpRequest) -> Actor:
    return request_actor(f"staff:{request.user.pk}", request)


def command_actor() -> Actor:
    try:
        login = getpass.getuser()
    except (KeyError, OSError):
        # A container may run under a user id without a login name.
        login = f"uid-{os.getuid()}"
    return Actor(f"command:{login}")


# Events may be deleted after this; PostgreSQL enforces it by a trigger.
KEPT_YEARS = 7

# Personal or secret: the trail says that they changed, not from what to what. By kind of object.
HIDDEN: dict[str, frozenset[str]] = {
    "partner": frozenset({"contact_email"}),
    "student": frozenset({"email"}),
    "user": frozenset({"username", "first_name", "last_name", "email", "password"}),
    # An address may contain a password.
    "webhookendpoint": frozenset({"url"}),
}


class AuditEventQuerySet(models.QuerySet["AuditEvent"]):
    def about(self, target: models.Model) -> Self:
        return self.filter(object_type=_kind(target), object_id=identifier_of(target))

    def of_actions(self, actions: Collection[str]) -> Self:
        return self.filter(action__in=actions)

    def search(self, text: str) -> Self:
        """Return the events of an object, a project or a staff member, by its whole identifier."""
        if not text.isprintable():  # PostgreSQL rejects NUL
            return self.none()
        if text.startswith("prj_"):
            return self.filter(project__project_id=text)
        if text.startswith("ers_"):  # the receipt of an erasure
            return self.filter(action="student.erased", reason__startswith=text)
        # The index starts with the kind of object.
        kinds = {model._meta.model_name for model in apps.get_models()}
        actors = [text, *(f"staff:{user.pk}" for user in User.objects.filter(username=text))]
        return self.filter(Q(object_type__in=kinds, object_id=text) | Q(actor__in=actors))

    def newest_first(self) -> Self:
        return self.order_by("-at", "-pk")

    def with_staff_names(self) -> Self:
        """Annotate `staff_name`, the user name of a `staff:<pk>` actor or null."""
        as_actor = Concat(Value("staff:"), Cast("pk", models.CharField()))
        staff = User.objects.annotate(as_actor=as_actor).filter(as_actor=OuterRef("actor"))
        names = staff.values("username")
        return self.annotate(staff_name=Subquery(names[:1]))

    def outlived(self, at: datetime) -> Self:
        """Return events older than KEPT_YEARS and a day: PostgreSQL checks with its own clock."""
        return self.filter(at__lt=ended_before(at - timedelta(days=1), 12 * KEPT_YEARS))


class AuditEvent(models.Model):
    """One action. Holds no e-mail address. A trigger refuses changes and early deletion."""

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
    details = models.JSONField(
        default=dict,
        blank=True,
        encoder=DjangoJSONEncoder,
        help_text="What changed, and how much: values before and after, counts, codes.",
    )

    objects = AuditEventQuerySet.as_manager()

    class Meta:
        # Events can only be viewed.
        default_permissions = ("view",)
        indexes = [
            models.Index(fields=["object_type", "object_id"], name="auditevent_object"),
            models.Index(fields=["action", "at"], name="auditevent_action"),
            models.Index(fields=["actor", "at"], name="auditevent_actor"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=~Q(actor="") & ~Q(action="") & ~Q(object_type="") & ~Q(object_id=""),
                name="auditevent_says_who_what_and_to_what",
            )
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.object_id}"

    @property
    def who(self) -> str:
        """Return the user name if `with_staff_names()` found one, else the actor as stored."""
        return getattr(self, "staff_name", None) or self.actor

    @classmethod
    def record(
        cls,
        action: str,
        target: models.Model,
        *,
        by: Actor,
        reason: str = "",
        changes: Mapping[str, tuple[Any, Any]] | None = None,
        details: Mapping[str, Any] | None = None,
        at: datetime | None = None,
    ) -> AuditEvent:
        """Record an action. Call it in the action's transaction, so that both or neither is stored.

        `changes` maps columns to their values before and after; those of HIDDEN are left out.
        """
        kind = _kind(target)
        hidden = HIDDEN.get(kind, frozenset())
        shown = {
            name: None if name in hidden else list(values)
            for name, values in (changes or {}).items()
        }
        return cls.objects.create(
            at=at or timezone.now(),
            actor=by.name,
            action=action,
            object_type=kind,
            object_id=identifier_of(target),
            project=getattr(target, "project", None),
            address=by.address,
            request_id=by.request_id,
            reason=reason,
            details={**({"changes": shown} if shown else {}), **(details or {})},
        )


def _kind(target: models.Model) -> str:
    return target._meta.model_name or ""


def identifier_of(target: models.Model) -> str:
    """Return the identifier used in events: the `public_id`, else kind and number (`user-7`)."""
    return cast("str", getattr(target, "public_id", f"{_kind(target)}-{target.pk}"))
