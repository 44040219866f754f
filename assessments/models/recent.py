"""What the latest sittings on a bank show: which items were given how often, how long they take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from statistics import median
from typing import TYPE_CHECKING

from django.db.models import Count

from assessments.models.answers import Answer
from assessments.models.banks import ItemBank
from assessments.models.items import Item

if TYPE_CHECKING:
    from assessments.models.attempts import AssessmentQuerySet

# Enough for a share to the nearest hundredth or so, few enough to be counted in milliseconds.
SITTINGS = 500
# Before that, shares and medians say little.
FEWEST_SITTINGS = 50
FRESH_FOR = timedelta(minutes=1)


@dataclass(frozen=True)
class Sittings:
    """What is known of the latest sittings; nothing while there are fewer than FEWEST_SITTINGS.

    `exposure` is the share of sittings that were given an aptitude item, by its code.
    """

    exposure: Mapping[str, float] = field(default_factory=dict)
    median_duration: timedelta | None = None


_known: dict[int, tuple[datetime, Sittings]] = {}


def sittings(attempts: AssessmentQuerySet, bank: ItemBank, at: datetime) -> Sittings:
    """Return what this process knows of the latest sittings on a bank, at most a minute old.

    No counter is kept anywhere: a minute's delay lets an item be given a little more often than
    it should be, which does no harm, and a shared counter would be written by every answer.
    """
    if bank.pk in _known:
        read_at, known = _known[bank.pk]
        # A clock that went back is no reason to keep a figure for longer.
        if timedelta(0) <= at - read_at < FRESH_FOR:
            return known
    fresh = read(attempts, bank)
    _known[bank.pk] = (at, fresh)
    return fresh


def forget() -> None:
    """Let the next question be answered from the database."""
    _known.clear()


def read(attempts: AssessmentQuerySet, bank: ItemBank) -> Sittings:
    """Count the latest sittings on a bank."""
    latest = list(attempts.latest_on(bank, SITTINGS).values_list("pk", flat=True))
    shown = Answer.objects.filter(assessment__in=latest, item__section=Item.Section.APTITUDE)
    reached = shown.aggregate(n=Count("assessment", distinct=True))["n"]
    exposure: dict[str, float] = {}
    if reached >= FEWEST_SITTINGS:
        counts = shown.values_list("item__code").annotate(n=Count("pk"))
        exposure = {code: n / reached for code, n in counts}
    ended = attempts.filter(pk__in=latest).completed().values_list("started_at", "completed_at")
    seconds = [(end - start).total_seconds() for start, end in ended if end]
    if len(seconds) < FEWEST_SITTINGS:
        return Sittings(exposure)
    return Sittings(exposure, timedelta(seconds=median(seconds)))
