"""Compare the ranking of courses with a simple one, on the same students.

Simulated students have the likings of truths that the product knows nothing of. Real people, in a
file that is not part of the project, answered 48 public statements, eight a Holland type, and named
their major; `people_statements.csv` and `people_majors.csv` say in the product's fields what these
are about. Every second row was looked at while the ranking was made; the others were held back.

In the simple ranking, a field's score is that of its types, from which the mean of its n statements
takes it n / (n + 2) of the way; a fit is divided by the SD of fits.
"""

from __future__ import annotations

import csv
import gzip
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from pathlib import Path
from statistics import fmean, pstdev

from lab.figures import Figure, at_least, at_most, reported
from lab.generators.hexagon import draw_types
from lab.truths import Truth, catalogue
from measurement.bank import Bank
from measurement.field_fit import LITTLE_BELOW, WELL_FROM, fit_sd, raw_fit
from measurement.fields import FIELDS, field_scores, leading_fields, statement_scores
from measurement.norms import FEWEST_ATTEMPTS, scale_norms, statement_norms
from measurement.profile import CONSISTENT_ABOVE
from measurement.recommendation import MAX_NAMED
from measurement.scales import INTERESTS, Norm, Statement, are_flat, scale_scores
from measurement.validity import AnsweredItem, consistency

FOLDER = Path(__file__).parent
TRUTHS = ("basic_interests", "knowledge", "activities")
STUDENTS, ASSUMED, NORMED = 1000, 4000, 300
LISTED = 5
LEAST_HIT, MOST_OFTEN = 0.51, 0.60
# So many times, norms come from other first attempts.
TENS = 5
# More than by the simple ranking, with what students name.
LEAST_BY_NAMING = 0.04
# For comparison, stage 2 asks about so many fields.
FEWER_LEADING = 6
FEWER_STUDENTS = 300
MOVED, LEAST_SHARE = 1 / 3, 0.05
LEAST_CAUGHT, MOST_ACCUSED = 0.80, 0.10

Answers = Mapping[str, int]
Courses = Mapping[str, tuple[str, ...]]
# The norm of a course's raw fit, by its code.
Fits = Mapping[str, Norm]
Scores = Mapping[str, float]
Scoring = Callable[[Bank, Answers], dict[str, float]]


@dataclass(frozen=True)
class Ranking:
    """The order of courses for each student, and the course that is each one's own."""

    orders: Sequence[Sequence[str]]
    own: Sequence[str]

    def hit(self, k: int) -> float:
        """Return how often the own course is among the first k."""
        return fmean(self._hits(k))

    def mean_hit(self, k: int) -> float:
        """Return the same as a mean over courses."""
        found: dict[str, list[bool]] = {}
        for own, is_hit in zip(self.own, self._hits(k), strict=True):
            found.setdefault(own, []).append(is_hit)
        return fmean(map(fmean, found.values()))

    def _hits(self, k: int) -> list[bool]:
        return [own in order[:k] for order, own in zip(self.orders, self.own, strict=True)]

    @property
    def most_often(self) -> float:
        """The share of students who have the most frequent course among the first five."""
        listed = Counter(course for order in self.orders for course in order[:LISTED])
        return max(listed.values()) / len(self.orders)

    def implausible(self, true: Sequence[Sequence[str]]) -> float:
        """Return the share of the first five places with a course of the student's lower half.

        `true` has the courses in the order in which each student really likes them.
        """
        lower = [set(order[len(order) // 2 :]) for order in true]
        return fmean(
            len(low & set(found[:LISTED])) / LISTED
            for low, found in zip(lower, self.orders, strict=True)
        )


def simulated_figures(bank: Bank) -> Iterator[Figure]:
    """Yield hits among the first five by both rankings, with norms of NORMED other students."""
    courses = {each.code: each.fields for each in catalogue()}
    for name in TRUTHS:
        truth = Truth.read(name)
        used = with_norms_of(truth, bank)
        scores = [sat(used, each, simple_scores) for each in _assumed(used)]
        yield from _figures_of(truth, used, courses, fits_of(scores, used, courses))


def _figures_of(truth: Truth, bank: Bank, courses: Courses, assumed: Fits) -> Iterator[Figure]:
    name, units = truth.name, fits_now(bank, courses)
    students = [truth.student(f"student {number}") for number in range(STUDENTS)]
    answers = [{code: each.answer(code) for code in bank.statements} for each in students]
    orders = [each.order() for each in students]
    scores = [sat(bank, each) for each in answers]
    ideas = [each.named(MAX_NAMED) for each in students]

    def ranking(
        scores: Iterable[Scores], fits: Fits = units, gains: Iterable[Scores] = repeat({})
    ) -> Ranking:
        pairs = zip(scores, gains, strict=False)
        found = [ranked(each, bank, courses, fits, gain) for each, gain in pairs]
        return Ranking(found, [order[0] for order in orders])

    simple = ranking((sat(bank, each, simple_scores) for each in answers), assumed)
    own = ranking(scores)
    naming = ranking(scores, gains=[dict.fromkeys(each, bank.matching.named) for each in ideas])
    fewer = replace(bank, matching=replace(bank.matching, leading=FEWER_LEADING))
    asking = ranking(sat(fewer, each) for each in answers)
    yield reported(f"{name}: hit@5 of the simple ranking", simple.hit(LISTED))
    yield at_least(f"{name}: hit@5", own.hit(LISTED), round(simple.hit(LISTED), 3))
    least = round(simple.hit(LISTED) + LEAST_BY_NAMING, 3)
    yield at_least(f"{name}: hit@5 with naming", naming.hit(LISTED), least)
    title = f"{name}: hit@5 if stage 2 asked about {FEWER_LEADING} fields"
    yield reported(title, asking.hit(LISTED), f"({own.hit(LISTED):.3f} as it is)")
    yield reported(f"{name}: implausible then", asking.implausible(orders))
    named = [
        raw_fit(each, courses[code], bank.matching) / units[code].sd + bank.matching.named
        for each, codes in zip(scores, ideas, strict=True)
        for code in codes
    ]
    yield reported(f"{name}: named courses that fit well", fmean(f >= WELL_FROM for f in named))
    yield reported(f"{name}: that fit little", fmean(f < LITTLE_BELOW for f in named))
    yield reported(f"{name}: implausible with naming", naming.implausible(orders))
    wrong = simple.implausible(orders)
    yield reported(f"{name}: implausible in the simple ranking", wrong)
    yield at_most(f"{name}: implausible", own.implausible(orders), round(wrong, 3))
    found = fits_of(scores, bank, courses)
    spread = bank.matching.fit_spread * fmean(found[c].sd / units[c].sd for c in courses)
    yield reported(f"{name}: fit_spread", spread, f"(in the bank: {bank.matching.fit_spread})")


def statement_figures(bank: Bank) -> Iterator[Figure]:
    """Yield each statement of which one step less moves a course's share in first threes too far.

    All students of a truth answer it one step lower. Too far is by MOVED of a share that is at
    least LEAST_SHARE.
    """
    courses = {each.code: each.fields for each in catalogue()}
    units = fits_now(bank, courses)

    def shares(rows: Sequence[Answers]) -> dict[str, float]:
        orders = [ranked(sat(bank, row), bank, courses, units)[:3] for row in rows]
        return {code: fmean(code in order for order in orders) for code in courses}

    truth = Truth.read(TRUTHS[0])
    students = [truth.student(f"single statements {number}") for number in range(FEWER_STUDENTS)]
    answers = [{code: each.answer(code) for code in bank.statements} for each in students]
    usual = shares(answers)
    found = 0
    for code in bank.interests:
        for course, share in shares([{**a, code: max(1, a[code] - 1)} for a in answers]).items():
            change = share - usual[course]
            if usual[course] >= LEAST_SHARE and abs(change) >= MOVED * usual[course]:
                found += 1
                yield reported(
                    f"{code} one step lower: {course}", share, f"(is {usual[course]:.3f})"
                )
    yield reported("statements and courses that they move by a third", found)


def people_figures(bank: Bank, file: Path) -> Iterator[Figure]:
    """Yield hits on both halves of the people, with norms of all, of none and of the first ten."""
    courses = {row["major"]: tuple(row["fields"].split(";")) for row in _table("people_majors")}
    start, units = people_bank(bank), fits_now(bank, courses)
    with gzip.open(file, "rt", encoding="utf-8") as opened:
        rows = list(csv.DictReader(opened))
    for half, some in (("looked at", rows[::2]), ("held back", rows[1::2]), ("all", rows)):
        own = [row["major"] for row in some]
        answers = [{code: int(row[code]) for code in start.interests} for row in some]
        draw = random.Random(half)  # noqa: S311 - reproducible, not secret
        tens = [draw.sample(answers, FEWEST_ATTEMPTS) for _ in range(TENS)]
        first = {
            f"norms of {FEWEST_ATTEMPTS}, {n}": with_norms(start, ten)
            for n, ten in enumerate(tens, start=1)
        }
        learned = {"norms of all": with_norms(start, answers), "starting norms": start}
        for norms, used in {**learned, **first}.items():
            ranking = Ranking(
                [ranked(field_scores(used, a), used, courses, units) for a in answers], own
            )
            title = f"{half}, {norms}"
            for k in (1, 3, LISTED):
                hit, name = ranking.mean_hit(k), f"{title}: hit@{k}"
                yield at_least(name, hit, LEAST_HIT) if k == 3 else reported(name, hit)
            yield at_most(f"{title}: most frequent major", ranking.most_often, MOST_OFTEN)
        yield from _consistency(half, start, answers)


def _consistency(half: str, bank: Bank, answers: Sequence[Answers]) -> Iterator[Figure]:
    """Yield how many people, and how many of their answers in any order, are flagged or told."""
    draw = random.Random("any order")  # noqa: S311 - reproducible, not secret
    mixed = []
    for each in answers:
        values = list(each.values())
        draw.shuffle(values)
        mixed.append(dict(zip(each, values, strict=True)))
    for name, rows in (("people", answers), ("their answers in any order", mixed)):
        figures = [
            consistency(bank, [AnsweredItem(*item, 4.0) for item in row.items()]) for row in rows
        ]
        flat = [
            are_flat(scale_scores(bank.interests.values(), row, bank.norms))
            and (each is None or each <= CONSISTENT_ABOVE)
            for row, each in zip(rows, figures, strict=True)
        ]
        low = [each is not None and each < bank.careless.least_consistency for each in figures]
        flagged = fmean(one and not other for one, other in zip(low, flat, strict=True))
        told = fmean(one or other for one, other in zip(low, flat, strict=True))
        if rows is answers:
            yield at_most(f"{half}: {name} called inconsistent", flagged, MOST_ACCUSED)
            yield reported(f"{half}: {name} called inconsistent or flat", told)
        else:
            yield reported(f"{half}: {name} called inconsistent", flagged)
            yield at_least(f"{half}: {name} called so or flat", told, LEAST_CAUGHT)


def simple_scores(bank: Bank, answers: Answers) -> dict[str, float]:
    """Return field scores that mix those of the types with the field's own mean."""
    types = scale_scores(bank.interests.values(), answers, bank.norms)
    z = statement_scores(bank, answers)
    scores = {}
    for name, its_types in bank.fields.items():
        own = [z[code] for code in z if name in bank.statements[code].fields]
        leaning = fmean(types[each].z for each in its_types)
        scores[name] = leaning + (sum(own) - len(own) * leaning) / (len(own) + 2)
    return scores


def sat(bank: Bank, answers: Answers, score: Scoring = field_scores) -> dict[str, float]:
    """Return the field scores after both stages of someone with these answers to everything."""
    return score(bank, asked(bank, answers, score))


def asked(bank: Bank, answers: Answers, score: Scoring = field_scores) -> dict[str, int]:
    """Return those of someone's answers to everything that both stages ask for."""
    first = {code: answers[code] for code in bank.interests}
    leading = leading_fields(bank, score(bank, first))
    return first | {c: answers[c] for c, each in bank.follow_ups.items() if each.scale in leading}


def ranked(
    scores: Scores, bank: Bank, courses: Courses, fits: Fits, gains: Scores | None = None
) -> list[str]:
    """Return the courses, the best first, by interest and by what each gains beside it, in SDs."""
    found = {
        code: (raw_fit(scores, fields, bank.matching) - fits[code].mean) / fits[code].sd
        + (gains or {}).get(code, 0.0)
        for code, fields in courses.items()
    }
    return sorted(found, key=lambda code: -found[code])


def fits_now(bank: Bank, courses: Courses) -> Fits:
    """Return the units in which the service gives fits."""
    return {code: Norm(0.0, fit_sd(fields, bank)) for code, fields in courses.items()}


def fits_of(scores: Sequence[Scores], bank: Bank, courses: Courses) -> Fits:
    """Return mean and SD of each course's raw fits."""
    raw = {
        code: [raw_fit(each, fields, bank.matching) for each in scores]
        for code, fields in courses.items()
    }
    return {code: Norm(fmean(each), pstdev(each)) for code, each in raw.items()}


def people_bank(bank: Bank) -> Bank:
    """Return the bank with the people's statements in place of its own, and starting norms."""
    types = {name[0].upper(): name for name in INTERESTS}
    statements = {
        row["code"]: Statement(
            row["code"], types[row["code"][0]], 1, tuple(row["fields"].split(";"))
        )
        for row in _table("people_statements")
    }
    usual = next(iter(bank.statement_norms.values()))
    norms = {code: Norm(bank.norms[each.scale].mean, usual.sd) for code, each in statements.items()}
    return replace(bank, interests=statements, follow_ups={}, statement_norms=norms)


def with_norms_of(truth: Truth, bank: Bank) -> Bank:
    """Return the bank with norms of students of this truth, each with what both stages asked."""
    students = [truth.student(f"norms {number}") for number in range(NORMED)]
    answers = [{code: each.answer(code) for code in bank.statements} for each in students]
    return with_norms(bank, [asked(bank, each) for each in answers])


def with_norms(bank: Bank, answers: Sequence[Answers]) -> Bank:
    """Return the bank with norms of these answers, as `update_norms` makes them."""
    return replace(
        bank, statement_norms=statement_norms(bank, answers), norms=scale_norms(bank, answers)
    )


def _assumed(bank: Bank) -> list[dict[str, int]]:
    """Return all answers of students as the starting norms assume them."""
    draw = random.Random("assumed")  # noqa: S311 - reproducible, not secret
    students = []
    for _ in range(ASSUMED):
        types = draw_types(draw)
        likes = {
            name: 0.5**0.5 * (fmean(types[each] for each in of) + draw.gauss(0, 1))
            for name, of in FIELDS.items()
        }
        students.append(
            {
                code: max(1, min(5, round(norm.mean + norm.sd * 0.5**0.5 * noisy)))
                for code, each in bank.statements.items()
                for norm in [bank.statement_norms[code]]
                for noisy in [fmean(likes[name] for name in each.fields) + draw.gauss(0, 1)]
            }
        )
    return students


def _table(name: str) -> list[dict[str, str]]:
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
