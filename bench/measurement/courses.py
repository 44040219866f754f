"""1, 3 and 10. The favourite course is found, a higher answer never lowers a fit, and retakes.

Tests hold the second for many more catalogues (`tests/measurement/test_field_fit.py`).
"""

import math
import random
from collections import Counter
from itertools import pairwise
from statistics import fmean

from bench.measurement.sittings import BANK
from lab.figures import at_most, exactly, reported
from lab.truths import Truth, catalogue
from measurement.ability import Ability
from measurement.field_fit import rank, raw_fit
from measurement.fields import field_scores, fields_to_ask
from measurement.profile import OVERALL, Profile
from measurement.recommendation import COUNT, suggest
from measurement.scales import FACETS, PREFERENCES, ScaleScore, interest_profile
from measurement.validity import CAREFUL

STUDENTS, RETAKING = 1000, 500
# Lists with a course of the lower half of the student's own order, at most this share of places.
MOST_IMPLAUSIBLE = {"basic_interests": 0.20, "knowledge": 0.24, "activities": 0.20}
MOST_OFTEN = 0.40
# Puzzles have no part in what a student likes: their estimates are chance here.
SPREAD, ERROR = 0.7, 0.55
# Two estimates of an ability correlate by the share of its variance that an estimate has.
RELIABILITY = SPREAD**2
LOVED, USUAL, RAISES, LATEST_PLACE = 5, 3, 20, 2
COURSES = catalogue()


def favourites():
    """Yield how often the truly favourite course is among the first, for each truth."""
    for name, most in MOST_IMPLAUSIBLE.items():
        truth, draw = Truth.read(name), random.Random(f"estimates {name}")
        hits, listed, implausible = Counter(), Counter(), 0
        for number in range(STUDENTS):
            student = truth.student(f"student {number}")
            thetas = {facet: draw.gauss(0, SPREAD) for facet in FACETS}
            order, chosen = student.order(), recommended(student, thetas)
            hits.update(k for k in (1, 3, COUNT) if order[0] in chosen[:k])
            implausible += len(set(order[len(order) // 2 :]) & set(chosen))
            listed.update(chosen)
        for k in (1, 3, COUNT):
            yield reported(f"{name}: hit@{k}", hits[k] / STUDENTS)
        yield at_most(f"{name}: implausible", implausible / (COUNT * STUDENTS), most)
        shares = sorted(listed[course.code] / STUDENTS for course in COURSES)
        yield exactly(f"{name}: courses in nobody's five", shares.count(0), 0)
        yield at_most(f"{name}: the most frequent course", shares[-1], MOST_OFTEN)


def retakes():
    """Yield how many of five courses two attempts share; the result page says "about three".

    The likings of a student stay, and the answers are new.
    """
    for name in MOST_IMPLAUSIBLE:
        truth, draw, pairs = Truth.read(name), random.Random(f"retakes {name}"), []
        for number in range(RETAKING):
            student = truth.student(f"student {number}")
            once = {facet: draw.gauss(0, SPREAD) for facet in FACETS}
            again = {
                facet: RELIABILITY * theta + math.sqrt(1 - RELIABILITY**2) * draw.gauss(0, SPREAD)
                for facet, theta in once.items()
            }
            pairs.append([recommended(student, thetas)[:COUNT] for thetas in (once, again)])
        same = fmean(len(set(one) & set(other)) for one, other in pairs)
        yield reported(f"{name}: courses of five that a retake repeats", same)
        first = fmean(one[0] == other[0] for one, other in pairs)
        yield reported(f"{name}: the first course is the same, share", first)


def recommended(student, thetas):
    """Return the codes that the bank recommends after both stages."""
    answers = both_stages(student.answer)
    rated = [(each.scale, answers[code]) for code, each in BANK.interests.items()]
    estimates = {facet: Ability(theta, ERROR) for facet, theta in thetas.items()}
    profile = Profile(
        interests=interest_profile(rated, BANK.norms),
        aptitude={OVERALL: Ability(0.0, ERROR), **estimates},
        preferences=dict.fromkeys(PREFERENCES, ScaleScore(3.0, 0.0)),
        validity=CAREFUL,
        fields=field_scores(BANK, answers),
    )
    return [each.code for each in suggest(BANK, profile, answers, COURSES, COUNT).recommended]


def both_stages(answer):
    """Return the answers by code to the statements of stage 1, and those that it leads to."""
    first = {code: answer(code) for code in BANK.interests}
    leading = fields_to_ask(BANK, first)
    second = [code for code, each in BANK.follow_ups.items() if each.scale in leading]
    return first | {code: answer(code) for code in second}


def one_field():
    """Yield where a loved field's course stands, and how often a raised answer lowers a fit."""
    places = []
    for field in BANK.fields:
        answers = both_stages(lambda c, f=field: LOVED if f in BANK.statements[c].fields else USUAL)
        fits = rank(BANK, field_scores(BANK, answers), {}, (), COURSES)
        found = [place for place, fit in enumerate(fits, 1) if fit.course.fields[0] == field]
        places += found[:1]
    yield exactly("fields with a course in the demo's catalogue", len(places), 20)
    yield at_most("place of the loved field's course, the latest", max(places), LATEST_PLACE)
    draw, falls = random.Random("answers to raise"), 0
    for code, statement in BANK.statements.items():
        for _ in range(RAISES if len(statement.fields) == 1 else 0):
            asked = {*draw.sample(list(BANK.fields), BANK.matching.leading), *statement.fields}
            answers = {
                each: draw.randint(1, 5)
                for each, other in BANK.statements.items()
                if each in BANK.interests or other.scale in asked
            }
            scores = [field_scores(BANK, {**answers, code: answer}) for answer in range(1, 6)]
            fits = [raw_fit(each, statement.fields, BANK.matching) for each in scores]
            falls += sum(higher < lower for lower, higher in pairwise(fits))
    yield exactly("answers raised that lower a fit", falls, 0)
