"""When each task that should run by itself last succeeded."""

from datetime import datetime, timedelta
from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

PURGE, WEBHOOKS = "purge", "deliver_webhooks"
BACKUP = "backup"
# The tasks, named after their commands but for pgBackRest's, and how often each should succeed.
PERIODS = {BACKUP: timedelta(days=1), PURGE: timedelta(days=1), WEBHOOKS: timedelta(minutes=15)}
FIRST_WITHIN = timedelta(days=1)


class LastSuccessQuerySet(models.QuerySet["LastSuccess"]):
    def note(self, task: str, at: datetime | None = None) -> None:
        """Note a success, unless a newer one is known."""
        at = at or timezone.now()
        newer = Q(succeeded_at=None) | Q(succeeded_at__lt=at)
        if not self.filter(newer, task=task).update(succeeded_at=at):
            self.get_or_create(task=task, defaults={"known_since": at, "succeeded_at": at})

    def overdue(self, at: datetime | None = None) -> Self:
        """Return tasks that had no success for twice their period, or none a day after set-up."""
        at = at or timezone.now()
        late = Q(succeeded_at=None, known_since__lt=at - FIRST_WITHIN)
        for task, period in PERIODS.items():
            late |= Q(task=task, succeeded_at__lt=at - 2 * period)
        return self.filter(late).order_by("task")


class LastSuccess(models.Model):
    task = models.CharField(max_length=40, unique=True)
    known_since = models.DateTimeField(help_text="When the service first expected it to run.")
    succeeded_at = models.DateTimeField(null=True, blank=True)

    objects = LastSuccessQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        verbose_name_plural = "last successes"
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(task=""), name="lastsuccess_task_not_empty")
        ]

    def __str__(self) -> str:
        return self.task
