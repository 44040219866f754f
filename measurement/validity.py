"""Find signs of careless answers.

A flag changes no score. It makes one part of the attempt doubtful, so that nothing is claimed that
rests on that part only, and leaves the attempt out of norms and calibration.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import mul
from statistics import fmean, median

from measurement.bank import Bank, CarelessLimits
from measurement.scales import are_flat, rounded, scale_scores

# Sections of statements. A row of equal answers may begin in stage 1 and go on in stage 2.
RATED_SECTIONS = (("interests", "fields"), ("preferences",))
# The parts of an attempt, by section.
INTERESTS, APTITUDE, STUDY = PARTS = ("interests", "aptitude", "preferences")
PART_OF_SECTION = dict(zip(PARTS, PARTS, strict=True)) | {"fields": INTERESTS}
# Why a part is doubtful. FLAT answers are no sign of carelessness (`measurement.profile`).
QUICK, ALIKE, CONTRADICTING, MISSED, FLAT = "quick", "alike", "contradicting", "missed", "flat"
# What each flag makes doubtful, and why; of several doubts about a part, the first is told.
# `hurried_section` is about the part of each hurried section.
DOUBTS = {
    "fast_aptitude": (APTITUDE, QUICK),
    "fast_interests": (INTERESTS, QUICK),
    "straight_line": (INTERESTS, ALIKE),
    "inconsistent": (INTERESTS, CONTRADICTING),
    "instructed_missed": (INTERESTS, MISSED),
}
RUSHED_SHARE = 0.2
LONGEST_RUSH = 10.0  # seconds
# A variance below this is 0 but for rounding: all statements go together alike.
NEGLIGIBLE_VARIANCE = 1e-9


@dataclass(frozen=True, slots=True)
class AnsweredItem:
    """An item and the stored choice. A page's time is divided equally among its statements."""

    code: str
    choice: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Validity:
    """Figures that show carelessness, None if they can't be computed, and the flags they raise."""

    effort: float | None = None
    right_share: float | None = None  # (0-1) of puzzles, those that were answered right
    consistency: float | None = None
    longest_run: int = 0
    instructed_missed: int = 0  # attention checks
    interest_seconds: float | None = None  # the median of interest statements
    hurried_sections: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)  # of `check_validity`, in its order

    @property
    def doubts(self) -> dict[str, str]:
        """Why each doubtful part is: nothing may be claimed that rests on that part only."""
        found = {PART_OF_SECTION[section]: QUICK for section in self.hurried_sections}
        for flag, (part, doubt) in DOUBTS.items():
            if flag in self.flags:
                found.setdefault(part, doubt)
        return found


# The validity of made-up students who answer with care.
CAREFUL = Validity()


def choices_by_code(answered: Iterable[AnsweredItem]) -> dict[str, int]:
    return {each.code: each.choice for each in answered}


def check_validity(bank: Bank, answered: Sequence[AnsweredItem]) -> Validity:
    """Look for signs of carelessness in an attempt's answers, which are in the order of questions.

    Low consistency alone is not a sign: the answers of a careful student with a flat profile agree
    only by chance. Each Holland type must have an answer. Raises KeyError for an item that is not
    in the bank.
    """
    by_section: dict[str, list[AnsweredItem]] = {}
    for each in answered:
        by_section.setdefault(bank.sections[each.code], []).append(each)
    rows = [
        [each for name in names for each in by_section.get(name, ())] for names in RATED_SECTIONS
    ]
    interest_seconds = [each.seconds for each in rows[0]]
    answers = choices_by_code(answered)
    marks = [response.correct for response in bank.mark_puzzles(answers)]
    limits = bank.careless
    figures = Validity(
        effort=_rounded(effort(bank, answered)),
        right_share=_rounded(fmean(marks) if marks else None),
        consistency=_rounded(consistency(bank, answered)),
        longest_run=max(longest_run(bank, row) for row in rows),
        instructed_missed=sum(
            bank.instructed.get(each.code, each.choice) != each.choice for each in answered
        ),
        interest_seconds=_rounded(median(interest_seconds) if interest_seconds else None),
        hurried_sections=[
            section
            for section, items in by_section.items()
            if math.fsum(each.seconds for each in items)
            < limits.hurried_share * bank.section_seconds.get(section, 0)
        ],
    )
    signs = {
        "fast_aptitude": _is_below(figures.effort, limits.least_effort),
        "inconsistent": _contradict(figures, limits)
        and not are_flat(scale_scores(bank.interests.values(), answers, bank.norms)),
        "straight_line": figures.longest_run >= limits.straight_run,
        "instructed_missed": figures.instructed_missed > 0,
        "fast_interests": _is_below(figures.interest_seconds, limits.fastest_statement),
        "hurried_section": bool(figures.hurried_sections),
    }
    return replace(figures, flags=[flag for flag, is_set in signs.items() if is_set])


def _contradict(figures: Validity, limits: CarelessLimits) -> bool:
    """Return whether answers to related statements agree too little, or little with guesses."""
    guessed = figures.right_share is not None and figures.right_share <= limits.guessed_share
    least = limits.doubtful_consistency if guessed else limits.least_consistency
    return _is_below(figures.consistency, least)


def _is_below(figure: float | None, limit: float) -> bool:
    return figure is not None and figure < limit


def _rounded(figure: float | None) -> float | None:
    return None if figure is None else rounded(figure)


def effort(bank: Bank, answered: Iterable[AnsweredItem]) -> float | None:
    """Return the share (0-1) of aptitude items that were not answered in a rush.

    An answer is rushed if it takes less than a fifth of the expected time, and less than ten
    seconds. Items without an expected time are left out; returns None if there are no others.
    Sources: response-time effort, Wise, S. L. & Kong, X. (2005), Applied Measurement in Education
    18, 163-183; the threshold, Wise, S. L. & Ma, L. (2012), NCME, there 10 % and ten seconds.
    """
    rushed = [
        each.seconds < min(RUSHED_SHARE * bank.seconds[each.code], LONGEST_RUSH)
        for each in answered
        if each.code in bank.aptitude and each.code in bank.seconds
    ]
    return 1 - sum(rushed) / len(rushed) if rushed else None


def consistency(bank: Bank, answered: Iterable[AnsweredItem]) -> float | None:
    """Return how far answers to related interest statements agree, in SDs of chance agreement.

    It is Moran's I over all pairs of statements: the product of the two answers' deviations from
    the student's mean, weighted by the covariance of the statements' fields. Answers that follow no
    liking have mean 0 and SD 1, whatever the student's mean and spread. Returns None if it can't be
    computed, for example because all answers are equal.
    Sources: Moran, P. A. P. (1950), Biometrika 37, 17-23; mean and SD, under normality: Cliff,
    A. D. & Ord, J. K. (1973), Spatial Autocorrelation, chapter 1.
    """
    answers = choices_by_code(answered)
    codes = [code for code in bank.statements if code in answers]
    count = len(codes)
    weights = [
        [bank.statement_covariances[code][other] if code != other else 0.0 for other in codes]
        for code in codes
    ]
    row_sums = [math.fsum(row) for row in weights]
    total = math.fsum(row_sums)
    mean = fmean(answers[code] for code in codes) if codes else 0.0
    deviations = [answers[code] - mean for code in codes]
    if not total or not any(deviations):
        return None
    products = math.fsum(
        deviation * math.fsum(map(mul, row, deviations))
        for row, deviation in zip(weights, deviations, strict=True)
    )
    moran = count / total * products / math.fsum(each**2 for each in deviations)
    expected = -1 / (count - 1)
    # S1 and S2 of Cliff & Ord, for weights that are symmetric.
    s1 = 2 * math.fsum(weight**2 for row in weights for weight in row)
    s2 = 4 * math.fsum(row_sum**2 for row_sum in row_sums)
    mean_square = ((count**2 * s1 - count * s2) / total**2 + 3) / (count**2 - 1)
    variance = mean_square - expected**2
    return (moran - expected) / math.sqrt(variance) if variance > NEGLIGIBLE_VARIANCE else None


def longest_run(bank: Bank, answered: Iterable[AnsweredItem]) -> int:
    """Return the length of the longest row of equal answers to consecutive statements.

    A pattern of up to `longest_pattern` answers that repeats, such as 2, 4, 2, 4, counts as well.
    Attention checks are ignored, because passing one does not break a straight line.
    Source: Johnson, J. A. (2005), Journal of Research in Personality 39, 103-129.
    """
    choices = [each.choice for each in answered if each.code not in bank.instructed]
    equal = max((len(list(row)) for _, row in groupby(choices)), default=0)
    lengths = range(2, bank.careless.longest_pattern + 1)
    return max([equal, *(_longest_repetition(choices, length) for length in lengths)])


def _longest_repetition(choices: Sequence[int], length: int) -> int:
    """Return the length of the longest row that repeats a pattern of this length at least twice."""
    repeats = [choice == later for choice, later in zip(choices, choices[length:], strict=False)]
    longest = max((len(list(row)) for same, row in groupby(repeats) if same), default=0)
    return length + longest if longest >= length else 0
