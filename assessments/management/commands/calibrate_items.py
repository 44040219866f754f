from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from assessments.management.base import Recalibrated, RecalibrationCommand
from assessments.measurement.completed_attempt import CompletedAttempt
from assessments.measurement.item_report import ItemReport, ItemRow, report
from assessments.measurement.norms import FEWEST_ATTEMPTS, usual_seconds
from assessments.measurement.recalibration import (
    CALIBRATED,
    expected_difficulties,
    with_estimates,
)
from assessments.models import ItemBank

# With this many attempts, ability is relative to the students of this service.
ENOUGH_FOR_A_REFERENCE = 300
STUDENTS = "students"


class Command(RecalibrationCommand):
    help = (
        "Estimate discrimination (a) and difficulty (b) of the aptitude items from at least "
        f"{FEWEST_ATTEMPTS} completed attempts without flags, on a bank and those it was made "
        "from; rushed answers don't count. Prints the old and new figures, the fit, the reasons to "
        "review an item, and items that differ between languages or projects with at least 100 "
        "answers on each side. Changes nothing without --apply, which publishes a new bank with "
        "the new figures, and the usual times of items with 30 answers, and makes it the current "
        f"one. With at least {ENOUGH_FOR_A_REFERENCE} attempts, results are then relative to the "
        "students of this service. Attempts that have started stay on their bank. In the table, "
        "right is the share of correct answers, se the standard error of the figure before it, "
        "infit and outfit are near 1 if the answers fit, and p is the probability of the misfit by "
        "chance. An item without answers keeps its figures; few_answers marks an item whose "
        "figures rest mostly on its rule."
    )
    letter = CALIBRATED

    def recalibrate(
        self, bank: ItemBank, attempts: Sequence[CompletedAttempt], *, quiet: bool
    ) -> Recalibrated:
        content = bank.to_file()
        made = report(
            bank.scoring,
            expected_difficulties(content),
            attempts,
            lambda steps, move: self.progress(f"step {steps}, {move:.5f}", quiet=quiet),
        )
        summed_up = summary(made)
        if len(attempts) < ENOUGH_FOR_A_REFERENCE:
            summed_up += (
                f"\nFrom fewer than {ENOUGH_FOR_A_REFERENCE} attempts the new figures rest mostly "
                "on the rules that generated the items. Wait for more."
            )
        return Recalibrated(
            changed(bank, content, attempts, made), table(made), figures(made), summed_up
        )


def changed(
    bank: ItemBank, content: dict[str, Any], attempts: Sequence[CompletedAttempt], made: ItemReport
) -> dict[str, Any]:
    """Return the bank's content with the new figures. Unanswered items are unchanged."""
    estimates = {row.code: (row.new.a, row.new.b) for row in made.items if row.new.answers}
    times = (time for attempt in attempts for time in attempt.aptitude_seconds(bank.scoring))
    new = with_estimates(content, estimates, usual_seconds(times))
    if len(attempts) >= ENOUGH_FOR_A_REFERENCE:
        new["reference"] = STUDENTS
    return new


def table(made: ItemReport) -> Iterator[str]:
    """Yield a line per item, then one per item that differs between groups."""
    width = max(len(row.code) for row in made.items)
    yield (
        f"{'item':<{width}} {'answers':>7} {'right':>5}  {'a':>5} {'new':>5} {'se':>5}  "
        f"{'b':>5} {'new':>5} {'se':>5}  {'infit':>5} {'outfit':>6} {'p':>5}  look, because"
    )
    for row in made.items:
        new, fit = row.new, row.fit
        yield (
            f"{row.code:<{width}} {new.answers:>7} {_two(fit.share_right):>5}  "
            f"{row.old_a:>5.2f} {new.a:>5.2f} {new.se_a:>5.2f}  "
            f"{row.old_b:>5.2f} {new.b:>5.2f} {new.se_b:>5.2f}  "
            f"{_two(fit.infit):>5} {_two(fit.outfit):>6} "
            f"{'-' if fit.p is None else f'{fit.p:.3f}':>5}  {', '.join(row.review)}"
        ).rstrip()
    for difference in made.dif:
        if difference.dif.grade != "A":
            side = "harder" if difference.dif.delta < 0 else "easier"
            yield (
                f"{difference.code}: {difference.dif.grade}, {side} for "
                f"{difference.comparison.by} {difference.comparison.group} "
                f"(delta {difference.dif.delta:.2f}, se {difference.dif.se:.2f})"
            )


def summary(made: ItemReport) -> str:
    """Summarise the estimates, comparisons and findings in words."""
    calibration = made.calibration
    reasons = Counter(reason for row in made.items for reason in row.review)
    reached = "after" if calibration.converged else "NOT converged after"
    lines = [
        f"{len(made.items)} items, {sum(row.new.answers for row in made.items)} answers, "
        f"{reached} {calibration.iterations} steps, log-likelihood "
        f"{calibration.log_likelihood:.1f}.",
        "To review: " + (", ".join(f"{n} {code}" for code, n in reasons.items()) or "none") + ".",
    ]
    for each in made.comparisons:
        grades = Counter(row.dif.grade for row in made.dif if row.comparison == each)
        lines.append(
            f"{each.by} {each.group} against the others: {grades.total()} items with enough "
            f"answers; A {grades['A']}, B {grades['B']}, C {grades['C']}."
        )
    if not made.comparisons:
        lines.append("No language or project has enough attempts to be compared with the others.")
    return "\n".join(lines)


def figures(made: ItemReport) -> dict[str, Any]:
    """Return the content of the table and the summary as plain values."""
    return {
        "iterations": made.calibration.iterations,
        "converged": made.calibration.converged,
        "logLikelihood": made.calibration.log_likelihood,
        "items": [_item(row) for row in made.items],
        "dif": [
            {**asdict(row.comparison), "item": row.code, **asdict(row.dif)} for row in made.dif
        ],
    }


def _item(row: ItemRow) -> dict[str, Any]:
    return {
        "item": row.code,
        "answers": row.new.answers,
        "old": {"a": row.old_a, "b": row.old_b},
        "new": {"a": row.new.a, "b": row.new.b, "seA": row.new.se_a, "seB": row.new.se_b},
        "fit": {
            "right": row.fit.share_right,
            "infit": row.fit.infit,
            "outfit": row.fit.outfit,
            "p": row.fit.p,
        },
        "review": list(row.review),
    }


def _two(figure: float | None) -> str:
    return "-" if figure is None else f"{figure:.2f}"
