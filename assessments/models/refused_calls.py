"""The failures log: partners' calls that were refused although the secret was right."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import ClassVar

from django.db import models, transaction
from django.db.models import F, Max, Q, Sum
from django.db.models.functions import TruncDate

from partners.models import Project
from tokens.models import AccessToken

SHOWN_TO_PARTNERS = timedelta(days=7)
MAX_SHOWN = 200
MAX_COUNTED = 10_000
REFUSED_CREDENTIALS, RATE_LIMITED = 401, 429


class RefusedCallQuerySet(models.QuerySet["RefusedCall"]):
    @transaction.atomic
    def store(self, calls: Sequence[RefusedCall]) -> None:
        """Store calls. Those over a limit are added to the row of their minute."""
        self.bulk_create([call for call in calls if not call.is_counted])
        counted = [call for call in calls if call.is_counted]
        # In one order, so that workers which count the same rows don't wait for each other.
        for call in sorted(counted, key=lambda call: (call.project_id, call.operation, call.at)):
            self.update_or_create(
                project_id=call.project_id,
                operation=call.operation,
                at=call.at,
                status=call.status,
                defaults={"count": F("count") + call.count},
                create_defaults={
                    "access_token_id": call.access_token_id,
                    "request_id": call.request_id,
                    "code": call.code,
                    "count": call.count,
                },
            )

    def recent(self, project: Project, at: datetime) -> RefusedCallQuerySet:
        calls = self.filter(project=project, at__gt=at - SHOWN_TO_PARTNERS)
        return calls.select_related("access_token").order_by("-at", "-pk")[:MAX_SHOWN]

    def over_a_limit(self) -> RefusedCallQuerySet:
        """Return one row for each minute with calls over a limit, newest first."""
        calls = self.filter(status=RATE_LIMITED).select_related("project__partner")
        return calls.order_by("-at", "-pk")

    def count_equal(self) -> dict[int, int]:
        """Count equal calls by day in UTC, among the newest. Maps the newest call's key to it."""
        latest = self.order_by("-at", "-pk").values("pk")[:MAX_COUNTED]
        same = ("project", "operation", "status", "code", "fields", "day")
        days = RefusedCall.objects.filter(pk__in=latest).annotate(day=TruncDate("at", tzinfo=UTC))
        equal = days.values(*same).annotate(newest=Max("pk"), equal=Sum("count"))
        return dict(equal.values_list("newest", "equal"))


class RefusedCall(models.Model):
    """A refused call, without any value that was sent. Calls over a limit share a row a minute.

    Nothing limits calls with a token that has ended, so those of some seconds share a row.
    """

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
                condition=Q(status__in=[REFUSED_CREDENTIALS, RATE_LIMITED], count__gte=1)
                | Q(count=1),
                name="refusedcall_count",
            ),
        ]

    def __str__(self) -> str:
        where = f"{self.operation}: " if self.operation else ""
        return f"{where}{self.status} {self.code}"

    @property
    def reason(self) -> str:
        return self.fields[0]["code"] if self.status == REFUSED_CREDENTIALS and self.fields else ""

    @property
    def shares_row(self) -> object:
        """Equal for calls that share a row if they are written together."""
        if self.is_counted:
            return self.project_id, self.operation, self.at
        if self.status == REFUSED_CREDENTIALS and self.reason != "wrong_project":
            return self.access_token_id, self.operation, self.reason
        return object()

    @property
    def is_counted(self) -> bool:
        """Whether the row counts all such calls of its minute."""
        return self.status == RATE_LIMITED
