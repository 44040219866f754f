"""The outbox: the events of a project's ends, each for its endpoint."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from functools import partial
from itertools import accumulate
from typing import ClassVar, Self

from django.db import models, transaction
from django.db.models import Case, Count, DurationField, F, Min, Q, Value, When
from django.db.models.lookups import LessThanOrEqual
from django.utils import timezone

from assessments.models.ended import Status, database_now, end_listeners
from assessments.models.students import erasers
from assessments.webhooks.endpoints import SendResult, WebhookEndpoint
from partners.models import Actor, AuditEvent, Refused
from partners.public_ids import new_public_id

SWITCH_ON_FIRST = "Nothing was sent: webhooks are off. Switch them on first."
# Six times what one try may take.
LEASE = timedelta(minutes=1)
# The schedule of Standard Webhooks, in seconds from try to try.
_PAUSES = (0, 5, 5 * 60, 30 * 60, *(hours * 3600 for hours in (2, 5, 10, 14, 20, 24)))
# How long after it was queued an event is due for its first try, its second, and so on.
AFTER = [timedelta(seconds=seconds) for seconds in accumulate(_PAUSES)]
DUE_AT = F("queued_at") + Case(
    *(When(tries=tries, then=Value(after)) for tries, after in enumerate(AFTER)),
    output_field=DurationField(),
)


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


class WebhookEventQuerySet(models.QuerySet["WebhookEvent"]):
    def record_end(self, attempt: int, project: int, status: Status, at: datetime) -> None:
        """Store the event of an attempt that ends or is filled now, if its endpoint wants it."""
        kind = KIND_OF[status]
        for endpoint in WebhookEndpoint.objects.filter(project=project, **{CHOICES[kind]: True}):
            event = WebhookEvent(kind=kind, attempt_id=attempt, happened_at=at)
            self.store(endpoint, [event], at)

    def store(self, endpoint: WebhookEndpoint, events: list[WebhookEvent], at: datetime) -> None:
        """Store events for delivery, or for a replay while the endpoint is off."""
        for event in events:
            event.endpoint, event.created_at = endpoint, at
            event.queued_at = at if endpoint.is_on else None
        # An end has one event at most, so two deliverers store one.
        self.bulk_create(events, ignore_conflicts=True)

    @transaction.atomic
    def send_test(
        self, endpoint: WebhookEndpoint, *, by: Actor, at: datetime | None = None
    ) -> WebhookEvent:
        """Queue a test event. It is tried once, even while the endpoint is off."""
        at = at or timezone.now()
        AuditEvent.record("webhook.test_sent", endpoint, by=by, at=at)
        return self.create(
            endpoint=endpoint, kind=EventKind.TEST, happened_at=at, created_at=at, queued_at=at
        )

    def queued(self) -> Self:
        return self.filter(queued_at__isnull=False)

    def undelivered(self) -> Self:
        return self.filter(delivered_at=None).exclude(kind=EventKind.TEST)

    def stored(self) -> Self:
        """Return events that wait for a replay."""
        return self.undelivered().filter(queued_at=None)

    def due(self, at: datetime) -> Self:
        """Return events whose next try is now, and which no deliverer has leased."""
        unleased = Q(leased_until=None) | Q(leased_until__lte=at)
        return self.queued().filter(unleased, LessThanOrEqual(DUE_AT, at))

    def sendable(self, at: datetime) -> Self:
        """Return due events of endpoints that are on and not paused, and due test events."""
        is_open = Q(endpoint__switched_off_at=None, endpoint__project__closed_at=None)
        unpaused = Q(endpoint__paused_until=None) | Q(endpoint__paused_until__lte=at)
        return self.due(at).filter(Q(kind=EventKind.TEST) | is_open & unpaused)

    def candidates(self, count: int, except_for: Collection[int]) -> list[WebhookEvent]:
        """Return the events that have been due longest, without those of some endpoints."""
        sendable = self.sendable(database_now(timezone.now())).exclude(endpoint__in=except_for)
        about = ("endpoint__project", "attempt__student", "link__student")
        return list(sendable.select_related(*about).order_by(DUE_AT, "pk")[:count])

    def overdue(self) -> timedelta:
        """Return how long the first due event has waited. It grows while no deliverer runs."""
        at = database_now(timezone.now())
        return at - (self.sendable(at).aggregate(at=Min(DUE_AT))["at"] or at)

    def failures(self) -> dict[str, int]:
        """Count the queued events whose last try failed, by ERRORS."""
        failed = self.queued().exclude(last_error="").order_by().values_list("last_error")
        return dict(failed.annotate(count=Count("pk")))

    @transaction.atomic
    def replay(self, endpoint: WebhookEndpoint, *, by: Actor) -> int:
        """Send undelivered events again, with the same ids. Return how many.

        Raise Refused while webhooks are off.
        """
        # Locked, so that it is not switched off meanwhile.
        on = WebhookEndpoint.objects.on().filter(pk=endpoint.pk)
        if not on.select_for_update(no_key=True).first():
            raise Refused(SWITCH_ON_FIRST)
        events = self.filter(endpoint=endpoint).undelivered()
        count = events.update(queued_at=timezone.now(), tries=0)
        AuditEvent.record("webhook.replayed", endpoint, by=by, reason=f"{count} events")
        return count


class WebhookEvent(models.Model):
    """One event for one endpoint. It holds nothing about a person: the body is made at each try."""

    event_id = models.CharField(max_length=20, unique=True, default=partial(new_public_id, "msg"))
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
    # When its attempt or link ended, or the attempt was filled; a deliverer may store it later.
    happened_at = models.DateTimeField()
    created_at = models.DateTimeField()
    # Null: delivered, given up, or stored for a replay.
    queued_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)  # that failed or delivered it, since queued
    # Until then one deliverer alone may send it.
    leased_until = models.DateTimeField(null=True, blank=True)
    # The receiver's last answer; null if there was none.
    last_status = models.PositiveSmallIntegerField(null=True, blank=True)
    last_error = models.CharField(max_length=32, blank=True, default="")  # one of ERRORS
    delivered_at = models.DateTimeField(null=True, blank=True)

    objects = WebhookEventQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        indexes: ClassVar = [
            models.Index(
                fields=["queued_at"], name="webhookevent_due", condition=Q(queued_at__isnull=False)
            ),
            models.Index(fields=["endpoint", "-created_at"], name="webhookevent_newest"),
            # Events to delete.
            models.Index(fields=["created_at"], name="webhookevent_created"),
        ]
        constraints: ClassVar = [
            # One endpoint a project: so one event for each end, and one for each filling.
            models.UniqueConstraint(
                fields=["attempt", "happened_at"], name="webhookevent_attempt_once"
            ),
            models.UniqueConstraint(fields=["link"], name="webhookevent_link_once"),
            models.CheckConstraint(
                condition=Q(kind__in=[*KIND_OF.values()], attempt__isnull=False, link__isnull=True)
                | Q(kind="link.expired", attempt__isnull=True, link__isnull=False)
                | Q(kind="webhook.test", attempt__isnull=True, link__isnull=True),
                name="webhookevent_about_what_it_says",
            ),
            models.CheckConstraint(
                condition=Q(delivered_at__isnull=True) | Q(queued_at__isnull=True),
                name="webhookevent_delivered_not_queued",
            ),
        ]

    def __str__(self) -> str:
        return self.event_id

    def lease(self, at: datetime | None = None) -> bool:
        """Take the event for one try. Return False if another deliverer has it or tried it."""
        at = at or database_now(timezone.now())
        self.leased_until = at + LEASE
        due = WebhookEvent.objects.due(at).filter(pk=self.pk, tries=self.tries)
        return due.update(leased_until=self.leased_until) == 1

    def finish(self, result: SendResult, *, by: Actor, at: datetime | None = None) -> bool:
        """Note the result of a try. Return False if the lease was lost.

        A failed event stays queued unless this was its last try; the endpoint pauses.
        """
        at = at or database_now(timezone.now())
        self.tries += 1
        is_test = self.kind == EventKind.TEST
        is_last = not result.error or is_test or self.tries >= len(AFTER)
        # Still leased to us: later leases end later.
        leased = WebhookEvent.objects.filter(pk=self.pk, leased_until=self.leased_until)
        noted = leased.update(
            delivered_at=None if result.error else at,
            # As they are now: it may have been replayed or switched off during the call.
            queued_at=None if is_last else F("queued_at"),
            tries=F("tries") + 1,
            leased_until=None,
            last_status=result.status,
            last_error=result.error,
        )
        if not result.error:
            self.endpoint.succeeded(at)
        elif noted and not is_test:
            self.endpoint.failed(at, result, by=by)
        return noted == 1


end_listeners.append(WebhookEvent.objects.record_end)
# Two statements, each by an index.
erasers.append(lambda student: WebhookEvent.objects.filter(attempt__student=student).delete())
erasers.append(lambda student: WebhookEvent.objects.filter(link__student=student).delete())
