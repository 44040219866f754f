"""End attempts in several processes while a client follows the feed. Runs inside `manage.py shell`.

Times are those of the service divided by `scale`: 1 is real, 10 a tenth of it.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from datetime import timedelta
from threading import Thread
from typing import Any
from unittest import mock

from django.conf import settings
from django.db import connection, transaction
from django.db.models.functions import Mod
from django.test import override_settings
from django.utils import timezone

from assessments.models import feed
from assessments.models.attempts import Assessment
from assessments.models.retention import ENDED_AT
from partners.models import Project
from tests.support import prepare

PROCESSES = 8
CLOCKS_APART = 10.0  # seconds between the first process's clock and the last one's
DELAYS = (20.0, 75.0)  # seconds for which a COMMIT may wait
# Of a hundred attempts, so many end with a delay, and so many by passing their finish-by.
SLOW, LATE = 2, 10


@dataclass(frozen=True)
class Plan:
    """How many attempts end, in how many seconds."""

    project_id: str
    count: int
    seconds: float
    scale: float

    @property
    def attempts(self) -> Any:
        project = Project.objects.get(project_id=self.project_id)
        return Assessment.objects.filter(project_id=project.pk)

    def timed(self) -> Any:
        """Run with the service's times divided by the scale."""
        return mock.patch.multiple(
            feed,
            HELD_BACK=feed.HELD_BACK / self.scale,
            BEFORE_WRITERS=feed.BEFORE_WRITERS / self.scale,
        )


def make(*values: Any) -> None:
    """Make open attempts. Some of them end by themselves, at any moment of the run."""
    plan = Plan(*values)
    first, _ = prepare.start(Project.objects.get(project_id=plan.project_id), "first")
    prepare.copies(first, plan.count - 1)
    now = timezone.now()
    for number, pk in enumerate(plan.attempts.order_by("pk").values_list("pk", flat=True)):
        if number % 100 < LATE:
            at = now + timedelta(seconds=random.uniform(0, plan.seconds))
            Assessment.objects.filter(pk=pk).update(finish_by_at=at)


def write(part: int, *values: Any) -> None:
    """End one process's share of the attempts, by its own clock."""
    plan = Plan(*values)
    ahead = timedelta(seconds=CLOCKS_APART * (part / (PROCESSES - 1) - 0.5) / plan.scale)
    mine = plan.attempts.annotate(part=Mod("pk", PROCESSES)).filter(part=part)
    keys = list(mine.order_by("pk").values_list("pk", flat=True))
    slow = keys[:: 100 // SLOW]
    delays = [DELAYS[number % len(DELAYS)] / plan.scale for number in range(len(slow))]
    # Each delayed COMMIT has a connection of its own and begins anywhere in the run.
    waiting = [
        Thread(target=_end_slowly, args=(pk, ahead, delay, random.uniform(0, plan.seconds)))
        for pk, delay in zip(slow, delays, strict=True)
    ]
    with _tolerance(plan):
        for thread in waiting:
            thread.start()
        for pk in keys:
            time.sleep(random.uniform(0, 2 * plan.seconds / len(keys)))
            if pk not in slow:
                Assessment.objects.get(pk=pk).abandon(timezone.now() + ahead)
        for thread in waiting:
            thread.join()


def _tolerance(plan: Plan) -> Any:
    return override_settings(CLOCK_TOLERANCE=settings.CLOCK_TOLERANCE / plan.scale)


def _end_slowly(pk: int, ahead: timedelta, delay: float, after: float) -> None:
    time.sleep(after)
    try:
        with transaction.atomic():
            Assessment.objects.get(pk=pk).abandon(timezone.now() + ahead)
            time.sleep(delay)
    finally:
        connection.close()


def follow(*values: Any) -> dict[str, Any]:
    """Follow the feed until all is listed; return what was missed, and what came twice."""
    plan = Plan(*values)
    project = Project.objects.get(project_id=plan.project_id)
    place, seen, slowest = feed.START, [], 0.0
    longest = plan.seconds + 3 * (max(DELAYS) + feed.HELD_BACK.total_seconds()) / plan.scale + 30
    until = time.monotonic() + longest
    with plan.timed():
        while time.monotonic() < until and len(seen) < plan.count:
            listed = feed.page(project.pk, place, 200)
            for attempt in listed:
                place = feed.Place(attempt.ended_at, attempt.pk)
                seen.append(attempt.pk)
                slowest = max(slowest, (timezone.now() - attempt.ended_at).total_seconds())
            if len(listed) < 200:
                time.sleep(1 / plan.scale)
    ordered = plan.attempts.annotate(ended_at=ENDED_AT).order_by("ended_at", "pk")
    expected = list(ordered.values_list("pk", flat=True))
    return {
        "missing": len(set(expected) - set(seen)),
        "twice": len(seen) - len(set(seen)),
        "in order": seen == [pk for pk in expected if pk in set(seen)],
        "slowest": round(slowest, 1),
    }
