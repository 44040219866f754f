"""What was counted: of each project's days, and of each item. Counted by a command, never live."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from assessments.models.items import Item
from partners.models import Project


class ProjectDay(models.Model):
    """What happened in one project, or in all, on one day (UTC). A day that is over is final."""

    project = models.ForeignKey(
        Project,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="days",
        db_index=False,
        help_text="None: all projects together.",
    )
    day = models.DateField()
    counted_at = models.DateTimeField()
    links_issued = models.PositiveIntegerField(default=0)
    links_expired = models.PositiveIntegerField(default=0, help_text="Unused, by their expiry.")
    started = models.PositiveIntegerField(default=0)
    completed = models.PositiveIntegerField(default=0)
    abandoned = models.PositiveIntegerField(default=0, help_text="Left, replaced or out of time.")
    low_effort = models.PositiveIntegerField(default=0, help_text="Completed, with a flag.")
    durations = models.JSONField(default=dict, help_text="Completed attempts by whole minutes.")
    courses = models.JSONField(default=dict, help_text="Recommendations by course name.")
    stopped = models.JSONField(
        default=dict, help_text="Abandoned attempts by the section where they stopped."
    )

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["project", "day"], name="projectday_once_a_project"),
            models.UniqueConstraint(
                fields=["day"],
                name="projectday_once_for_all",
                condition=Q(project__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project_id or 'all'} {self.day}"


class ItemStatistics(models.Model):
    """How one item does, counted over the latest attempts on its bank."""

    item = models.OneToOneField(
        Item, on_delete=models.CASCADE, primary_key=True, related_name="statistics"
    )
    counted_at = models.DateTimeField()
    attempts = models.PositiveIntegerField(help_text="How many attempts were looked at.")
    shown = models.PositiveIntegerField()
    answered = models.PositiveIntegerField()
    correct = models.PositiveIntegerField(null=True, blank=True, help_text="Aptitude only.")
    stopped_here = models.PositiveIntegerField(
        help_text="Abandoned attempts in which this was the first unanswered item."
    )
    median_seconds = models.FloatField(null=True, blank=True)
    discrimination = models.FloatField(
        null=True, blank=True, help_text="Correlation with the rest of its scale."
    )
    by_language = models.JSONField(default=dict, help_text="The same figures, by language.")

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"statistics of item {self.item_id}"
