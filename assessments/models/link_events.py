"""Fetches of a link by browsers and robots, for support's timeline."""

import logging
from datetime import datetime, timedelta
from typing import ClassVar

from django.db import DatabaseError, IntegrityError, models, transaction
from django.db.models import Q

from assessments.models.links import AssessmentLink
from assessments.models.students import erasers

logger = logging.getLogger(__name__)

# Robots may fetch a link any number of times, so the events are limited.
MAX_EVENTS = 20
REPEATED_WITHIN = timedelta(minutes=10)
# Concurrent fetches may take the same number; three tries are enough.
TRIES = 3


class FetchKind(models.TextChoices):
    ROBOT = "robot", "fetched by a robot"
    OPENED = "opened", "opened"
    REFUSED = "refused", "opened where it can't be started"


# They sum to MAX_EVENTS, so that a busy robot leaves room for the student's events.
SHARES = {FetchKind.ROBOT: 8, FetchKind.OPENED: 8, FetchKind.REFUSED: 4}


class LinkEventQuerySet(models.QuerySet["LinkEvent"]):
    def note(self, link: AssessmentLink, kind: FetchKind, what: str, at: datetime) -> None:
        """Append a fetch to a link's events.

        Not if the same was seen within ten minutes, its kind has no share left, or the database
        fails: the page matters more than the event.
        """
        for _ in range(TRIES):
            try:
                kept = list(self.filter(link=link).order_by("number"))
                alike = [event for event in kept if event.kind == kind]
                # abs() because a clock may be set back.
                times = [abs(at - event.at) for event in alike if event.what == what]
                if len(alike) >= SHARES[kind] or any(each < REPEATED_WITHIN for each in times):
                    return
                number = kept[-1].number + 1 if kept else 1
                with transaction.atomic():
                    self.create(link=link, number=number, at=at, kind=kind, what=what)
                return
            except IntegrityError:
                continue
            except DatabaseError:
                logger.warning("A fetch of link %s was not noted.", link.pk, exc_info=True)
                return


class LinkEvent(models.Model):
    """A fetch of a link. It stores no address and no user agent, only the kind of client."""

    link = models.ForeignKey(
        AssessmentLink, on_delete=models.CASCADE, related_name="events", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    at = models.DateTimeField()
    kind = models.CharField(max_length=8, choices=FetchKind.choices)
    what = models.CharField(
        max_length=40, blank=True, default="", help_text="Which robot, or why it was refused."
    )

    objects = LinkEventQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["link", "number"], name="linkevent_number_once"),
            models.CheckConstraint(
                condition=Q(number__range=(1, MAX_EVENTS)), name="linkevent_at_most_20"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["robot", "opened", "refused"]), name="linkevent_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return f"event {self.number}"


erasers.append(lambda student: LinkEvent.objects.filter(link__student=student).delete())
