"""Who fetched a link, as far as that can be told: what the student's browser alone can't say."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from assessments.models.links import AssessmentLink

# Robots may fetch a link as often as they like; what is kept of it has an end.
EVENTS_AT_MOST = 20


class LinkEvent(models.Model):
    """One fetch of a link. Holds no address and no name of a browser, only what fetched it."""

    class Kind(models.TextChoices):
        ROBOT = "robot", "fetched by a robot"
        OPENED = "opened", "opened"
        REFUSED = "refused", "opened where it can't be started"

    link = models.ForeignKey(
        AssessmentLink, on_delete=models.CASCADE, related_name="events", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    at = models.DateTimeField()
    kind = models.CharField(max_length=8, choices=Kind.choices)
    what = models.CharField(
        max_length=40, blank=True, default="", help_text="Which robot, or why it was refused."
    )

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
