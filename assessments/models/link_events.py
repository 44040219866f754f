"""Who fetched a link, as far as that can be told: what the student's browser alone can't say."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import ClassVar

from django.db import DatabaseError, IntegrityError, models, transaction
from django.db.models import Q

from assessments.models.links import AssessmentLink

logger = logging.getLogger(__name__)

# Robots may fetch a link as often as they like; what is kept of it has an end.
EVENTS_AT_MOST = 20
REPEATED_WITHIN = timedelta(minutes=10)
# Two fetches at one moment want one number; a third try finds the next free one.
TRIES = 3


class Kind(models.TextChoices):
    """What a fetch was, as far as it can be told."""

    ROBOT = "robot", "fetched by a robot"
    OPENED = "opened", "opened"
    REFUSED = "refused", "opened where it can't be started"


# Together EVENTS_AT_MOST: a robot that comes all day must not leave the student without a line.
SHARES = {Kind.ROBOT: 8, Kind.OPENED: 8, Kind.REFUSED: 4}


class LinkEventQuerySet(models.QuerySet["LinkEvent"]):
    def note(self, link: AssessmentLink, kind: Kind, what: str, at: datetime) -> bool:
        """Append a fetch to a link's events, and touch nothing else. Return False if it is not.

        It is not kept if the same was seen within ten minutes, if the kind has its share, or if
        the database fails: nobody waits in vain for a page because of a note about it.
        """
        try:
            return any(self._append(link, kind, what, at) for _ in range(TRIES))
        except _Enough:
            return False
        except DatabaseError:
            logger.warning("A fetch of link %s was not noted.", link.pk, exc_info=True)
            return False

    def _append(self, link: AssessmentLink, kind: Kind, what: str, at: datetime) -> bool:
        """Try the next number. Return False if somebody took it; raise _Enough if there is none."""
        kept = list(self.filter(link=link).order_by("number"))
        alike = [event for event in kept if event.kind == kind]
        if len(alike) >= SHARES[kind]:
            raise _Enough
        # also from a clock that jumped back
        if any(e.what == what and abs(at - e.at) < REPEATED_WITHIN for e in alike):
            raise _Enough
        number = kept[-1].number + 1 if kept else 1
        try:
            with transaction.atomic():
                self.create(link=link, number=number, at=at, kind=kind, what=what)
        except IntegrityError:
            return False
        return True

    def in_order(self) -> list[LinkEvent]:
        return list(self.order_by("number"))


class _Enough(Exception):
    """There is nothing new to keep."""


class LinkEvent(models.Model):
    """One fetch of a link. Holds no address and no name of a browser, only what fetched it."""

    link = models.ForeignKey(
        AssessmentLink, on_delete=models.CASCADE, related_name="events", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    at = models.DateTimeField()
    kind = models.CharField(max_length=8, choices=Kind.choices)
    what = models.CharField(
        max_length=40, blank=True, default="", help_text="Which robot, or why it was refused."
    )

    objects = LinkEventQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["link", "number"], name="linkevent_number_once"),
            models.CheckConstraint(
                condition=Q(number__range=(1, EVENTS_AT_MOST)), name="linkevent_at_most_20"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["robot", "opened", "refused"]), name="linkevent_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return f"event {self.number}"
