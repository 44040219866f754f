"""The failures log: partners' calls that were refused although the secret was right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import ClassVar
from zoneinfo import ZoneInfo

from django.db import IntegrityError, models, transaction
from django.db.models import F, Q
from django.utils import timezone

from partners.models import Project
from tokens.models import AccessToken

SHOWN_TO_PARTNERS = timedelta(days=7)
SHOWN_AT_MOST = 200
DAYS = 7  # of a project's page
COUNTED_AT_MOST = 10_000  # rows, of a project whose program fails all the time
REFUSED_CREDENTIALS, RATE_LIMITED = 401, 429


@dataclass(frozen=True)
class RefusedDays:
    """How many calls were refused on each day, the newest first, by cause."""

    days: list[date]
    rows: list[tuple[str, list[int]]]
    is_capped: bool


class RefusedCallQuerySet(models.QuerySet["RefusedCall"]):
    def store(self, calls: Iterable[RefusedCall]) -> None:
        """Store calls, adding those over a limit to the row of their minute."""
        calls = list(calls)
        counted = [call for call in calls if call.is_counted]
        # In one order, so that workers which count the same rows don't wait for each other.
        counted.sort(key=lambda call: (call.project_id, call.operation, call.at))
        with transaction.atomic():
            self.bulk_create([call for call in calls if not call.is_counted])
            for call in counted:
                self._count(call)

    def recent(self, project: Project, at: datetime) -> RefusedCallQuerySet:
        """Return what a partner is shown: the newest calls of the last 7 days."""
        calls = self.filter(project=project, at__gt=at - SHOWN_TO_PARTNERS)
        return calls.select_related("access_token").order_by("-at", "-pk")[:SHOWN_AT_MOST]

    def by_day(self, project: Project, at: datetime | None = None) -> RefusedDays:
        """Count a project's refused calls by cause, on the last days of its time zone."""
        zone = ZoneInfo(project.time_zone)
        today = (at or timezone.now()).astimezone(zone).date()
        days = [today - timedelta(days=ago) for ago in range(DAYS)]
        since = datetime.combine(days[-1], time(), zone)
        calls = self.filter(project=project, at__gte=since).order_by("-at", "-pk")
        newest = list(calls.only("at", "code", "status", "fields", "count")[:COUNTED_AT_MOST])
        counts: dict[str, dict[date, int]] = {}
        for call in newest:
            of_days = counts.setdefault(call.cause, dict.fromkeys(days, 0))
            day = min(call.at.astimezone(zone).date(), today)
            of_days[day] += call.count
        rows = [(cause, list(counts[cause].values())) for cause in sorted(counts)]
        return RefusedDays(days, rows, is_capped=len(newest) == COUNTED_AT_MOST)

    def _count(self, call: RefusedCall) -> None:
        """Add to the row of the minute, or create it."""
        same = self.filter(
            project=call.project_id, operation=call.operation, at=call.at, status=RATE_LIMITED
        )
        more = {"count": F("count") + call.count}
        if same.update(**more):
            return
        try:
            with transaction.atomic():
                call.save(force_insert=True)
        except IntegrityError:
            # Another worker created it meanwhile.
            if not same.update(**more):
                raise


class RefusedCall(models.Model):
    """A refused call, without any value that was sent. Calls over a limit share a row a minute."""

    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="refused_calls", db_index=False
    )
    access_token = models.ForeignKey(
        AccessToken,
        on_delete=models.CASCADE,
        related_name="refused_calls",
        db_index=False,
        verbose_name="token",
    )
    at = models.DateTimeField(help_text="Of calls over a limit, the beginning of their minute.")
    request_id = models.CharField(max_length=64)
    operation = models.CharField(max_length=40, help_text="The last part of the path.")
    status = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=40)
    fields = models.JSONField(
        default=list, blank=True, help_text="The names of wrong fields, each with a code."
    )
    count = models.PositiveIntegerField(default=1)

    objects = RefusedCallQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        indexes: ClassVar = [
            models.Index(fields=["project", "at"], name="refusedcall_of_project"),
            models.Index(fields=["at"], name="refusedcall_by_time"),
            models.Index(fields=["request_id"], name="refusedcall_by_request"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["project", "operation", "at"],
                condition=Q(status=RATE_LIMITED),
                name="refusedcall_limit_once_a_minute",
            ),
            models.CheckConstraint(
                condition=Q(status=RATE_LIMITED, count__gte=1) | Q(count=1),
                name="refusedcall_count",
            ),
        ]

    def __str__(self) -> str:
        where = f"{self.operation}: " if self.operation else ""
        return f"{where}{self.status} {self.code}"

    @property
    def reason(self) -> str:
        """Why the token was refused; "" if it was not."""
        return self.fields[0]["code"] if self.status == REFUSED_CREDENTIALS and self.fields else ""

    @property
    def cause(self) -> str:
        """The code, with the reason of a 401."""
        return f"{self.code}: {self.reason}" if self.reason else self.code

    @property
    def is_counted(self) -> bool:
        """Whether the row stands for all such calls of its minute."""
        return self.status == RATE_LIMITED
