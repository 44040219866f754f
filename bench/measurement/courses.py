"""How often the bank recommends the favourite courses of simulated students, and in a retake."""

import math
import random
from statistics import fmean

from bench.measurement.sittings import BANK
from lab.figures import at_most, exactly, reported
from lab.studies import LISTED, Ranking
from lab.truths import Truth, catalogue
from measurement.ability import Ability
from measurement.fields import field_scores, fields_to_ask
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
    """Yield hits for each truth, and how many of five courses two attempts share.

    In a retake the likings of a student stay, and the answers are new. The result page says that
    about three of five courses are the same.
    """
    for name, most in MOST_IMPLAUSIBLE.items():
        truth = Truth.read(name)
        draw, later = random.Random(f"estimates {name}"), random.Random(f"retakes {name}")
        orders, lists, pairs = [], [], []
        for number in range(STUDENTS):
            student = truth.student(f"student {number}")
            thetas = {facet: draw.gauss(0, SPREAD) for facet in FACETS}
            orders.append(student.order())
            lists.append(recommended(student, thetas))
            if number < RETAKING:
                again = {
                    facet: RELIABILITY * theta
                    + math.sqrt(1 - RELIABILITY**2) * later.gauss(0, SPREAD)
                    for facet, theta in thetas.items()
                }
                pairs.append((lists[-1], recommended(student, again)))
        ranking = Ranking(lists, [order[0] for order in orders])
        for k in (1, 3, LISTED):
            yield reported(f"{name}: hit@{k}", ranking.hit(k))
        yield at_most(f"{name}: implausible", ranking.implausible(orders), most)
        left_out = {course.code for course in COURSES}.difference(*lists)
        yield exactly(f"{name}: courses in nobody's five", len(left_out), 0)
        yield at_most(f"{name}: the most frequent course", ranking.most_often, MOST_OFTEN)
        same = fmean(len(set(one) & set(other)) for one, other in pairs)
        yield reported(f"{name}: courses of five that a retake repeats", same)
        first = fmean(one[0] == other[0] for one, other in pairs)
        yield reported(f"{name}: the first course is the same, share", first)


def recommended(student, thetas):
    """Return the codes that the bank recommends after both stages."""
    answers = {code: student.answer(code) for code in BANK.interests}
    leading = fields_to_ask(BANK, answers)
    answers |= {
        code: student.answer(code)
        for code, each in BANK.follow_ups.items()
        if each.scale in leading
    }
    estimates = {facet: Ability(theta, ERROR) for facet, theta in thetas.items()}
    profile = Profile(
        interests=scale_scores(BANK.interests.values(), answers, BANK.norms),
        aptitude={OVERALL: Ability(0.0, ERROR), **estimates},
        preferences=dict.fromkeys(PREFERENCES, ScaleScore(3.0, 0.0)),
        validity=CAREFUL,
        fields=field_scores(BANK, answers),
    )
    return [each.code for each in suggest(BANK, profile, answers, COURSES, LISTED).recommended]
