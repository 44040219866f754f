"""How often the bank recommends the favourite courses of simulated students, and in a retake."""

import math
import random
from functools import partial
from statistics import fmean

from bench.measurement.sittings import BANK
from lab.figures import at_most, exactly, reported
from lab.studies import LISTED, Ranking, asked, with_norms_of
from lab.truths import Truth, catalogue
from measurement.ability import Ability
from measurement.fields import field_scores
from measurement.profile import OVERALL, Profile
from measurement.recommendation import suggest
from measurement.scales import FACETS, PREFERENCES, ScaleScore, scale_scores
from measurement.validity import CAREFUL

STUDENTS, RETAKING = 1000, 500
# Lists with a course of the lower half of the student's own order, at most this share of places.
MOST_IMPLAUSIBLE = {"basic_interests": 0.20, "knowledge": 0.24, "activities": 0.20}
MOST_OFTEN = 0.40
# Puzzles have no part in what a student likes: their estimates are chance here.
SPREAD, ERROR = 0.7, 0.55
# Two estimates of an ability correlate by the share of its variance that an estimate has.
RELIABILITY = SPREAD**2
COURSES = catalogue()


def figures():
    """Yield hits with norms of others, and how many courses a retake repeats, for each truth."""
    for name, most in MOST_IMPLAUSIBLE.items():
        truth = Truth.read(name)
        bank = with_norms_of(truth, BANK)
        draw, later = random.Random(f"estimates {name}"), random.Random(f"retakes {name}")
        students = [truth.student(f"student {number}") for number in range(STUDENTS)]
        orders = [student.order() for student in students]
        thetas = [{facet: draw.gauss(0, SPREAD) for facet in FACETS} for _ in students]
        answers = [{code: each.answer(code) for code in BANK.statements} for each in students]
        lists, at_start = (
            [*map(partial(recommended, used), answers, thetas)] for used in (bank, BANK)
        )
        rest = math.sqrt(1 - RELIABILITY**2)
        thetas = [
            {facet: RELIABILITY * each[facet] + rest * later.gauss(0, SPREAD) for facet in FACETS}
            for each in thetas[:RETAKING]
        ]
        del students[RETAKING:]
        answers = [{code: each.answer(code) for code in BANK.statements} for each in students]
        pairs = [*zip(lists, map(partial(recommended, bank), answers, thetas), strict=False)]
        own = [order[0] for order in orders]
        ranking, start = Ranking(lists, own), Ranking(at_start, own)
        for k in (1, 3, LISTED):
            yield reported(f"{name}: hit@{k}", ranking.hit(k), f"({start.hit(k):.3f} at the start)")
        yield at_most(f"{name}: implausible", ranking.implausible(orders), most)
        yield reported(f"{name}: implausible at the start", start.implausible(orders))
        left_out = {course.code for course in COURSES}.difference(*lists)
        yield exactly(f"{name}: courses in nobody's five", len(left_out), 0)
        yield at_most(f"{name}: the most frequent course", ranking.most_often, MOST_OFTEN)
        yield at_most(f"{name}: the same at the start", start.most_often, MOST_OFTEN)
        same = fmean(len(set(one) & set(other)) for one, other in pairs)
        yield reported(f"{name}: courses of five that a retake repeats", same)
        first = fmean(one[0] == other[0] for one, other in pairs)
        yield reported(f"{name}: the first course is the same, share", first)


def recommended(bank, answers, thetas):
    """Return the codes that a bank recommends after both stages."""
    answers = asked(bank, answers)
    estimates = {facet: Ability(theta, ERROR) for facet, theta in thetas.items()}
    profile = Profile(
        interests=scale_scores(bank.interests.values(), answers, bank.norms),
        aptitude={OVERALL: Ability(0.0, ERROR), **estimates},
        preferences=dict.fromkeys(PREFERENCES, ScaleScore(3.0, 0.0)),
        validity=CAREFUL,
        fields=field_scores(bank, answers),
    )
    return [each.code for each in suggest(bank, profile, answers, COURSES, LISTED).recommended]
