"""Read the completed attempts that norms are made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from assessments.models import Assessment, ItemBank
from assessments.models.attempts import AssessmentQuerySet
from measurement.successor import unchanged_items
from measurement.validity import Given

# Enough for errors of a few hundredths.
MOST = 10_000
AT_A_TIME = 200


class TooFew(Exception):
    """There are not enough attempts."""


def lineage(bank: ItemBank) -> list[ItemBank]:
    """Return a bank and those that it succeeds, the newest first."""
    banks = [bank]
    while succeeded := ItemBank.objects.filter(version=banks[-1].succeeds).first():
        if succeeded in banks:
            break
        banks.append(succeeded)
    return banks


def count(bank: ItemBank) -> int:
    return _completed(lineage(bank)).flagged(False).count()


def read(
    bank: ItemBank,
    fewest: int,
    progress: Callable[[int], None] | None = None,
    *,
    content: Mapping[str, Any] | None = None,
) -> list[list[Given]]:
    """Return the answers of the newest completed attempts without a flag, at most MOST.

    Attempts are those on the bank and on the banks that it succeeds. They keep the answers to
    items that `content`, by default the bank's own, asks alike. `progress` is called regularly
    with the number read so far. Raises TooFew, with a message that says how many are missing, if
    there are fewer than `fewest`.
    """
    content = content or bank.to_file()
    banks = lineage(bank)
    unchanged = {each.pk: unchanged_items(each.to_file(), content) for each in banks}
    completed = _completed(each for each in banks if unchanged[each.pk])
    valid = completed.flagged(False)
    found = valid.count()
    if found < fewest:
        raise TooFew(
            f"There are {found} completed attempts without flags on "
            f"{' and '.join(map(str, banks))}, and {completed.flagged().count()} with. At least "
            f"{fewest} without are needed: {fewest - found} more."
        )
    newest = valid.defer("recommendations").newest_first()
    attempts: list[list[Given]] = []
    for attempt in newest[:MOST].iterator(AT_A_TIME):
        kept = unchanged[attempt.bank_id]
        attempts.append([each for each in attempt.given() if each.code in kept])
        if progress and len(attempts) % AT_A_TIME == 0:
            progress(len(attempts))
    return attempts


def _completed(banks: Iterable[ItemBank]) -> AssessmentQuerySet:
    return Assessment.objects.without_tests().filter(bank__in=list(banks)).completed()
