from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assessments.management.base import Recalibrated, RecalibrationCommand
from assessments.measurement.completed_attempt import CompletedAttempt
from assessments.measurement.item_validation import SCALES
from assessments.measurement.norms import FEWEST_ATTEMPTS, scale_norms, usual_seconds
from assessments.measurement.recalibration import with_norms
from assessments.models import ItemBank


class Command(RecalibrationCommand):
    help = (
        "Work out means and SDs of the interest and preference scales, and the usual times of the "
        f"sections, from at least {FEWEST_ATTEMPTS} completed attempts without flags, on a bank "
        "and those it was made from. Prints the old and new figures. Changes nothing without "
        "--apply, which publishes a new bank with them and makes it the current one. "
        "Attempts that have started stay on their bank."
    )
    letter = "n"

    def recalibrate(
        self, bank: ItemBank, attempts: Sequence[CompletedAttempt], *, quiet: bool
    ) -> Recalibrated:
        content = bank.to_file()
        norms = scale_norms([attempt.means for attempt in attempts])
        times = (time for attempt in attempts for time in attempt.section_seconds(bank.scoring))
        changed = with_norms(content, norms, usual_seconds(times))
        figures = {
            "old": {"norms": content["norms"], "seconds": seconds(content)},
            "new": {"norms": changed["norms"], "seconds": seconds(changed)},
        }
        return Recalibrated(changed, table(content, changed), figures)


def seconds(content: dict[str, Any]) -> dict[str, float | None]:
    return {section["code"]: section.get("seconds") for section in content["sections"]}


def table(old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    """Yield a line per scale, then one per section, old and new figures side by side."""
    yield f"{'scale':<18} {'mean':>6} {'new':>6}  {'SD':>6} {'new':>6}"
    for section, scales in SCALES.items():
        for scale in scales:
            norm, found = old["norms"][section][scale], new["norms"][section][scale]
            yield (
                f"{scale:<18} {norm['mean']:>6.2f} {found['mean']:>6.2f}  "
                f"{norm['sd']:>6.2f} {found['sd']:>6.2f}"
            )
    yield f"{'section':<18} {'seconds':>13} {'new':>6}"
    for code, usual in seconds(old).items():
        now = seconds(new)[code]
        yield f"{code:<18} {'-' if usual is None else usual:>13} {'-' if now is None else now:>6}"
