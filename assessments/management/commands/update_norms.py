from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.core.management.base import CommandError, CommandParser

from assessments.management import completed_attempts
from assessments.management.base import Recalibrated, RecalibrationCommand
from assessments.measurement.completed_attempt import CompletedAttempt
from assessments.measurement.item_validation import SCALES
from assessments.measurement.norms import FEWEST_ATTEMPTS
from assessments.measurement.recalibration import NORMED, with_norms_from
from assessments.models import ItemBank

# A timer publishes new norms when the attempts have grown by half: at first they change much, and
# from 30 to 300 attempts that makes six banks.
GROWTH = 1.5


class Command(RecalibrationCommand):
    help = (
        "Work out means and SDs of the scales, the interest statements and the fields, and the "
        f"usual times of the sections, from at least {FEWEST_ATTEMPTS} completed attempts without "
        "flags, on a bank and those it was made from. "
        "Prints the old and new figures. Changes nothing without --apply, which publishes a new "
        "bank with them and makes it the current one. Attempts that have started stay on their "
        "bank."
    )
    letter = NORMED

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--until",
            type=int,
            metavar="N",
            help="for scheduled runs: change nothing, and exit with 0, once N attempts count or "
            "until they have grown by half since the last norms",
        )

    def fewest(self, bank: ItemBank) -> int:
        return FEWEST_ATTEMPTS

    def waiting(
        self, bank: ItemBank, *, until: int | None = None, **options: Any
    ) -> tuple[int, str] | None:
        if until is None:
            return None
        if until < 1:
            raise CommandError("--until must be at least 1.")
        count = completed_attempts.count(bank)
        if count >= until:
            return count, f"From {until} on, look at the figures and update the norms yourself."
        fewest = max(self.fewest(bank), math.ceil(GROWTH * bank.norms_from))
        if count < fewest:
            if not bank.norms_from:
                return count, f"{fewest} are needed for the first norms."
            return count, f"Its norms come from {bank.norms_from}; new ones need {fewest}."
        return None

    def recalibrate(
        self, bank: ItemBank, attempts: Sequence[CompletedAttempt], *, quiet: bool
    ) -> Recalibrated:
        content = bank.to_file()
        changed = with_norms_from(content, attempts)
        figures = {
            "old": {"norms": content["norms"], "seconds": seconds(content)},
            "new": {"norms": changed["norms"], "seconds": seconds(changed)},
        }
        return Recalibrated(changed, table(content, changed), figures)


def seconds(content: Mapping[str, Any]) -> dict[str, float | None]:
    return {section["code"]: section.get("seconds") for section in content["sections"]}


def table(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line per norm, then one per section, old and new figures side by side."""
    before, after = norms(old), norms(new)
    width = max(18, *(len(name) for names in before.values() for name in names))
    for title, names in before.items():
        yield f"{title:<{width}} {'mean':>6} {'new':>6}  {'SD':>6} {'new':>6}"
        for name, (mean, sd) in names.items():
            new_mean, new_sd = after[title][name]
            yield f"{name:<{width}} {mean:>6.2f} {new_mean:>6.2f}  {sd:>6.2f} {new_sd:>6.2f}"
    yield f"{'section':<{width}} {'seconds':>13} {'new':>6}"
    for code, usual in seconds(old).items():
        was, now = ("-" if each is None else each for each in (usual, seconds(new)[code]))
        yield f"{code:<{width}} {was:>13} {now:>6}"


def norms(content: Mapping[str, Any]) -> dict[str, dict[str, tuple[float, float]]]:
    """Return mean and SD by name, of scales, statements and fields."""
    given = content["norms"]
    codes = [field["code"] for field in content["fields"]]
    means, rows = given["fields"]["means"], given["fields"]["covariances"]
    return {
        "scale": {
            scale: (given[section][scale]["mean"], given[section][scale]["sd"])
            for section, scales in SCALES.items()
            for scale in scales
        },
        "statement": {norm["code"]: (norm["mean"], norm["sd"]) for norm in given["statements"]},
        "field": {
            code: (means[place], math.sqrt(rows[place][place])) for place, code in enumerate(codes)
        },
    }
