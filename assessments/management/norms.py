"""Norms from completed attempts: the answers they are made from, and the bank that has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.core.management.base import CommandError

from assessments.models import Attempt, ItemBank
from assessments.models.attempts import AttemptQuerySet
from measurement.bank_validation import validate
from measurement.norms import FEWEST_ATTEMPTS, with_norms_from
from measurement.successor import NORMED, make_successor, unchanged_items

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


def completed(banks: list[ItemBank]) -> AttemptQuerySet:
    return Attempt.objects.without_tests().filter(bank__in=banks).completed()


def normed_bank(
    bank: ItemBank, content: Mapping[str, Any], progress: Callable[[str], None]
) -> dict[str, Any]:
    """Return a successor of `content`, of a bank file, with norms from the answers on `bank`.

    They are those of the newest completed attempts without a flag, at most MOST, on the bank and
    on the banks that it succeeds, to items that `content` asks alike. Raises TooFew, with a message
    that says how many attempts are missing, and CommandError if the successor is not sound. Says
    now and then how many attempts were read.
    """
    banks = lineage(bank)
    unchanged = {each.pk: unchanged_items(each.to_file(), content) for each in banks}
    found = completed([each for each in banks if unchanged[each.pk]])
    valid = found.flagged(False)
    count = valid.count()
    if count < FEWEST_ATTEMPTS:
        raise TooFew(
            f"There are {count} completed attempts without flags on "
            f"{' and '.join(map(str, banks))}, and {found.flagged().count()} with. At least "
            f"{FEWEST_ATTEMPTS} without are needed: {FEWEST_ATTEMPTS - count} more."
        )
    newest = valid.defer("recommendations").newest_first()[:MOST]
    attempts = []
    for attempt in newest.iterator(AT_A_TIME):
        kept = unchanged[attempt.bank_id]
        attempts.append([each for each in attempt.given() if each.code in kept])
        if len(attempts) % AT_A_TIME == 0:
            progress(f"{len(attempts)} attempts read")
    taken = list(ItemBank.objects.values_list("version", flat=True))
    new = make_successor(with_norms_from(content, attempts), NORMED, taken)
    if faults := validate(new):
        raise CommandError("\n".join(["Nothing was published. Errors:", *faults]))
    return new
