"""Webhooks: the endpoint of a project, and the outbox of its events."""

from __future__ import annotations

import base64
import hmac
import random
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, ClassVar, Self
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import Count, Min, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from assessments.models.ended import Status, database_now, end_listeners
from assessments.models.students import Student, erasers
from partners.models import AuditEvent, Project
from partners.models.audit import Actor
from partners.plain_text import fault_of_address
from partners.public_ids import new_public_id

# After the first failed try, the second, and so on: the schedule of Standard Webhooks.
PAUSES = (
    *(timedelta(seconds=5), timedelta(minutes=5), timedelta(minutes=30)),
    *(timedelta(hours=hours) for hours in (2, 5, 10, 14, 20, 24)),
)
# An endpoint that has only failed for so long is switched off.
GIVE_UP_AFTER = timedelta(days=3)
# Six times what one try may take.
LEASE = timedelta(minutes=1)


class EventKind(models.TextChoices):
    COMPLETED = "assessment.completed"
    ABANDONED = "assessment.abandoned"
    LINK_EXPIRED = "link.expired"
    TEST = "webhook.test"


KIND_OF = {Status.COMPLETED: EventKind.COMPLETED, Status.ABANDONED: EventKind.ABANDONED}


# The column that says whether an endpoint wants events of a type.
CHOICES = {
    EventKind.COMPLETED: "sends_completed",
    EventKind.ABANDONED: "sends_abandoned",
    EventKind.LINK_EXPIRED: "sends_expired_links",
}


def jitter() -> float:
    """Return a random factor of pauses, so that calls that failed together are not repeated so."""
    return random.uniform(1, 1.2)  # noqa: S311  no secret


def new_endpoint_id() -> str:
    return new_public_id("whk")


def new_event_id() -> str:
    return new_public_id("msg")


def is_loopback_url(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost", "::1")


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


def require_key() -> None:
    if not settings.WEBHOOK_KEY:
        raise ValidationError(
            "The setting WEBHOOK_KEY is empty, so webhooks can't be signed. An operator sets it."
        )


class WebhookEndpointQuerySet(models.QuerySet["WebhookEndpoint"]):
    def on(self) -> Self:
        return self.filter(switched_off_at=None)

    def off_by_failure(self) -> Self:
        """Return endpoints that the deliverer switched off."""
        return self.filter(switched_off_at__isnull=False, failing_since__isnull=False)

    @transaction.atomic
    def set_up(
        self,
        project: Project,
        url: str,
        *,
        by: Actor,
        at: datetime | None = None,
        choices: Mapping[str, bool] | None = None,
    ) -> WebhookEndpoint:
        """Create an endpoint, for ends from now on.

        Raise ValidationError if there is one, or if the setting WEBHOOK_KEY is empty.
        """
        require_key()
        at = at or timezone.now()
        values = {"url": url, "created_at": at, "swept_until": at, **(choices or {})}
        endpoint, created = self.get_or_create(project=project, defaults=values)
        if not created:
            raise ValidationError("This project's webhooks were set up before.")
        AuditEvent.record("webhook.set_up", endpoint, by=by, at=at)
        return endpoint


class WebhookEndpoint(models.Model):
    """Where the webhooks of one project go. Its secrets are derived and not stored."""

    endpoint_id = models.CharField(max_length=20, unique=True, default=new_endpoint_id)
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
    # Nothing is sent before this.
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

    def _save_if(
        self, condition: Q, action: str, values: Mapping[str, Any], *, by: Actor, **event: Any
    ) -> bool:
        """Save and audit values if the row meets the condition. Return whether it did."""
        if not WebhookEndpoint.objects.filter(condition, pk=self.pk).update(**values):
            return False
        for name, value in values.items():
            setattr(self, name, value)
        AuditEvent.record(f"webhook.{action}", self, by=by, **event)
        return True

    @transaction.atomic
    def change(self, values: Mapping[str, Any], *, by: Actor) -> bool:
        """Change address and choices. Return False if nothing differs from what is stored."""
        before = WebhookEndpoint.objects.select_for_update(no_key=True).get(pk=self.pk)
        changes = {n: (getattr(before, n), v) for n, v in values.items() if v != getattr(before, n)}
        if not changes:
            return False
        after = {name: values[name] for name in changes}
        reason = ", ".join(changes)
        return self._save_if(Q(), "changed", after, by=by, reason=reason, changes=changes)

    @transaction.atomic
    def rotate_secret(self, *, by: Actor, overlap: timedelta, seen_version: int) -> bool:
        """Replace the secret; the previous one signs too during the overlap.

        Return False if another has replaced `seen_version`: a form sent twice makes one secret.
        Raise ValidationError if the setting WEBHOOK_KEY is empty.
        """
        require_key()
        values = {
            "secret_version": seen_version + 1,
            "previous_until": timezone.now() + overlap if overlap else None,
        }
        return self._save_if(Q(secret_version=seen_version), "secret_rotated", values, by=by)

    @transaction.atomic
    def switch_off(
        self, *, by: Actor, reason: str, by_failure: bool = False, at: datetime | None = None
    ) -> bool:
        """Send nothing from now on, and store events for a replay. Return False if it was off."""
        at = at or timezone.now()
        values = {"switched_off_at": at, "switched_off_why": reason}
        if not by_failure:
            values["failing_since"] = None
        is_on = Q(switched_off_at=None)
        was_on = self._save_if(is_on, "switched_off", values, by=by, reason=reason, at=at)
        if was_on:
            self.events.queued().update(next_try_at=None)
        return was_on

    @transaction.atomic
    def switch_on(self, *, by: Actor) -> bool:
        """Send what ends from now on; a replay sends earlier events. Return False if it was on."""
        values = {
            **dict.fromkeys(("switched_off_at", "failing_since", "paused_until")),
            "switched_off_why": "",
        }
        return self._save_if(Q(switched_off_at__isnull=False), "switched_on", values, by=by)

    def succeeded(self) -> None:
        failing = WebhookEndpoint.objects.on().filter(pk=self.pk, failing_since__isnull=False)
        failing.update(failing_since=None, paused_until=None)

    def failed(
        self, at: datetime, why: int | str, retry_after: timedelta = timedelta(0), *, by: Actor
    ) -> None:
        """Pause after a failure; switch off after three days of failures alone, or after a 410.

        The pause is as long as it has failed, from 5 seconds to 5 minutes, or as the receiver
        asks, so a backlog costs one round of calls in five minutes. `why` is the status or one of
        the sender's ERRORS.
        """
        on = WebhookEndpoint.objects.on().filter(pk=self.pk)
        # After a longer silence nothing was tried: no deliverer ran, or the project was closed.
        on.filter(paused_until__lt=at - PAUSES[-1]).update(failing_since=None)
        on.update(failing_since=Coalesce("failing_since", at))
        self.refresh_from_db(fields=["failing_since"])
        failing_for = at - (self.failing_since or at)
        is_gone = why == HTTPStatus.GONE
        if is_gone or failing_for >= GIVE_UP_AFTER:
            reason = "the receiver answered 410, gone" if is_gone else f"failed for 3 days: {why}"
            self.switch_off(by=by, reason=reason, by_failure=True, at=at)
            return
        pause = max(min(max(failing_for, PAUSES[0]), PAUSES[1]), retry_after) * jitter()
        # Several calls that fail at once are one failure.
        unpaused = on.filter(Q(paused_until=None) | Q(paused_until__lte=at))
        unpaused.update(paused_until=at + pause)


class WebhookEventQuerySet(models.QuerySet["WebhookEvent"]):
    def record_end(self, attempt: int, project: int, status: Status, at: datetime) -> None:
        """Store the event of an attempt that ends now, if its endpoint wants it."""
        kind = KIND_OF[status]
        endpoint = WebhookEndpoint.objects.filter(project=project).first()
        if endpoint and getattr(endpoint, CHOICES[kind]):
            self.store(endpoint, [WebhookEvent(kind=kind, attempt_id=attempt)], at)

    def store(self, endpoint: WebhookEndpoint, events: list[WebhookEvent], at: datetime) -> None:
        """Store events for delivery, or for a replay while the endpoint is off."""
        for event in events:
            event.endpoint, event.created_at = endpoint, at
            event.next_try_at = at if endpoint.is_on else None
        # An attempt or link has one event at most, so two deliverers store one.
        self.bulk_create(events, ignore_conflicts=True)

    @transaction.atomic
    def send_test(
        self, endpoint: WebhookEndpoint, *, by: Actor, at: datetime | None = None
    ) -> WebhookEvent:
        """Queue a test event. It is tried once, even while the endpoint is off."""
        at = at or timezone.now()
        AuditEvent.record("webhook.test_sent", endpoint, by=by, at=at)
        return self.create(endpoint=endpoint, kind=EventKind.TEST, created_at=at, next_try_at=at)

    def queued(self) -> Self:
        return self.filter(next_try_at__isnull=False)

    def undelivered(self) -> Self:
        return self.filter(delivered_at=None).exclude(kind=EventKind.TEST)

    def stored(self) -> Self:
        """Return events that wait for a replay."""
        return self.undelivered().filter(next_try_at=None)

    def due(self, at: datetime) -> Self:
        """Return events whose next try is now, and which no deliverer has leased."""
        unleased = Q(leased_until=None) | Q(leased_until__lte=at)
        return self.filter(unleased, next_try_at__lte=at)

    def sendable(self, at: datetime) -> Self:
        """Return due events of endpoints that are on and not paused, and due test events."""
        is_open = Q(endpoint__switched_off_at=None, endpoint__project__closed_at=None)
        unpaused = Q(endpoint__paused_until=None) | Q(endpoint__paused_until__lte=at)
        return self.due(at).filter(Q(kind=EventKind.TEST) | is_open & unpaused)

    def candidates(self, count: int, except_for: Collection[int]) -> list[WebhookEvent]:
        """Return the events that have been due longest, without those of some endpoints."""
        sendable = self.sendable(database_now(timezone.now())).exclude(endpoint__in=except_for)
        about = ("endpoint__project", "attempt__student", "link__student")
        return list(sendable.select_related(*about).order_by("next_try_at", "pk")[:count])

    def overdue(self) -> timedelta:
        """Return how long the first due event has waited. It grows while no deliverer runs."""
        at = database_now(timezone.now())
        return at - (self.sendable(at).aggregate(at=Min("next_try_at"))["at"] or at)

    def failures(self) -> dict[str, int]:
        """Count the queued events whose last try failed, by ERRORS."""
        failed = self.queued().exclude(last_error="").order_by().values_list("last_error")
        return dict(failed.annotate(count=Count("pk")))

    def drop_for(self, student: Student) -> int:
        # Two statements, each by an index.
        of_attempts = self.filter(attempt__student=student).delete()[0]
        return of_attempts + self.filter(link__student=student).delete()[0]

    @transaction.atomic
    def replay(self, endpoint: WebhookEndpoint, *, by: Actor) -> int:
        """Send undelivered events again, with the same ids. Return how many; 0 while off."""
        # Locked, so that it is not switched off meanwhile.
        on = WebhookEndpoint.objects.on().filter(pk=endpoint.pk)
        if not on.select_for_update(no_key=True).first():
            return 0
        events = self.filter(endpoint=endpoint).undelivered()
        count = events.update(next_try_at=timezone.now(), tries=0)
        AuditEvent.record("webhook.replayed", endpoint, by=by, reason=f"{count} events")
        return count


class WebhookEvent(models.Model):
    """One event for one endpoint. It holds nothing about a person: the body is made at each try."""

    event_id = models.CharField(max_length=20, unique=True, default=new_event_id)
    endpoint = models.ForeignKey(
        WebhookEndpoint, on_delete=models.PROTECT, related_name="events", db_index=False
    )
    kind = models.CharField("event", max_length=24, choices=EventKind.choices)
    # Its attempt or link takes the event along when it is deleted.
    attempt = models.ForeignKey(
        "assessments.Attempt",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="webhook_events",
        db_index=False,
    )
    link = models.ForeignKey(
        "assessments.AssessmentLink",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="webhook_events",
        db_index=False,
    )
    created_at = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)  # since stored or replayed
    # Null: delivered, given up, or stored for a replay.
    next_try_at = models.DateTimeField(null=True, blank=True)
    # Until then one deliverer alone may send it.
    leased_until = models.DateTimeField(null=True, blank=True)
    last_try_at = models.DateTimeField(null=True, blank=True)
    # The receiver's last answer; null if there was none.
    last_status = models.PositiveSmallIntegerField(null=True, blank=True)
    last_error = models.CharField(max_length=32, blank=True, default="")  # one of ERRORS
    delivered_at = models.DateTimeField(null=True, blank=True)

    objects = WebhookEventQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        indexes: ClassVar = [
            models.Index(
                fields=["next_try_at"],
                name="webhookevent_due",
                condition=Q(next_try_at__isnull=False),
            ),
            models.Index(fields=["endpoint", "-created_at"], name="webhookevent_newest"),
            # Events to delete.
            models.Index(fields=["created_at"], name="webhookevent_created"),
        ]
        constraints: ClassVar = [
            # One endpoint a project: so one event for each end.
            models.UniqueConstraint(fields=["attempt"], name="webhookevent_attempt_once"),
            models.UniqueConstraint(fields=["link"], name="webhookevent_link_once"),
            models.CheckConstraint(
                condition=Q(kind__in=[*KIND_OF.values()], attempt__isnull=False, link__isnull=True)
                | Q(kind="link.expired", attempt__isnull=True, link__isnull=False)
                | Q(kind="webhook.test", attempt__isnull=True, link__isnull=True),
                name="webhookevent_about_what_it_says",
            ),
            models.CheckConstraint(
                condition=Q(delivered_at__isnull=True) | Q(next_try_at__isnull=True),
                name="webhookevent_delivered_not_queued",
            ),
        ]

    def __str__(self) -> str:
        return self.event_id

    def lease(self, at: datetime | None = None) -> bool:
        """Take the event for one try. Return False if another deliverer has it."""
        at = at or database_now(timezone.now())
        values = {"leased_until": at + LEASE, "last_try_at": at, "tries": self.tries + 1}
        if not WebhookEvent.objects.due(at).filter(pk=self.pk).update(**values):
            return False
        self.leased_until, self.tries = at + LEASE, self.tries + 1
        return True

    def finish(
        self,
        status: int | None,
        error: str = "",
        retry_after: timedelta = timedelta(0),
        *,
        by: Actor,
        at: datetime | None = None,
    ) -> bool:
        """Note the result of a try: delivered if `error` is "". Return False if the lease was lost.

        A failed event is tried again, not before `retry_after`, unless this was the last try.
        """
        at = at or database_now(timezone.now())
        is_test = self.kind == EventKind.TEST
        is_last = not error or is_test or self.tries > len(PAUSES)
        pause = max(timedelta(0) if is_last else PAUSES[self.tries - 1], retry_after) * jitter()
        # Still leased to us: later leases end later.
        leased = WebhookEvent.objects.filter(pk=self.pk, leased_until=self.leased_until)
        noted = leased.update(
            delivered_at=None if error else at,
            next_try_at=None if is_last else at + pause,
            leased_until=None,
            last_status=status,
            last_error=error,
        )
        if not error:
            self.endpoint.succeeded()
        elif noted and not is_test:
            self.endpoint.failed(at, status or error, retry_after, by=by)
        return noted == 1


end_listeners.append(WebhookEvent.objects.record_end)
erasers.append(WebhookEvent.objects.drop_for)
