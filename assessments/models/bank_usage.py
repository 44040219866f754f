"""How often puzzles are shown and how long attempts take, by the latest attempts on a bank."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from statistics import median

from django.db.models import Count

from assessments.models.answers import Answer
from assessments.models.banks import ItemBank
from assessments.models.items import Item

# Enough for a share to about a hundredth, and few enough to count in milliseconds.
LATEST = 500
# With fewer attempts, shares and medians say little.
FEWEST = 50


@dataclass(frozen=True)
class RecentAttempts:
    """`exposure` maps a puzzle's code to its share of attempts. Empty with fewer than FEWEST."""

    exposure: Mapping[str, float] = field(default_factory=dict)
    median_duration: timedelta | None = None


def on_bank(bank: ItemBank, at: datetime) -> RecentAttempts:
    """Return the usage, cached for a minute: a shared counter would cost a write per answer."""
    return count(bank, at.replace(second=0, microsecond=0))


@lru_cache(maxsize=8)
def count(bank: ItemBank, minute: datetime) -> RecentAttempts:
    attempts = bank.attempt_set.without_tests()
    latest = list(attempts.order_by("-pk").values_list("pk", flat=True)[:LATEST])
    shown = Answer.objects.current().filter(attempt__in=latest, item__section=Item.Section.APTITUDE)
    reached = shown.aggregate(n=Count("attempt", distinct=True))["n"]
    exposure: dict[str, float] = {}
    if reached >= FEWEST:
        counts = shown.values_list("item__code").annotate(n=Count("pk"))
        exposure = {code: n / reached for code, n in counts}
    completed = bank.attempt_set.filter(pk__in=latest).completed()
    times = completed.values_list("started_at", "completed_at")
    seconds = [(end - start).total_seconds() for start, end in times if end]
    is_enough = len(seconds) >= FEWEST
    return RecentAttempts(exposure, timedelta(seconds=median(seconds)) if is_enough else None)
