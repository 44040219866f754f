"""The outbox of webhooks: written with the change it tells of, leased, tried, delivered."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar, Self, Unpack

from django.db import models, transaction
from django.db.models import Count, Min, Q
from django.utils import timezone

from assessments.models.ends import database_now
from assessments.models.students import Student
from assessments.models.webhooks import WebhookEndpoint
from assessments.webhooks import retries
from partners.actor_context import ActorContext
from partners.models import AuditEvent
from partners.public_ids import new_public_id

# Six times what one try may take.
LEASE = timedelta(minutes=1)
CODE_MAX = 32


class Kind(models.TextChoices):
    """The types of events, as they are sent."""

    COMPLETED = "assessment.completed"
    ABANDONED = "assessment.abandoned"
    LINK_EXPIRED = "link.expired"
    TEST = "webhook.test"


OF_ATTEMPTS = ("assessment.completed", "assessment.abandoned")


@dataclass(frozen=True)
class Queue:
    """The state of the outbox, for `/metrics`."""

    waiting: int
    overdue: timedelta
    failed: dict[str, int]


def new_event_id() -> str:
    return new_public_id("msg")


class WebhookEventQuerySet(models.QuerySet["WebhookEvent"]):
    def record_end(self, kind: Kind, *, attempt: int, project: int, at: datetime) -> None:
        """Store the event of an attempt that ends now, if its project has an endpoint for it.

        Takes the rows' keys. Call it in the transaction of the end.
        """
        endpoint = WebhookEndpoint.objects.of_project(project)
        if endpoint and endpoint.wants(kind):
            self.store(endpoint, [WebhookEvent(kind=kind, assessment_id=attempt)], at)

    def store(self, endpoint: WebhookEndpoint, events: list[WebhookEvent], at: datetime) -> None:
        """Store events for delivery, or for a replay while the endpoint is off.

        An attempt or link that has an event keeps it, so two deliverers store one.
        """
        for event in events:
            event.endpoint, event.created_at = endpoint, at
            event.next_try_at = at if endpoint.is_on else None
        self.bulk_create(events, ignore_conflicts=True)

    @transaction.atomic
    def send_test(
        self,
        endpoint: WebhookEndpoint,
        *,
        at: datetime | None = None,
        **context: Unpack[ActorContext],
    ) -> WebhookEvent:
        """Queue a test event, which is tried once, also while the endpoint is off."""
        at = at or timezone.now()
        AuditEvent.record("webhook.test_sent", endpoint, at=at, **context)
        return self.create(endpoint=endpoint, kind=Kind.TEST, created_at=at, next_try_at=at)

    def queued(self) -> Self:
        return self.filter(next_try_at__isnull=False)

    def undelivered(self) -> Self:
        return self.filter(delivered_at=None).exclude(kind=Kind.TEST)

    def stored(self) -> Self:
        """Return events that wait for a replay."""
        return self.undelivered().filter(next_try_at=None)

    def sendable(self, at: datetime) -> Self:
        """Return queued events whose endpoint is on and not paused, and test events."""
        is_open = Q(endpoint__switched_off_at=None, endpoint__project__closed_at=None)
        unpaused = Q(endpoint__paused_until=None) | Q(endpoint__paused_until__lte=at)
        return self.queued().filter(Q(kind=Kind.TEST) | is_open & unpaused)

    def due(self, at: datetime) -> Self:
        """Return events whose next try is now, and which no deliverer has leased."""
        unleased = Q(leased_until=None) | Q(leased_until__lte=at)
        return self.filter(unleased, next_try_at__lte=at)

    def candidates(
        self, count: int, *, except_for: Collection[int] = (), at: datetime | None = None
    ) -> list[WebhookEvent]:
        """Return the events due longest, except those of some endpoints."""
        at = at or database_now(timezone.now())
        due = self.sendable(at).due(at).exclude(endpoint__in=except_for)
        about = ("endpoint__project", "assessment__student", "link__student")
        return list(due.select_related(*about).order_by("next_try_at", "pk")[:count])

    def queue(self, at: datetime | None = None) -> Queue:
        """Return how many events wait, for how long one is overdue, and why their last try failed.

        Overdue is what should have been sent by now: it grows if no deliverer runs. Test projects
        are left out.
        """
        at = at or database_now(timezone.now())
        live = self.filter(endpoint__project__is_test=False)
        waiting = live.queued()
        oldest = live.sendable(at).due(at).aggregate(at=Min("next_try_at"))["at"]
        failed = waiting.exclude(last_error="").order_by().values_list("last_error")
        return Queue(
            waiting=waiting.count(),
            overdue=at - oldest if oldest else timedelta(0),
            failed=dict(failed.annotate(n=Count("pk"))),
        )

    def drop_for(self, student: Student) -> int:
        """Delete the events about a student, sent or not."""
        # Two statements, each by an index.
        of_attempts = self.filter(assessment__student=student).delete()[0]
        return of_attempts + self.filter(link__student=student).delete()[0]

    @transaction.atomic
    def replay(
        self,
        endpoint: WebhookEndpoint,
        *,
        since: datetime,
        also_delivered: bool = False,
        at: datetime | None = None,
        **context: Unpack[ActorContext],
    ) -> int:
        """Send again what was stored since a time, with the same ids. Return how many.

        Sends what was not delivered, or everything. Test events are left out.
        """
        at = at or timezone.now()
        events = self.filter(endpoint=endpoint, created_at__gte=since).exclude(kind=Kind.TEST)
        if not also_delivered:
            events = events.filter(delivered_at=None)
        count = events.update(next_try_at=at, tries=0, delivered_at=None)
        AuditEvent.record("webhook.replayed", endpoint, reason=f"{count} events", at=at, **context)
        return count


class WebhookEvent(models.Model):
    """One event for one endpoint. It holds nothing about a person: the body is made at each try."""

    event_id = models.CharField(max_length=20, unique=True, default=new_event_id)
    endpoint = models.ForeignKey(
        WebhookEndpoint, on_delete=models.PROTECT, related_name="events", db_index=False
    )
    kind = models.CharField("event", max_length=24, choices=Kind.choices)
    # Its attempt or link takes the event along when it is deleted.
    assessment = models.ForeignKey(
        "assessments.Assessment",
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
    tries = models.PositiveSmallIntegerField(default=0, help_text="Since stored or replayed.")
    next_try_at = models.DateTimeField(
        null=True, blank=True, help_text="Null: delivered, given up, or stored for a replay."
    )
    leased_until = models.DateTimeField(
        null=True, blank=True, help_text="Until then one deliverer alone may send it."
    )
    last_try_at = models.DateTimeField(null=True, blank=True)
    last_status = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The receiver's last answer; null if there was none."
    )
    last_error = models.CharField(
        max_length=CODE_MAX, blank=True, default="", help_text="Why the last try failed: a code."
    )
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
            models.UniqueConstraint(fields=["assessment"], name="webhookevent_assessment_once"),
            models.UniqueConstraint(fields=["link"], name="webhookevent_link_once"),
            models.CheckConstraint(
                condition=Q(kind__in=OF_ATTEMPTS, assessment__isnull=False, link__isnull=True)
                | Q(kind="link.expired", assessment__isnull=True, link__isnull=False)
                | Q(kind="webhook.test", assessment__isnull=True, link__isnull=True),
                name="webhookevent_about_what_it_says",
            ),
            models.CheckConstraint(
                condition=Q(delivered_at__isnull=True) | Q(next_try_at__isnull=True),
                name="webhookevent_delivered_not_queued",
            ),
        ]

    def __str__(self) -> str:
        return self.event_id

    @property
    def student(self) -> Student | None:
        about = self.assessment or self.link
        return about.student if about else None

    def lease(self, at: datetime | None = None) -> bool:
        """Take the event for one try. Return False if another deliverer was first."""
        at = at or database_now(timezone.now())
        until, tries = at + LEASE, self.tries + 1
        due = WebhookEvent.objects.due(at).filter(pk=self.pk)
        if due.update(leased_until=until, last_try_at=at, tries=tries) != 1:
            return False
        self.leased_until, self.last_try_at, self.tries = until, at, tries
        return True

    def delivered(self, status: int, at: datetime | None = None) -> bool:
        """Note that the receiver took it. Return False if the lease was lost meanwhile."""
        at = at or database_now(timezone.now())
        noted = self._leased().update(
            delivered_at=at, next_try_at=None, leased_until=None, last_status=status, last_error=""
        )
        self.endpoint.succeeded()
        return noted == 1

    @transaction.atomic
    def failed(
        self,
        status: int | None,
        error: str,
        at: datetime | None = None,
        **context: Unpack[ActorContext],
    ) -> bool:
        """Note that a try failed. Return False if the lease was lost meanwhile.

        It is tried again, unless that was the last try.
        """
        at = at or database_now(timezone.now())
        is_test = self.kind == Kind.TEST
        pause = None if is_test else retries.pause_after(self.tries)
        noted = self._leased().update(
            next_try_at=at + pause if pause else None,
            leased_until=None,
            last_status=status,
            last_error=error,
        )
        if noted == 1 and not is_test:
            self.endpoint.failed(at, str(status or error), **context)
        return noted == 1

    def _leased(self) -> models.QuerySet[WebhookEvent]:
        """Return this event if it is still leased to us: later leases end later."""
        return WebhookEvent.objects.filter(pk=self.pk, leased_until=self.leased_until)
