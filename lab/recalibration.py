"""Make a bank with new parameters of its puzzles from the answers to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lab.calibration import Calibration, ItemEstimate, Prior, calibrate, marks_of
from lab.item_fit import FEWEST_ANSWERS, ItemFit, item_fit, review
from lab.refusal import Refusal
from measurement.bank import Bank
from measurement.bank_validation import RANGES
from measurement.norms import usual_seconds
from measurement.scales import DECIMALS
from measurement.validity import AnsweredItem, effort

# With fewer attempts a puzzle has too few answers to say anything about it.
FEWEST_ATTEMPTS = 100
# With this many attempts, ability is relative to the students of this service.
ENOUGH_FOR_A_REFERENCE = 300
STUDENTS = "students"

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item: its parameters in the bank, the new ones, and reasons to review it."""

    code: str
    old_a: float
    old_b: float
    new: ItemEstimate
    fit: ItemFit
    review: list[str]


@dataclass(frozen=True)
class Recalibration:
    """The content of a bank with new parameters, all its puzzles, and the calibration."""

    content: dict[str, Any]
    items: tuple[ItemRow, ...]
    calibration: Calibration


def recalibrate(data: Data, attempts: Sequence[Sequence[AnsweredItem]]) -> Recalibration:
    """Calibrate the puzzles of a bank on valid attempts; rushed answers don't count.

    Each item's prior is the difficulty of its rule. An item without answers keeps its parameters,
    one with enough of them gets its usual time. Raises Refusal with fewer than FEWEST_ATTEMPTS
    attempts.
    """
    if len(attempts) < FEWEST_ATTEMPTS:
        raise Refusal(f"{len(attempts)} valid attempts; at least {FEWEST_ATTEMPTS} are needed.")
    bank = Bank.from_json(data)
    items = list(bank.aptitude.values())
    guessing = [item.c for item in items]
    rules, known = expected_difficulties(data), {each["code"]: each for each in data["items"]}
    calibration = calibrate(
        marks := marks_of([marked(bank, given) for given in attempts], [i.code for i in items]),
        guessing,
        [Prior.of_rule(rules[item.code], data["difficulty_sd"][item.family]) for item in items],
    )
    fits = item_fit(marks, guessing, calibration)
    times = (
        (each.code, each.seconds)
        for given in attempts
        for each in given
        if each.code in bank.aptitude
    )
    estimates = {
        item.code: new for item, new in zip(items, calibration.items, strict=True) if new.answers
    }
    content = with_estimates(data, estimates, usual_seconds(times))
    if len(attempts) >= ENOUGH_FOR_A_REFERENCE:
        content["reference"] = STUDENTS
    return Recalibration(
        content,
        tuple(
            ItemRow(item.code, known[item.code]["a"], item.b, new, fit, review(new, item.c, fit))
            for item, new, fit in zip(items, calibration.items, fits, strict=True)
        ),
        calibration,
    )


def marked(bank: Bank, given: Sequence[AnsweredItem]) -> dict[str, bool]:
    """Return whether each puzzle was answered right, leaving out rushed answers."""
    # For a single item, an effort of 0 is a rush, and None means that the bank expects no time.
    careful = {each.code: each.choice for each in given if effort(bank, [each]) != 0}
    return {response.item.code: response.correct for response in bank.mark_puzzles(careful)}


def expected_difficulties(data: Data) -> dict[str, float]:
    """Return the difficulty of each aptitude item before its first calibration, by code."""
    return {
        item["code"]: item.get("b_rule", item["b"])
        for item in data["items"]
        if item["section"] == "aptitude"
    }


def with_estimates(
    data: Data, estimates: Mapping[str, ItemEstimate], seconds: Mapping[str, int]
) -> dict[str, Any]:
    """Return the content with new a, b and expected times of the named aptitude items.

    Estimates are limited to the ranges of a bank file. The item keeps the difficulty of its rule,
    and how uncertain the new one is.
    """
    rules = expected_difficulties(data)
    items = []
    for item in data["items"]:
        code = item["code"]
        new = dict(item)
        if code in estimates:
            found = estimates[code]
            new |= {"a": _allowed("a", found.a), "b": _allowed("b", found.b)}
            new |= {"b_sd": _allowed("b_sd", found.se_b), "b_rule": rules[code]}
        if code in seconds:
            new["seconds"] = seconds[code]
        items.append(new)
    return {**data, "items": items}


def table(items: Sequence[ItemRow]) -> Iterator[str]:
    """Yield a line per item with its old and new parameters, fit and reasons to review it."""
    width = max(len(row.code) for row in items)
    yield (
        f"{'item':<{width}} {'answers':>7} {'right':>5}  {'a':>5} {'new':>5} {'se':>5}  "
        f"{'b':>5} {'new':>5} {'se':>5}  {'infit':>5} {'outfit':>6} {'p':>5}  review"
    )
    for row in items:
        new, fit = row.new, row.fit
        yield (
            f"{row.code:<{width}} {new.answers:>7} {_two(fit.share_right):>5}  "
            f"{row.old_a:>5.2f} {new.a:>5.2f} {new.se_a:>5.2f}  "
            f"{row.old_b:>5.2f} {new.b:>5.2f} {new.se_b:>5.2f}  "
            f"{_two(fit.infit):>5} {_two(fit.outfit):>6} "
            f"{'-' if fit.p is None else f'{fit.p:.3f}':>5}  {', '.join(row.review)}"
        ).rstrip()


def summary(found: Recalibration, attempts: int) -> str:
    """Summarise the estimates and the reasons to review items."""
    reasons = Counter(reason for row in found.items for reason in row.review)
    reached = "after" if found.calibration.converged else "NOT converged after"
    lines = [
        f"{len(found.items)} items, {sum(row.new.answers for row in found.items)} answers, "
        f"{reached} {found.calibration.iterations} steps, log-likelihood "
        f"{found.calibration.log_likelihood:.1f}.",
        "To review: " + (", ".join(f"{n} {code}" for code, n in reasons.items()) or "none") + ".",
    ]
    few = [row.new.answers for row in found.items if "few_answers" in row.review]
    if few:
        lines.append(
            f"{len(few)} items have fewer than {FEWEST_ANSWERS} answers, so their parameters rest "
            f"mostly on their rules; {few.count(0)} of them have none."
        )
    if attempts < ENOUGH_FOR_A_REFERENCE:
        lines.append(
            f"Results are relative to the students of this service from {ENOUGH_FOR_A_REFERENCE} "
            "valid attempts on. Wait for more."
        )
    return "\n".join(lines)


def _allowed(name: str, value: float) -> float:
    low, high = RANGES[name]
    return round(max(low, min(high, value)), DECIMALS)


def _two(figure: float | None) -> str:
    return "-" if figure is None else f"{figure:.2f}"
