"""Print, beside each sentence of a result that claims something, how often it is true.

Simulated students take the whole attempt, and what each sentence says is compared with what they
are really like. In the first world they are as the product assumes. In the other they depart from
it, as real ones may: answers say less of what they like (a loading of .6, not .75), the kinds of
reasoning are abilities of their own (they correlate .64), and each puzzle's difficulty is off by an
SD of 1.0.

What a course really is to a student is its place among the 24 in the truth's own order: one of the
best six, or of the upper half. A field is really enjoyed if the mean answer to its statements
would be 3.5 without chance, and liked if it would be above 3.
"""

import math
import random
from collections import defaultdict
from dataclasses import replace
from statistics import fmean

from bench.measurement.careless import nearest
from bench.measurement.sittings import BANK, abilities, answering, sit_all, students_by_facet
from lab.figures import at_least, at_most, exactly, reported, within
from lab.studies import asked
from lab.truths import LOADING, SPREAD, Truth, catalogue
from measurement.ability import interval, percentile, reported_bands
from measurement.bank import DONT_KNOW
from measurement.courses import LEVEL_THETA, STREAMS
from measurement.explanation import count_best_matches
from measurement.field_fit import LITTLE, PART, WELL
from measurement.profile import OVERALL, enjoyed_fields, score_attempt
from measurement.reasons import LEVEL_OVERALL, WELL_OVERALL
from measurement.recommendation import MAX_NAMED, suggest
from measurement.scales import LIKED_FROM, NEITHER, PREFERENCES, leaning
from measurement.validity import INTERESTS, AnsweredItem

TRUTHS = [Truth.read(name) for name in ("basic_interests", "knowledge")]
STUDENTS, RETAKING = 600, 150  # in each world, of all truths
WORLDS = {"as assumed": LOADING, "with departures": 0.6}
OFF = 1.0  # the SD of the difficulties' errors in the second world
COURSES = catalogue()
BY_CODE = {course.code: course for course in COURSES}
LISTED, BEST, HALF = 5, 6, 12
MIDDLE = 50
# "Fits little" is told of so few of the named courses.
MOST_LITTLE = 0.05


def figures():
    for world, loading in WORLDS.items():
        found = _gather(world, loading)
        for figure in _claims(found):
            yield replace(figure, name=f"{world}: {figure.name}")


def _claims(found):
    """Yield a figure for each sentence: how often it stands on a result, and how often it holds."""
    share = {name: fmean(values) for name, values in found.items() if values}
    yield at_least("“you enjoy”: liked", share["enjoy liked"], 0.9)
    yield reported("“you enjoy”: really enjoyed", share["enjoyed"])
    yield reported("careful students whose interests are called doubtful", share["doubtful"])
    yield at_least("“best matches”: in the upper half", share["best half"], 0.85)
    yield reported("“best matches”: of the best six", share["best six"])
    yield reported("lists without best matches", share["no best"])
    yield reported("“fits only in part”: in the upper half", share["modest half"])
    yield within("“about as well as the one above”: the upper is better", share["close"], 0.4, 0.65)
    for level in (WELL, PART, LITTLE):
        told = share[f"{level} told"]
        name = f"named “fits {level}”: told"
        yield at_most(name, told, MOST_LITTLE) if level == LITTLE else reported(name, told)
        yield reported(f"named “fits {level}”: of the best six", share.get(f"{level} six", 0.0))
    yield exactly("named, not “fits well”, under “best matches”", sum(found["two voices"]), 0)
    yield within("“a third to a half would be others”: in a retake", share["others"], 0.3, 0.55)
    yield reported("“would fit well, but needs other subjects”: stands on", share["closed"])
    yield at_least("the same: in the upper half", share["closed half"], 0.85)
    yield reported("“no course in this list is about”: stands on", share["unserved"])
    yield reported("“you lean towards”: stands on, of four", share["leaning told"])
    yield at_least("“you lean towards”: the true side", share["leaning"], 0.8)
    yield reported("“a step up”: stands on results", share["step told"])
    yield at_least("“a step up”: the ability is below the course's level", share["step"], 0.85)
    yield reported("“you did well on the puzzles”: stands on results", share["praise told"])
    yield at_least("“you did well on the puzzles”: above the middle", share["praise"], 0.85)
    yield reported("the true place is outside the coloured part", share["outside"])
    yield reported("“somewhere between”: the true band is one of those", share["bands"])


def _gather(world, loading):
    """Return lists of what was told and whether it was true, by name."""
    found = defaultdict(list)
    sat = _puzzles(world, STUDENTS + RETAKING)
    for number in range(STUDENTS):
        truth = TRUTHS[number % len(TRUTHS)]
        person = _Person(truth, f"claims {number}", loading)
        listed = _look(person, *sat[number], lambda name, value: found[name].append(value))
        if number < RETAKING:
            profile, choices = _attempt(person, sat[STUDENTS + number][1], "again")
            again = suggest(BANK, profile, choices, COURSES, LISTED).recommended
            same = {each.code for each in again} & set(listed)
            found["others"].append(1 - len(same) / len(listed))
    return found


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
    truth, thetas = BANK.aptitude, abilities(count, "claims")
    thetas[STUDENTS:] = thetas[:RETAKING]
    if world == "as assumed":
        students = [answering(theta, truth, f"claims {n}") for n, theta in enumerate(thetas)]
    else:
        draw = random.Random("difficulties that are off")
        truth = {c: replace(each, b=each.b + draw.gauss(0, OFF)) for c, each in truth.items()}
        own, students = students_by_facet(truth, count, "claims")
        # The place among all students of someone whose kinds of reasoning differ: by their mean.
        spread = math.sqrt(fmean(fmean(each.values()) ** 2 for each in own))
        thetas = [fmean(each.values()) / spread for each in own]
    sat = sit_all(BANK.aptitude, students, f"claims {world}")
    return list(zip(thetas, [each.responses for each in sat], strict=True))


def _attempt(person, responses, sitting=""):
    """Return the profile and all choices of a person with these responses to puzzles."""
    draw = random.Random(f"{person.seed} {person.truth.name} {sitting}")
    choices = asked(BANK, {code: person.answer(code, draw) for code in BANK.statements})
    choices |= {code: person.answer(code, draw) for code in BANK.preferences}
    choices |= {r.item.code: BANK.keys[r.item.code] if r.correct else DONT_KNOW for r in responses}
    given = [AnsweredItem(code, each, BANK.seconds.get(code, 6)) for code, each in choices.items()]
    return score_attempt(BANK, given), choices


def _look(person, theta, responses, note):
    """Compare a result with the truth; return the codes of its list."""
    place = {code: number for number, code in enumerate(person.order)}
    profile, choices = _attempt(person, responses)
    attempt = BANK, profile, choices, COURSES, LISTED
    plain = suggest(*attempt)
    note("doubtful", INTERESTS in profile.doubts)
    _look_at_puzzles(profile, plain, theta, note)
    for scale in PREFERENCES:
        end = leaning(scale, profile.preferences[scale])
        note("leaning told", bool(end))
        if end:
            note("leaning", (person.sides[scale] > 0) == (end == scale.split("_")[1]))
    codes = [each.code for each in plain.recommended]
    if INTERESTS in profile.doubts:
        return codes
    for name in enjoyed_fields(BANK, profile):
        of_field = [c for c, each in BANK.statements.items() if name in each.fields]
        note("enjoyed", fmean(map(person.usual, of_field)) >= LIKED_FROM)
        note("enjoy liked", fmean(map(person.usual, of_field)) > NEITHER)
    best = count_best_matches([{"note": each.note} for each in plain.recommended])
    note("no best", not best)
    for above, each in zip([None, *plain.recommended], plain.recommended, strict=False):
        if each.code in codes[:best]:
            note("best six", place[each.code] < BEST)
            note("best half", place[each.code] < HALF)
        if each.note == "modest":
            note("modest half", place[each.code] < HALF)
        if each.note == "close":
            note("close", place[above.code] < place[each.code])
    naming = suggest(*attempt, named=person.named)
    best = count_best_matches([{"note": each.note} for each in naming.recommended])
    best = {each.code for each in naming.recommended[:best]}
    for idea in naming.considered:
        for level in (WELL, PART, LITTLE):
            note(f"{level} told", idea.fit == level)
        note(f"{idea.fit} six", place[idea.code] < BEST)
        note("two voices", idea.fit != WELL and idea.code in best)
    limited = suggest(*attempt, person.stream)
    note("closed", bool(limited.best_closed))
    for course in limited.best_closed:
        note("closed half", place[course.code] < HALF)
    note("unserved", bool(limited.unserved))
    return codes


def _look_at_puzzles(profile, suggestions, theta, note):
    ability, own = profile.aptitude[OVERALL], percentile(theta)
    low, high = interval(ability)
    note("outside", not low <= own <= high)
    note("bands", any(each.low <= own < each.high for each in reported_bands(ability)))
    asking = [each for each in suggestions.recommended if each.counterpoint.code == LEVEL_OVERALL]
    note("step told", bool(asking))
    for each in asking:
        level = max(level for _, level, _ in BY_CODE[each.code].demands)
        note("step", theta < LEVEL_THETA[level])
    praised = [
        each
        for each in suggestions.recommended
        if WELL_OVERALL in [reason.code for reason in each.reasons]
    ]
    note("praise told", bool(praised))
    if praised:
        note("praise", own > MIDDLE)
