"""The endpoint of a project: where its webhooks go, and when it is left alone."""

from __future__ import annotations

import base64
import hmac
import random
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, ClassVar, NamedTuple, Self
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from partners.models import Actor, AuditEvent, Project, Refused
from partners.plain_text import fault_of_address
from partners.public_ids import new_public_id

# An endpoint that fails is left alone for as long as it has failed, within these.
MIN_PAUSE, MAX_PAUSE = timedelta(seconds=5), timedelta(minutes=5)
# An endpoint that has only failed for so long is switched off.
GIVE_UP_AFTER = timedelta(days=3)
# The longest time between two tries of an event that waits alone.
MAX_SILENCE = timedelta(hours=24)
# Listed here and not taken from `is_global`, whose answers differ between versions of Python:
# private and special networks, multicast, reserved, broadcast; Teredo, ORCHID and other protocols,
# documentation, 6to4, documentation.
_REFUSED = [
    ip_network(network)
    for network in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
        *("172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"),
        *("198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
    )
]
# Global unicast. Mapped and translated addresses (::ffff:0:0/96, NAT64's 64:ff9b::/96), loopback,
# local and multicast ones are outside.
_IPV6 = ip_network("2000::/3")
WAS_OFF, WAS_ON = "Webhooks were off already.", "Webhooks were on already."


def jitter() -> float:
    """Return a random factor of pauses, so that endpoints that failed together part."""
    return random.uniform(1, 1.2)  # noqa: S311  no secret


def is_loopback_url(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost", "::1")


def is_public(address: str) -> bool:
    """Return whether an IP address is public and leads to no other network."""
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv6Address) and (ip.scope_id or ip not in _IPV6):
        return False
    return ip.is_global and not any(ip in network for network in _REFUSED)


def validate_url(url: str) -> None:
    """Raise ValidationError unless webhooks may go to this address (see WEBHOOK_TEST_RECEIVER)."""
    if settings.WEBHOOK_TEST_RECEIVER and is_loopback_url(url):
        return
    if fault := fault_of_address(url, ["https"], "https://crm.example.com/webhooks/assess"):
        raise ValidationError(fault)
    if urlsplit(url).port not in (None, 443) or "#" in url or not url.isascii():
        raise ValidationError(
            "Use port 443 and no #, and write it in ASCII: the host as xn--…, the path with %."
        )
    host = urlsplit(url).hostname or ""
    is_literal = ":" in host or re.fullmatch(r"[0-9.]+", host)
    if (is_literal and not is_public(host)) or host.rpartition(".")[2] == "localhost":
        raise ValidationError("This address is not public. Use the receiver's public name.")


def require_key() -> None:
    if not settings.WEBHOOK_KEY:
        raise Refused(
            "The setting WEBHOOK_KEY is empty, so webhooks can't be signed. An operator sets it."
        )


class SendResult(NamedTuple):
    """The receiver's status, if it answered, "" or one of ERRORS, and the pause it asks for."""

    status: int | None
    error: str = ""
    retry_after: timedelta = timedelta(0)


class WebhookEndpointQuerySet(models.QuerySet["WebhookEndpoint"]):
    def on(self) -> Self:
        return self.filter(switched_off_at=None)

    def off_by_failure(self) -> Self:
        """Return endpoints that the deliverer switched off."""
        return self.filter(switched_off_at__isnull=False, failing_since__isnull=False)

    @transaction.atomic
    def set_up(
        self, project: Project, url: str, *, by: Actor, at: datetime | None = None, **choices: bool
    ) -> WebhookEndpoint:
        """Create an endpoint, for ends from now on.

        Raise Refused if there is one, or if the setting WEBHOOK_KEY is empty.
        """
        require_key()
        at = at or timezone.now()
        values = {"url": url, "created_at": at, "swept_until": at, **choices}
        endpoint, created = self.get_or_create(project=project, defaults=values)
        if not created:
            raise Refused("This project's webhooks were set up before.")
        AuditEvent.record("webhook.set_up", endpoint, by=by, at=at)
        return endpoint


class WebhookEndpoint(models.Model):
    """Where the webhooks of one project go. Its secrets are derived and not stored."""

    endpoint_id = models.CharField(
        max_length=20, unique=True, default=partial(new_public_id, "whk")
    )
    project = models.OneToOneField(
        Project, on_delete=models.PROTECT, related_name="webhook_endpoint"
    )
    url = models.CharField(
        "address",
        max_length=500,
        validators=[validate_url],
        help_text="The partner's receiver: an https address on port 443, reachable from the "
        "internet.",
    )
    sends_completed = models.BooleanField(
        "assessment.completed", default=True, help_text="When a student completes an attempt."
    )
    sends_abandoned = models.BooleanField(
        "assessment.abandoned",
        default=True,
        help_text="When an attempt ends unfinished: left, replaced, closed, or out of time.",
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
    # What ended by passing a time before this has its event.
    swept_until = models.DateTimeField()
    # The first failure after the last success.
    failing_since = models.DateTimeField(null=True, blank=True)
    # Nothing but a test is sent before this.
    paused_until = models.DateTimeField(null=True, blank=True)
    switched_off_at = models.DateTimeField(null=True, blank=True)
    switched_off_why = models.CharField(max_length=200, blank=True, default="")

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
        return self.endpoint_id

    @property
    def is_on(self) -> bool:
        return self.switched_off_at is None

    def _secret(self, version: int) -> str:
        text = f"{self.endpoint_id}.{version}"
        derived = hmac.digest(settings.WEBHOOK_KEY.encode(), text.encode(), "sha256")
        return f"whsec_{base64.b64encode(derived).decode()}"

    @property
    def secret(self) -> str:
        """The current secret, to be shown only when it is new."""
        return self._secret(self.secret_version)

    def secrets_at(self, at: datetime) -> list[str]:
        """Return the secrets that sign at a time, current first."""
        previous = self.previous_until and at < self.previous_until
        return [self.secret, *([self._secret(self.secret_version - 1)] if previous else [])]

    def _save_if(self, condition: Q, values: Mapping[str, Any], refusal: str = "") -> None:
        """Raise Refused with `refusal` if the condition is not met."""
        if not WebhookEndpoint.objects.filter(condition, pk=self.pk).update(**values):
            raise Refused(refusal)
        for name, value in values.items():
            setattr(self, name, value)

    @transaction.atomic
    def change(self, values: Mapping[str, Any], *, by: Actor) -> None:
        """Change address and choices. Raise Refused if nothing differs from what is stored."""
        before = WebhookEndpoint.objects.select_for_update(no_key=True).get(pk=self.pk)
        changes = {n: (getattr(before, n), v) for n, v in values.items() if v != getattr(before, n)}
        if not changes:
            raise Refused("Nothing changed.")
        self._save_if(Q(), {name: values[name] for name in changes})
        reason = ", ".join(changes)
        AuditEvent.record("webhook.changed", self, by=by, reason=reason, changes=changes)

    @transaction.atomic
    def rotate_secret(self, *, by: Actor, overlap: timedelta, seen_version: int) -> None:
        """Replace the secret; the previous one signs too during the overlap.

        Raise Refused if another has replaced `seen_version`, as a form sent twice makes one secret,
        or if the setting WEBHOOK_KEY is empty.
        """
        require_key()
        values = {
            "secret_version": seen_version + 1,
            "previous_until": timezone.now() + overlap if overlap else None,
        }
        newer = "A newer secret was made meanwhile, so this did nothing."
        self._save_if(Q(secret_version=seen_version), values, newer)
        AuditEvent.record("webhook.secret_rotated", self, by=by)

    @transaction.atomic
    def switch_off(
        self, *, by: Actor, reason: str, by_failure: bool = False, at: datetime | None = None
    ) -> None:
        """Send nothing from now on, and store events for a replay. Raise Refused if it was off."""
        at = at or timezone.now()
        values = {"switched_off_at": at, "switched_off_why": reason}
        if not by_failure:
            values["failing_since"] = None
        self._save_if(Q(switched_off_at=None), values, WAS_OFF)
        AuditEvent.record("webhook.switched_off", self, by=by, reason=reason, at=at)
        self.events.queued().update(queued_at=None)

    @transaction.atomic
    def switch_on(self, *, by: Actor) -> None:
        """Send what ends from now on; a replay sends earlier events. Raise Refused if it was on."""
        values = dict.fromkeys(("switched_off_at", "failing_since", "paused_until"))
        off = Q(switched_off_at__isnull=False)
        self._save_if(off, {**values, "switched_off_why": ""}, WAS_ON)
        AuditEvent.record("webhook.switched_on", self, by=by)

    def succeeded(self, at: datetime) -> None:
        """End the pause. After an outage, what was queued in it, or just before, is due at once.

        Its tries say nothing about it. What failed for less than MAX_PAUSE is no outage: else an
        event that alone is refused would be tried again after each success of another.
        """
        failing = WebhookEndpoint.objects.on().filter(pk=self.pk, failing_since__isnull=False)
        is_over = failing.update(failing_since=None, paused_until=None)
        since = self.failing_since
        if is_over and since and at - since >= MAX_PAUSE:
            self.events.queued().filter(queued_at__gte=since - MAX_PAUSE).update(tries=0)

    def failed(self, at: datetime, result: SendResult, *, by: Actor) -> None:
        """Pause after a failure; switch off after three days of failures alone, or after a 410.

        The pause is as long as it has failed, from 5 seconds to 5 minutes, or as the receiver
        asks, so a backlog costs one round of calls in five minutes. A call that began before the
        pause may prolong it, never shorten it.
        """
        on = WebhookEndpoint.objects.on().filter(pk=self.pk)
        # After a longer silence nothing was tried: no deliverer ran, or the project was closed.
        on.filter(paused_until__lt=at - MAX_SILENCE).update(failing_since=None)
        on.update(failing_since=Coalesce("failing_since", at))
        self.refresh_from_db(fields=["failing_since"])
        failing_for = at - (self.failing_since or at)
        is_gone = result.status == HTTPStatus.GONE
        if is_gone or failing_for >= GIVE_UP_AFTER:
            reason = f"failed for 3 days: {result.status or result.error}"
            if is_gone:
                reason = "the receiver answered 410, gone"
            with suppress(Refused):  # another deliverer was first
                self.switch_off(by=by, reason=reason, by_failure=True, at=at)
            return
        until = at + max(min(max(failing_for, MIN_PAUSE), MAX_PAUSE), result.retry_after) * jitter()
        on.filter(Q(paused_until=None) | Q(paused_until__lt=until)).update(paused_until=until)
