"""Norms from completed attempts: the answers they are made from, and the bank that has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.core.management.base import CommandError

from assessments.models import Assessment, ItemBank
from assessments.models.attempts import AssessmentQuerySet
from measurement.bank_validation import validate
from measurement.norms import FEWEST_ATTEMPTS
from measurement.successor import (
    NORMED,
    next_version,
    successor,
    unchanged_items,
    with_norms_from,
)
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


def completed(banks: Iterable[ItemBank]) -> AssessmentQuerySet:
    return Assessment.objects.without_tests().filter(bank__in=list(banks)).completed()


def read_answers(
    bank: ItemBank, content: Mapping[str, Any], progress: Callable[[int], None] | None = None
) -> list[list[Given]]:
    """Return the answers of the newest completed attempts without a flag, at most MOST.

    Attempts are those on the bank and on the banks that it succeeds. They keep the answers to
    items that `content`, of a bank file, asks alike. `progress` is called regularly with the number
    read so far. Raises TooFew, with a message that says how many are missing.
    """
    banks = lineage(bank)
    unchanged = {each.pk: unchanged_items(each.to_file(), content) for each in banks}
    found = completed(each for each in banks if unchanged[each.pk])
    valid = found.flagged(False)
    count = valid.count()
    if count < FEWEST_ATTEMPTS:
        raise TooFew(
            f"There are {count} completed attempts without flags on "
            f"{' and '.join(map(str, banks))}, and {found.flagged().count()} with. At least "
            f"{FEWEST_ATTEMPTS} without are needed: {FEWEST_ATTEMPTS - count} more."
        )
    newest = valid.defer("recommendations").newest_first()
    attempts: list[list[Given]] = []
    for attempt in newest[:MOST].iterator(AT_A_TIME):
        kept = unchanged[attempt.bank_id]
        attempts.append([each for each in attempt.given() if each.code in kept])
        if progress and len(attempts) % AT_A_TIME == 0:
            progress(len(attempts))
    return attempts


def normed_bank(content: Mapping[str, Any], attempts: list[list[Given]]) -> dict[str, Any]:
    """Return a successor of a bank file, with a free version and norms from these answers.

    Raises CommandError if it is not sound.
    """
    taken = list(ItemBank.objects.values_list("version", flat=True))
    version = next_version(content["version"], NORMED, taken)
    new = successor(with_norms_from(content, attempts), version)
    if faults := validate(new):
        raise CommandError("\n".join(["Nothing was published. Errors:", *faults]))
    return new


def bank_of_version(version: str) -> ItemBank:
    try:
        return ItemBank.objects.get(version=version)
    except ItemBank.DoesNotExist:
        versions = ", ".join(ItemBank.objects.values_list("version", flat=True)) or "none"
        raise CommandError(f"There is no bank {version}. There are: {versions}.") from None
