"""Print, beside each sentence of a result that claims something, how often it is true.

Students are as the product assumes them, or depart from that (docs/measurement.md). What a course
really is to a student is its place among the 24 in the truth's own order: one of the best six, or
of the upper half. A field is really enjoyed if the mean answer to its statements would be 3.5
without chance, and liked if it would be above 3.
"""

import math
import random
from collections import defaultdict
from dataclasses import replace
from functools import partial
from statistics import fmean

from bench.measurement import sittings
from bench.measurement.careless import nearest
from bench.measurement.sittings import BANK
from lab.figures import at_least, at_most, reported, within
from lab.truths import LOADING, SPREAD, Truth, catalogue
from measurement.ability import interval, percentile, reported_bands
from measurement.bank import DONT_KNOW
from measurement.courses import LEVEL_THETA, STREAMS
from measurement.explanation import count_best_matches
from measurement.field_fit import LITTLE, PART, WELL
from measurement.fields import fields_to_ask
from measurement.profile import OVERALL, enjoyed_fields, score_attempt
from measurement.reasons import LEVEL_OVERALL, WELL_OVERALL
from measurement.recommendation import MAX_NAMED, suggest
from measurement.scales import LIKED_FROM, NEITHER, PREFERENCES, leaning
from measurement.validity import INTERESTS, AnsweredItem

TRUTHS = [Truth.read(name) for name in ("basic_interests", "knowledge")]
STUDENTS, RETAKING = 600, 150  # in each world, of all truths
WORLDS = {"as assumed": LOADING, "with departures": 0.6}
COURSES = catalogue()
BY_CODE = {course.code: course for course in COURSES}
LISTED, BEST, HALF, MIDDLE = 5, 6, 12, 50
# Of "fits little", few of the named courses are told.
TARGETS = {
    "“you enjoy”: liked": partial(at_least, target=0.9),
    "“best matches”: in the upper half": partial(at_least, target=0.85),
    "“about as well as the one above”: the upper is better": partial(within, low=0.4, high=0.65),
    f"named “fits {LITTLE}”: told": partial(at_most, target=0.05),
    "“a third to a half would be others”: in a retake": partial(within, low=0.3, high=0.55),
    "“needs other subjects”: in the upper half": partial(at_least, target=0.85),
    "“you lean towards”: the true side": partial(at_least, target=0.8),
    "“a step up”: the ability is below the course's level": partial(at_least, target=0.85),
    "“you did well on the puzzles”: above the middle": partial(at_least, target=0.85),
}


def figures():
    """Yield, for each sentence, how often it stands on a result, and how often it holds."""
    for world, loading in WORLDS.items():
        found = defaultdict(list)
        sat = _puzzles(world, STUDENTS + RETAKING)
        for number in range(STUDENTS):
            truth = TRUTHS[number % len(TRUTHS)]
            person = _Person(truth, f"claims {number}", loading)
            again = sat[STUDENTS + number][1] if number < RETAKING else ()
            for name, value in _look(person, *sat[number], again):
                found[name].append(value)
        for name, values in found.items():
            figure = TARGETS.get(name, reported)(name, fmean(values))
            yield replace(figure, name=f"{world}: {name}")


class _Person:
    """A student who may answer twice: the likings stay, chance is new."""

    def __init__(self, truth, seed, loading):
        self.truth, self.seed, self.loading = truth, seed, loading
        self.student = truth.student(seed)
        self.order = self.student.order()
        self.named = self.student.named(MAX_NAMED)
        self.draw = random.Random(f"{seed} {truth.name}")
        self.sides = {scale: self.draw.gauss(0, 1) for scale in PREFERENCES}
        self.stream = self.draw.choice(STREAMS)

    def usual(self, code):
        """Return the answer without chance."""
        inclined = LOADING * self.student.liking(code)
        return self.truth.usual(code) + self.student.level + SPREAD * inclined

    def answer(self, code, draw):
        noise = math.sqrt(1 - self.loading**2) * draw.gauss(0, 1)
        if statement := BANK.preferences.get(code):
            liking, usual = statement.keyed * self.sides[statement.scale], NEITHER
        else:
            liking = self.student.liking(code)
            usual = self.truth.usual(code) + self.student.level
        return nearest(usual + SPREAD * (self.loading * liking + noise))


def _puzzles(world, count):
    """Return true abilities and the responses of attempts; a retake has the same ability."""
    if world == "as assumed":
        thetas = sittings.abilities(count, "claims")
        thetas[STUDENTS:] = thetas[:RETAKING]
        students = sittings.answering_all(thetas, BANK.aptitude, "claims")
    else:
        departed = sittings.with_other_difficulties()
        thetas, students = sittings.places_and_students(departed, count, "claims")
    sat = sittings.sit_all(BANK.aptitude, students, f"claims {world}")
    return list(zip(thetas, [each.responses for each in sat], strict=True))


def _attempt(person, responses, sitting=""):
    """Return the profile and all choices of a person with these responses to puzzles."""
    draw = random.Random(f"{person.seed} {person.truth.name} {sitting}")
    choices = {code: person.answer(code, draw) for code in BANK.interests}
    leading = fields_to_ask(BANK, choices)
    asked = [code for code, each in BANK.follow_ups.items() if each.scale in leading]
    choices |= {code: person.answer(code, draw) for code in (*asked, *BANK.preferences)}
    choices |= {r.item.code: BANK.keys[r.item.code] if r.correct else DONT_KNOW for r in responses}
    given = [AnsweredItem(code, each, BANK.seconds.get(code, 6)) for code, each in choices.items()]
    return score_attempt(BANK, given), choices


def _look(person, theta, responses, again):
    """Yield what a result says beside the truth, or a retake."""
    place = {code: number for number, code in enumerate(person.order)}
    profile, choices = _attempt(person, responses)
    attempt = BANK, profile, choices, COURSES, LISTED
    plain = suggest(*attempt)
    yield "careful students whose interests are doubtful", INTERESTS in profile.doubts
    yield from _look_at_puzzles(profile, plain, theta)
    for scale in PREFERENCES:
        end = leaning(scale, profile.preferences[scale])
        yield "“you lean towards”: stands on, of four", bool(end)
        if end:
            is_true = (person.sides[scale] > 0) == (end == scale.split("_")[1])
            yield "“you lean towards”: the true side", is_true
    codes = [each.code for each in plain.recommended]
    if again:
        retake = suggest(BANK, *_attempt(person, again, "again"), COURSES, LISTED).recommended
        same = {each.code for each in retake} & set(codes)
        yield "“a third to a half would be others”: in a retake", 1 - len(same) / len(codes)
    if INTERESTS in profile.doubts:
        return
    for name in enjoyed_fields(BANK, profile):
        of_field = [c for c, each in BANK.statements.items() if name in each.fields]
        usual = fmean(map(person.usual, of_field))
        yield "“you enjoy”: really enjoyed", usual >= LIKED_FROM
        yield "“you enjoy”: liked", usual > NEITHER
    count = count_best_matches([{"note": each.note} for each in plain.recommended])
    for code in codes[:count]:
        yield "“best matches”: of the best six", place[code] < BEST
        yield "“best matches”: in the upper half", place[code] < HALF
    for above, each in zip([None, *plain.recommended], plain.recommended, strict=False):
        if each.note == "modest":
            yield "“fits only in part”: in the upper half", place[each.code] < HALF
        if each.note == "close":
            is_worse = place[above.code] < place[each.code]
            yield "“about as well as the one above”: the upper is better", is_worse
    naming = suggest(*attempt, named=person.named)
    for idea in naming.considered:
        for level in (WELL, PART, LITTLE):
            yield f"named “fits {level}”: told", idea.fit == level
        yield f"named “fits {idea.fit}”: of the best six", place[idea.code] < BEST
    limited = suggest(*attempt, person.stream)
    yield "“needs other subjects”: stands on", bool(limited.best_closed)
    for course in limited.best_closed:
        yield "“needs other subjects”: in the upper half", place[course.code] < HALF


def _look_at_puzzles(profile, suggestions, theta):
    ability, own = profile.aptitude[OVERALL], percentile(theta)
    low, high = interval(ability)
    yield "the true place is outside the coloured part", not low <= own <= high
    is_one = any(each.low <= own < each.high for each in reported_bands(ability))
    yield "“somewhere between”: the true band is one of those", is_one
    listed = suggestions.recommended
    asking = [each for each in listed if each.counterpoint.code == LEVEL_OVERALL]
    yield "“a step up”: stands on results", bool(asking)
    for each in asking:
        level = max(level for _, level, _ in BY_CODE[each.code].demands)
        yield "“a step up”: the ability is below the course's level", theta < LEVEL_THETA[level]
    is_praised = any(reason.code == WELL_OVERALL for each in listed for reason in each.reasons)
    yield "“you did well on the puzzles”: stands on results", is_praised
    if is_praised:
        yield "“you did well on the puzzles”: above the middle", own > MIDDLE
