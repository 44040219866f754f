"""Make a bank with norms from completed attempts."""

from collections.abc import Callable, Mapping
from typing import Any

from django.core.management.base import CommandError

from assessments.models import Attempt, ItemBank
from assessments.models.attempts import AttemptQuerySet
from measurement.bank_validation import validate
from measurement.norms import FEWEST_ATTEMPTS, with_norms_from
from measurement.successor import NORMED, make_successor, unchanged_items

MAX_ATTEMPTS = 10_000  # enough for errors of a few hundredths
CHUNK = 200


class TooFew(CommandError):
    """Says how many attempts are missing."""


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


def make_normed_bank(
    bank: ItemBank, content: Mapping[str, Any], progress: Callable[[str], None]
) -> dict[str, Any]:
    """Return a successor of the bank file `content`, with norms from answers on `bank`.

    Uses the newest attempts without flags on the bank and those that it succeeds, and of these the
    answers to items that `content` asks alike. Raises TooFew, or CommandError with faults.
    """
    banks = lineage(bank)
    unchanged = {each.pk: unchanged_items(each.to_file(), content) for each in banks}
    usable = completed([each for each in banks if unchanged[each.pk]])
    valid = usable.flagged(False)
    count = valid.count()
    if count < FEWEST_ATTEMPTS:
        raise TooFew(
            f"There are {count} completed attempts without flags on "
            f"{' and '.join(map(str, banks))}, and {usable.flagged().count()} with. At least "
            f"{FEWEST_ATTEMPTS} without are needed: {FEWEST_ATTEMPTS - count} more."
        )
    newest = valid.defer("recommendations").newest_first()[:MAX_ATTEMPTS]
    attempts = []
    for attempt in newest.iterator(CHUNK):
        codes = unchanged[attempt.bank_id]
        attempts.append([each for each in attempt.given() if each.code in codes])
        if len(attempts) % CHUNK == 0:
            progress(f"{len(attempts)} attempts read")
    versions = list(ItemBank.objects.values_list("version", flat=True))
    new = make_successor(with_norms_from(content, attempts), NORMED, versions)
    if faults := validate(new):
        raise CommandError("\n".join(["Nothing was published. Errors:", *faults]))
    return new
