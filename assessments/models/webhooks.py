"""Endpoints of webhooks: one a project, set up, changed and switched off by staff."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar, Self, Unpack
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from assessments.webhooks import retries, signing
from assessments.webhooks.addresses import is_loopback_url
from partners.actor_context import ActorContext
from partners.models import AuditEvent, Project
from partners.public_ids import new_public_id
from partners.web_addresses import fault_of_address

URL_MAX = 500
REASON_MAX = 200
# How long both secrets sign after a change.
OVERLAPS = (timedelta(0), timedelta(days=1), timedelta(days=7))
CHOICES = ("sends_completed", "sends_abandoned", "sends_expired_links", "sends_reference")
HTTPS_PORT = 443


class NoKey(Exception):
    """The setting WEBHOOK_KEY is empty, so there are no secrets to sign with."""

    def __init__(self) -> None:
        super().__init__(
            "The setting WEBHOOK_KEY is empty, so webhooks can't be signed. An operator sets it."
        )


class AlreadySetUp(Exception):
    """The project has an endpoint."""


def new_endpoint_id() -> str:
    return new_public_id("whk")


def validate_url(url: str) -> None:
    """Raise ValidationError unless we send webhooks to such an address.

    With WEBHOOK_TEST_RECEIVER, http to this machine is allowed too.
    """
    if settings.WEBHOOK_TEST_RECEIVER and is_loopback_url(url):
        return
    if fault := fault_of_address(url, ["https"], "https://crm.example.com/webhooks/assess"):
        raise ValidationError(fault)
    parts = urlsplit(url)
    if parts.port not in (None, HTTPS_PORT):
        raise ValidationError("Webhooks go to port 443 only. Remove the port.")
    if "#" in url:
        raise ValidationError("Remove the # and everything after it.")
    if not url.isascii():
        raise ValidationError("Write the host in ASCII (xn--…) and encode the path with %.")


class WebhookEndpointQuerySet(models.QuerySet["WebhookEndpoint"]):
    def on(self) -> Self:
        return self.filter(switched_off_at=None)

    def off_by_failure(self) -> Self:
        """Return endpoints that the deliverer switched off."""
        return self.filter(switched_off_at__isnull=False, failing_since__isnull=False)

    def of_project(self, project_id: int) -> WebhookEndpoint | None:
        return self.filter(project=project_id).first()

    @transaction.atomic
    def set_up(
        self,
        project: Project,
        url: str,
        *,
        at: datetime | None = None,
        choices: Mapping[str, bool] | None = None,
        **context: Unpack[ActorContext],
    ) -> WebhookEndpoint:
        """Create the project's endpoint. It gets what ends from now on.

        Raises NoKey, AlreadySetUp, or ValidationError for an address that we don't send to.
        """
        if not settings.WEBHOOK_KEY:
            raise NoKey
        validate_url(url)
        at = at or timezone.now()
        endpoint, created = self.get_or_create(
            project=project,
            defaults={"url": url, "created_at": at, "swept_until": at, **(choices or {})},
        )
        if not created:
            raise AlreadySetUp
        AuditEvent.record("webhook.set_up", endpoint, at=at, **context)
        return endpoint


class WebhookEndpoint(models.Model):
    """Where the webhooks of one project go. Its secrets are derived and not stored."""

    endpoint_id = models.CharField(max_length=20, unique=True, default=new_endpoint_id)
    project = models.OneToOneField(
        Project, on_delete=models.PROTECT, related_name="webhook_endpoint"
    )
    url = models.CharField(
        "address",
        max_length=URL_MAX,
        validators=[validate_url],
        help_text="The partner's receiver: an https address on port 443, reachable from the "
        "internet.",
    )
    sends_completed = models.BooleanField(
        "assessment.completed", default=True, help_text="When a student completes an assessment."
    )
    sends_abandoned = models.BooleanField(
        "assessment.abandoned",
        default=True,
        help_text="When an assessment ends unfinished: left, replaced, closed, or out of time.",
    )
    sends_expired_links = models.BooleanField(
        "link.expired", default=False, help_text="When a link expires that nobody has started."
    )
    sends_reference = models.BooleanField(
        "include the reference",
        default=False,
        help_text="Send the partner's own reference of the student (X-Reference) as well.",
    )
    secret_version = models.PositiveSmallIntegerField(default=1)
    previous_until = models.DateTimeField(
        null=True, blank=True, help_text="Until then the previous secret signs too."
    )
    created_at = models.DateTimeField()
    swept_until = models.DateTimeField(
        help_text="What ended by passing a time before this has its event."
    )
    failing_since = models.DateTimeField(
        null=True, blank=True, help_text="The first failure after the last success."
    )
    paused_until = models.DateTimeField(
        null=True, blank=True, help_text="After a failure, nothing is sent before this."
    )
    switched_off_at = models.DateTimeField(null=True, blank=True)
    switched_off_why = models.CharField(max_length=REASON_MAX, blank=True, default="")

    objects = WebhookEndpointQuerySet.as_manager()

    class Meta:
        default_permissions = ("view",)
        permissions: ClassVar = [("manage_webhooks", "Can set up and change webhooks")]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(url=""), name="webhookendpoint_url_not_empty"),
            models.CheckConstraint(
                condition=Q(secret_version__gte=1), name="webhookendpoint_version_positive"
            ),
            models.CheckConstraint(
                condition=Q(previous_until__isnull=True) | Q(secret_version__gte=2),
                name="webhookendpoint_previous_needs_one",
            ),
            models.CheckConstraint(
                condition=Q(switched_off_at__isnull=False) | Q(switched_off_why=""),
                name="webhookendpoint_why_needs_off",
            ),
        ]

    def __str__(self) -> str:
        return self.endpoint_id

    @property
    def public_id(self) -> str:
        """The identifier that the audit trail has."""
        return self.endpoint_id

    @property
    def is_on(self) -> bool:
        return self.switched_off_at is None

    @property
    def secret(self) -> str:
        """The current secret. Show it only when it is new."""
        return signing.secret_of(settings.WEBHOOK_KEY, self.endpoint_id, self.secret_version)

    def secrets_at(self, at: datetime) -> list[str]:
        """Return the secrets that sign at a time, the current one first."""
        versions = [self.secret_version]
        if self.previous_until and at < self.previous_until:
            versions.append(self.secret_version - 1)
        return [signing.secret_of(settings.WEBHOOK_KEY, self.endpoint_id, v) for v in versions]

    def wants(self, kind: str) -> bool:
        """Return whether events of a kind go to this endpoint."""
        return {
            "assessment.completed": self.sends_completed,
            "assessment.abandoned": self.sends_abandoned,
            "link.expired": self.sends_expired_links,
        }.get(kind, False)

    @transaction.atomic
    def change(
        self,
        values: Mapping[str, Any],
        *,
        at: datetime | None = None,
        **context: Unpack[ActorContext],
    ) -> bool:
        """Change address and choices. Return False if nothing differs.

        Of an address, the audit trail says only that it changed: it may contain a password.
        """
        now = {name: getattr(self, name) for name in ("url", *CHOICES)}
        names = [name for name, value in now.items() if values.get(name, value) != value]
        if not names:
            return False
        changes = {name: (now[name], values[name]) for name in names}
        for name in names:
            setattr(self, name, values[name])
        self.full_clean(exclude=["project"], validate_unique=False)
        self.save(update_fields=names)
        AuditEvent.record(
            "webhook.changed", self, reason=", ".join(names), changes=changes, at=at, **context
        )
        return True

    @transaction.atomic
    def rotate_secret(
        self,
        *,
        overlap: timedelta,
        seen: int,
        at: datetime | None = None,
        **context: Unpack[ActorContext],
    ) -> bool:
        """Replace the secret; the previous one signs too during the overlap.

        `seen` is the version that staff saw. Returns False if it has been replaced since, so that
        a form sent twice makes one secret. Raises NoKey.
        """
        if not settings.WEBHOOK_KEY:
            raise NoKey
        at = at or timezone.now()
        version = seen + 1
        until = at + overlap if overlap else None
        unchanged = WebhookEndpoint.objects.filter(pk=self.pk, secret_version=seen)
        if unchanged.update(secret_version=version, previous_until=until) != 1:
            return False
        self.secret_version, self.previous_until = version, until
        AuditEvent.record("webhook.secret_rotated", self, at=at, **context)
        return True

    @transaction.atomic
    def switch_off(
        self,
        *,
        reason: str,
        by_failure: bool = False,
        at: datetime | None = None,
        **context: Unpack[ActorContext],
    ) -> bool:
        """Send nothing from now on. Return False if it was off already.

        Events are stored all the same, to be replayed.
        """
        at = at or timezone.now()
        on = WebhookEndpoint.objects.on().filter(pk=self.pk)
        if on.update(switched_off_at=at, switched_off_why=reason) != 1:
            return False
        if not by_failure:
            WebhookEndpoint.objects.filter(pk=self.pk).update(failing_since=None)
        self.switched_off_at, self.switched_off_why = at, reason
        self.events.filter(next_try_at__isnull=False).update(next_try_at=None)
        AuditEvent.record("webhook.switched_off", self, reason=reason, at=at, **context)
        return True

    @transaction.atomic
    def switch_on(self, *, at: datetime | None = None, **context: Unpack[ActorContext]) -> bool:
        """Send what ends from now on. Return False if it was on already.

        What was stored meanwhile is sent only by a replay.
        """
        off = WebhookEndpoint.objects.filter(pk=self.pk, switched_off_at__isnull=False)
        fresh: dict[str, Any] = {
            **{"switched_off_at": None, "switched_off_why": ""},
            **{"failing_since": None, "paused_until": None},
        }
        if off.update(**fresh) != 1:
            return False
        for name, value in fresh.items():
            setattr(self, name, value)
        AuditEvent.record("webhook.switched_on", self, at=at, **context)
        return True

    def succeeded(self) -> None:
        """Note that the receiver answered 2xx."""
        failing = WebhookEndpoint.objects.on().filter(pk=self.pk, failing_since__isnull=False)
        failing.update(failing_since=None, paused_until=None)

    def failed(self, at: datetime, why: str, **context: Unpack[ActorContext]) -> None:
        """Pause after a failure, and switch off after three days of nothing else."""
        on = WebhookEndpoint.objects.on().filter(pk=self.pk)
        # After a longer silence nothing was tried: no deliverer ran, or the project was closed.
        on.filter(paused_until__lt=at - retries.PAUSES[-1]).update(failing_since=None)
        on.update(failing_since=Coalesce("failing_since", at))
        self.refresh_from_db(fields=["failing_since", "paused_until"])
        failing_for = at - (self.failing_since or at)
        if failing_for >= retries.GIVE_UP_AFTER:
            reason = f"failed for 3 days: {why}"
            self.switch_off(reason=reason, by_failure=True, at=at, **context)
            return
        # Several calls that fail at once are one failure.
        unpaused = on.filter(Q(paused_until=None) | Q(paused_until__lte=at))
        unpaused.update(paused_until=at + retries.endpoint_pause(failing_for))
