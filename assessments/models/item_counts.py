"""Count the answers to each item of a bank, and read the figures back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from assessments.measurement.dif import Dif
from assessments.measurement.item_findings import findings
from assessments.measurement.item_statistics import (
    Attempt,
    Figures,
    ItemCounts,
    ItemFigures,
    Shown,
    page_share,
)
from assessments.models.answers import Answer
from assessments.models.attempts import Assessment
from assessments.models.banks import ItemBank
from assessments.models.items import Item
from assessments.models.statistics import ItemStatistics

# Gives most items ENOUGH answers in each of two languages, and takes only a few minutes to count.
LATEST = 20_000
AT_A_TIME = 500

# Position, item, when shown, choice, when answered.
Row = tuple[int, int, datetime, int | None, datetime | None]


def count_items(bank: ItemBank, at: datetime) -> int:
    """Count the items of a bank in its latest attempts, at most LATEST. Return how many it read.

    Every item gets a row of figures, even if it was never shown. Attempts started after `at` are
    ignored. An answer given during the count may or may not be included.
    """
    content = ItemBank.cached(bank.pk)
    counts, read = ItemCounts(content.scoring), 0
    for attempt in _latest(content, at):
        counts.add(attempt)
        read += 1
    codes = {item.code: pk for pk, item in content.items.items()}
    rows = sorted((codes[code], figures) for code, figures in counts.figures().items())
    ItemStatistics.objects.bulk_create(
        [_row(pk, figures, read, at) for pk, figures in rows],
        update_conflicts=True,
        unique_fields=["item"],
        update_fields=[f.name for f in ItemStatistics._meta.fields if not f.primary_key],
    )
    return read


def figures_of(statistics: ItemStatistics) -> ItemFigures:
    """Return the figures stored in a row of statistics."""
    return ItemFigures(
        Figures(
            shown=statistics.shown,
            answered=statistics.answered,
            correct=statistics.correct,
            stopped_here=statistics.stopped_here,
            median_seconds=statistics.median_seconds,
            discrimination=statistics.discrimination,
        ),
        {language: _figures(data) for language, data in statistics.by_language.items()},
    )


def findings_of(item: Item) -> tuple[str, ...]:
    """Return the findings about an item, codes of `measurement.item_findings.FINDINGS`."""
    statistics = getattr(item, "statistics", None)
    if statistics is None:
        return ()
    figures = figures_of(statistics)
    return findings(figures.together, figures.by_language.values(), item.c)


def needing_review() -> list[int]:
    """Return the primary keys of all items with a finding, in every bank."""
    counted = Item.objects.filter(statistics__isnull=False).select_related("statistics")
    return [item.pk for item in counted.defer("content") if findings_of(item)]


def _latest(bank: ItemBank, at: datetime) -> Iterator[Attempt]:
    """Yield the latest attempts, newest first, in batches of AT_A_TIME."""
    newest, left = None, LATEST
    while left > 0:
        attempts = Assessment.objects.without_tests().order_by("-pk")
        attempts = attempts.filter(bank=bank, started_at__lte=at)
        if newest is not None:
            attempts = attempts.filter(pk__lt=newest)
        some = list(
            attempts.values_list("pk", "language", "completed_at", "abandoned_at", "finish_by_at")[
                : min(AT_A_TIME, left)
            ]
        )
        if not some:
            return
        newest, left = some[-1][0], left - len(some)
        shown = _shown(bank, [pk for pk, *_ in some])
        for pk, language, completed_at, abandoned_at, finish_by_at in some:
            has_ended = completed_at is None and (abandoned_at is not None or finish_by_at <= at)
            yield Attempt(language, shown.get(pk, ()), has_ended)


def _shown(bank: ItemBank, attempts: Sequence[int]) -> dict[int, list[Shown]]:
    """Return the items shown in each of these attempts, by attempt, in the order shown."""
    rows = (
        Answer.objects.current()
        .filter(assessment__in=attempts)
        .order_by("assessment", "position")
        .values_list("assessment", "position", "item", "shown_at", "choice", "answered_at")
    )
    return {
        attempt: list(_with_times(bank, [row[1:] for row in own]))
        for attempt, own in groupby(rows, key=lambda row: row[0])
    }


def _with_times(bank: ItemBank, rows: Sequence[Row]) -> Iterator[Shown]:
    """Yield the items shown; an answered one has its share of the page's time."""
    layout = bank.layout
    for _, page in groupby(rows, key=lambda row: layout.section_at(row[0]).page_first(row[0])):
        together = list(page)
        spent: list[timedelta] = [row[4] - row[2] for row in together if row[4] is not None]
        share = page_share([each.total_seconds() for each in spent]) if spent else None
        for _, item, _, choice, _ in together:
            code = bank.items[item].code
            yield Shown(code, choice, share if choice is not None else None)


def _row(item: int, figures: ItemFigures, attempts: int, at: datetime) -> ItemStatistics:
    together = figures.together
    return ItemStatistics(
        item_id=item,
        counted_at=at,
        attempts=attempts,
        shown=together.shown,
        answered=together.answered,
        correct=together.correct,
        stopped_here=together.stopped_here,
        median_seconds=together.median_seconds,
        discrimination=together.discrimination,
        by_language={name: each.to_json() for name, each in figures.by_language.items()},
    )


def _figures(data: dict[str, Any]) -> Figures:
    difference = data.get("difference")
    return Figures(**{**data, "difference": Dif(**difference) if difference else None})
