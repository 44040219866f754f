"""Compute norms of scales and statements, and usual times, from completed attempts."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from statistics import StatisticsError, fmean, linear_regression, median, pstdev, stdev
from typing import Any

from measurement.bank import Bank, Data
from measurement.scales import DECIMALS, HIGHEST, LOWEST, SCALES, Answers, Norm, answers_by_scale
from measurement.validity import AnsweredItem, choices_by_code

# With fewer, new norms would hardly differ from the starting ones.
FEWEST_ATTEMPTS = 10
# A starting norm counts as much as this many answers.
STARTING_WEIGHT = 5
FEWEST_TIMES = 30
# A regression needs more answers than a mean, because stage 2 asks students who are much alike.
FEWEST_FOLLOW_UPS = 100
# A smaller SD would turn tiny differences into large scores.
SMALLEST_SD = 0.5
# The SD of answers from 1 to 5 at most. A sample's SD and a predicted one can exceed it.
LARGEST_SD = 2.0


def with_norms_from(data: Data, attempts: Sequence[Sequence[AnsweredItem]]) -> dict[str, Any]:
    """Return a bank file's content with norms and usual times from valid attempts.

    Attempts may lack answers, for example to statements that have changed since. A scale gets its
    norm, and a section its time, from the attempts that answer all of it. Every norm is a mean of
    these answers and of the starting norm, which the content keeps. Raises ValueError with fewer
    than FEWEST_ATTEMPTS.
    """
    if len(attempts) < FEWEST_ATTEMPTS:
        raise ValueError(f"Norms need {FEWEST_ATTEMPTS} attempts, and there are {len(attempts)}.")
    start = data.get("starting_norms", data["norms"])
    bank = Bank.from_json({**data, "norms": start})
    answers = [choices_by_code(answered) for answered in attempts]
    scales = scale_norms(bank, answers)
    statements = statement_norms(bank, answers)
    seconds = usual_seconds(_section_times(data, bank, attempts))
    norms: dict[str, Any] = {
        section: {name: asdict(scales[name]) for name in start[section]} for section in SCALES
    }
    norms["statements"] = [
        {"code": norm["code"], **asdict(statements[norm["code"]])} for norm in start["statements"]
    ]
    sections = [
        {**section, "seconds": seconds[section["code"]]} if section["code"] in seconds else section
        for section in data["sections"]
    ]
    new = {"norms": norms, "starting_norms": start, "norms_from": len(attempts)}
    return {**data, **new, "sections": sections}


def _section_times(
    data: Data, bank: Bank, attempts: Iterable[Iterable[AnsweredItem]]
) -> Iterable[tuple[str, float]]:
    lengths = {section["code"]: section["items_given"] for section in data["sections"]}
    for answered in attempts:
        by_section: dict[str, list[float]] = defaultdict(list)
        for each in answered:
            by_section[bank.sections[each.code]].append(each.seconds)
        for section, seconds in by_section.items():
            if len(seconds) == lengths[section]:
                yield section, math.fsum(seconds)


def usual_seconds(times: Iterable[tuple[str, float]]) -> dict[str, int]:
    """Return the median seconds of each code, which no single long break moves; at least 1.

    `times` are pairs of a code and seconds. Codes with fewer than FEWEST_TIMES are left out.
    """
    by_code: dict[str, list[float]] = defaultdict(list)
    for code, seconds in times:
        by_code[code].append(seconds)
    return {
        code: max(1, round(median(values)))
        for code, values in by_code.items()
        if len(values) >= FEWEST_TIMES
    }


def bounded_norm(mean: float, sd: float) -> Norm:
    """Return a rounded norm within the limits of a bank file."""
    return Norm(
        round(min(float(HIGHEST), max(float(LOWEST), mean)), DECIMALS),
        round(min(LARGEST_SD, max(SMALLEST_SD, sd)), DECIMALS),
    )


def blend(start: Norm, norm: Norm, count: float) -> Norm:
    """Return the norm of `count` students and of STARTING_WEIGHT who are as a starting norm says.

    The variance is the mean of theirs, as the starting mean may be far off.
    """
    weight = count / (count + STARTING_WEIGHT)
    mean = weight * norm.mean + (1 - weight) * start.mean
    return bounded_norm(mean, math.sqrt(weight * norm.sd**2 + (1 - weight) * start.sd**2))


def norm_of_values(values: Sequence[float], start: Norm, sources: int = 1) -> Norm:
    """Return the norm of values, `sources` of each student, blended with the starting norm."""
    if len(values) <= sources:
        return start
    return blend(start, Norm(fmean(values), stdev(values)), len(values) / sources)


def scale_norms(bank: Bank, attempts: Iterable[Answers]) -> dict[str, Norm]:
    """Return the norm of each scale, from the attempts that answer all of its statements."""
    statements = [*bank.interests.values(), *bank.preferences.values()]
    lengths = Counter(statement.scale for statement in statements)
    means: dict[str, list[float]] = {scale: [] for scale in bank.norms}
    for answers in attempts:
        for scale, values in answers_by_scale(statements, answers).items():
            if len(values) == lengths[scale]:
                means[scale].append(fmean(values))
    return {scale: norm_of_values(values, bank.norms[scale]) for scale, values in means.items()}


def statement_norms(bank: Bank, attempts: Sequence[Answers]) -> dict[str, Norm]:
    """Return mean and SD of the answers to every interest statement over all students.

    Statements of stage 2 are answered mostly by students who like their field. So their norm is
    predicted for all students by regression on the mean answer to the field's statements of stage
    1, from FEWEST_FOLLOW_UPS answers on; until then it is that of the answers to these statements.
    """
    norms = {}
    for code, start in bank.statement_norms.items():
        sources, predicted = [code], None
        if code in bank.follow_ups:
            field = bank.follow_ups[code].scale
            sources = [other for other, each in bank.interests.items() if field in each.fields]
            predicted = _predict_norm(code, sources, attempts)
        values = [answers[other] for other in sources for answers in attempts if other in answers]
        norms[code] = predicted or norm_of_values(values, start, len(sources))
    return norms


def _predict_norm(code: str, sources: Sequence[str], attempts: Sequence[Answers]) -> Norm | None:
    """Return the norm that a statement would have if all who answered its sources answered it."""
    complete = [answers for answers in attempts if answers.keys() >= {*sources}]
    likings = [fmean(answers[other] for other in sources) for answers in complete]
    pairs = [
        (liking, answers[code])
        for liking, answers in zip(likings, complete, strict=True)
        if code in answers
    ]
    if len(pairs) < FEWEST_FOLLOW_UPS:
        return None
    x, y = zip(*pairs, strict=True)
    try:
        slope, intercept = linear_regression(x, y)
    except StatisticsError:  # all gave the same answers in stage 1
        slope, intercept = 0.0, fmean(y)
    residuals = [answer - intercept - slope * liking for liking, answer in pairs]
    sd = math.hypot(slope * pstdev(likings), pstdev(residuals))
    return bounded_norm(intercept + slope * fmean(likings), sd)
