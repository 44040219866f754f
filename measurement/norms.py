"""Norms of the scales and statements, and usual times, from completed attempts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from math import fsum, hypot
from statistics import StatisticsError, fmean, linear_regression, median, pstdev, stdev
from typing import Any

from measurement.bank import Bank
from measurement.scales import DECIMALS, HIGHEST, LOWEST, SCALES, Norm, answers_by_scale
from measurement.validity import Given

# Starting norms are further from the truth than the means of so few answers.
FEWEST_ATTEMPTS = 30
FEWEST_TIMES = 30
# A regression needs more than a mean: those who are asked in stage 2 are much alike.
FEWEST_FOLLOW_UPS = 100
# A smaller SD would turn tiny differences into large scores.
SMALLEST_SD = 0.5
# Of answers from 1 to 5; a sample's SD and a predicted one can exceed it.
LARGEST_SD = 2.0

Answers = Mapping[str, int]


def with_norms_from(data: Mapping[str, Any], attempts: Sequence[Sequence[Given]]) -> dict[str, Any]:
    """Return a bank file's content with norms and usual times from valid attempts.

    Attempts may lack answers, to statements that have changed since. A scale gets its norm, and a
    section its usual time, from the attempts that answer the whole of it. What too few attempts
    answer keeps its norm. Raises ValueError with fewer than FEWEST_ATTEMPTS.
    """
    if len(attempts) < FEWEST_ATTEMPTS:
        raise ValueError(f"Norms need {FEWEST_ATTEMPTS} attempts, and there are {len(attempts)}.")
    bank = Bank.from_json(data)
    answers = [{each.code: each.choice for each in given} for given in attempts]
    scales = scale_norms(bank, answers)
    statements = statement_norms(bank, answers)
    seconds = usual_seconds(_section_times(data, bank, attempts))
    old = data["norms"]
    norms: dict[str, Any] = {
        section: {name: asdict(scales[name]) for name in old[section]} for section in SCALES
    }
    norms["statements"] = [
        {"code": each["code"], **asdict(statements[each["code"]])} for each in old["statements"]
    ]
    sections = [
        {**each, "seconds": seconds[each["code"]]} if each["code"] in seconds else each
        for each in data["sections"]
    ]
    return {**data, "norms": norms, "sections": sections, "norms_from": len(attempts)}


def _section_times(
    data: Mapping[str, Any], bank: Bank, attempts: Iterable[Iterable[Given]]
) -> Iterable[tuple[str, float]]:
    lengths = {section["code"]: section["items_given"] for section in data["sections"]}
    for given in attempts:
        spent: dict[str, list[float]] = defaultdict(list)
        for each in given:
            spent[bank.sections[each.code]].append(each.seconds)
        yield from ((name, fsum(own)) for name, own in spent.items() if len(own) == lengths[name])


def usual_seconds(times: Iterable[tuple[str, float]]) -> dict[str, int]:
    """Return the median seconds of each name, whole and at least 1.

    `times` are pairs of a name and seconds. Names with fewer than FEWEST_TIMES are left out. A
    median is not distorted by a student who takes a long break.
    """
    spent: dict[str, list[float]] = defaultdict(list)
    for name, seconds in times:
        spent[name].append(seconds)
    return {
        name: max(1, round(median(values)))
        for name, values in spent.items()
        if len(values) >= FEWEST_TIMES
    }


def norm(mean: float, sd: float) -> Norm:
    """Return a rounded norm within the limits of a bank file."""
    return Norm(
        round(min(float(HIGHEST), max(float(LOWEST), mean)), DECIMALS),
        round(min(LARGEST_SD, max(SMALLEST_SD, sd)), DECIMALS),
    )


def norm_of(values: Sequence[float], old: Norm) -> Norm:
    """Return mean and SD (divisor n - 1) of these values, or the old norm if they are too few."""
    return norm(fmean(values), stdev(values)) if len(values) >= FEWEST_ATTEMPTS else old


def scale_norms(bank: Bank, attempts: Iterable[Answers]) -> dict[str, Norm]:
    """Return the norm of each scale, from the attempts that answer all of its statements."""
    statements = [*bank.interests.values(), *bank.preferences.values()]
    lengths = Counter(each.scale for each in statements)
    means: dict[str, list[float]] = {scale: [] for scale in bank.norms}
    for answers in attempts:
        for scale, values in answers_by_scale(statements, answers).items():
            if len(values) == lengths[scale]:
                means[scale].append(fmean(values))
    return {scale: norm_of(values, bank.norms[scale]) for scale, values in means.items()}


def statement_norms(bank: Bank, attempts: Sequence[Answers]) -> dict[str, Norm]:
    """Return mean and SD of every interest statement over all students.

    `attempts` have the choices (1 to 5) of valid attempts by item code. Statements of stage 2 are
    answered mostly by students who like their field, so their norm is predicted for all students
    by regression on the mean answer to the field's statements of stage 1, from FEWEST_FOLLOW_UPS
    answers on. Until then it is the mean and SD of these statements.
    """
    return {code: _of_answers(bank, code, [code], attempts) for code in bank.interests} | {
        code: _follow_up(bank, code, statement.scale, attempts)
        for code, statement in bank.follow_ups.items()
    }


def _of_answers(bank: Bank, code: str, given: Sequence[str], attempts: Sequence[Answers]) -> Norm:
    """Return the norm of a statement as that of all answers to the given ones."""
    values = [answers[each] for answers in attempts for each in given if each in answers]
    return norm_of(values, bank.statement_norms[code])


def _follow_up(bank: Bank, code: str, field: str, attempts: Sequence[Answers]) -> Norm:
    """Return the norm of a statement of stage 2 as if everybody had answered it."""
    first = [each for each, statement in bank.interests.items() if field in statement.fields]
    liked = [
        (fmean(answers[each] for each in first), answers.get(code))
        for answers in attempts
        if all(each in answers for each in first)
    ]
    likings = [liking for liking, _ in liked]
    pairs = [(liking, answer) for liking, answer in liked if answer is not None]
    if len(pairs) < FEWEST_FOLLOW_UPS:
        return _of_answers(bank, code, first, attempts)
    x, y = zip(*pairs, strict=True)
    try:
        slope, intercept = linear_regression(x, y)
    except StatisticsError:  # all answered stage 1 alike
        slope, intercept = 0.0, fmean(y)
    residuals = [answer - intercept - slope * liking for liking, answer in pairs]
    spread = hypot(slope * pstdev(likings), pstdev(residuals))
    return norm(intercept + slope * fmean(likings), spread)
