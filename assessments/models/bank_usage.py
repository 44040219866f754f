"""How often puzzles are shown and how long attempts take, by the latest attempts on a bank."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from statistics import median

from django.db.models import Count

from assessments.models.answers import Answer
from assessments.models.banks import ItemBank
from assessments.models.items import Item
from measurement.layout import Layout

# Enough for a share to about a hundredth, and few enough to count in milliseconds.
LATEST = 500
# With fewer attempts, shares and medians say little.
FEWEST = 50


@dataclass(frozen=True)
class RecentAttempts:
    """What is known from FEWEST attempts on.

    `exposure` maps a puzzle's code to its share of attempts. `pace` is the median duration of
    attempts without flags as a multiple of the bank's estimate; at least 1, so that hurried
    attempts don't make us promise less.
    """

    exposure: Mapping[str, float] = field(default_factory=dict)
    pace: float = 1.0


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
    valid = bank.attempt_set.filter(pk__in=latest).completed().flagged(False)
    times = valid.values_list("started_at", "completed_at")
    paces = [(end - start).total_seconds() / bank.layout.seconds for start, end in times if end]
    return RecentAttempts(exposure, max(1.0, median(paces)) if len(paces) >= FEWEST else 1.0)


def layout(bank: ItemBank, at: datetime) -> Layout:
    """Return the bank's layout with the times that pages promise."""
    return bank.layout.at_pace(on_bank(bank, at).pace)
