"""The puzzles of the shipped bank: precision and speed."""

import math
import random
import time
from dataclasses import replace
from statistics import correlation, fmean

from bench.measurement.sittings import (
    BANK,
    GIVEN,
    LOADING,
    SHIPPED_BANK,
    abilities,
    answering,
    rmse,
    sit_all,
    students_by_facet,
    truths,
)
from lab.calibration import Prior, calibrate, marks_of
from lab.figures import at_least, at_most, reported
from measurement.ability import RANGE_ERRORS, facet_abilities, mean_discrimination, reported_bands

STUDENTS, FEWER = 2000, 1000
PILOTS = (1000, 3000)
# The highest RMSE allowed, by how much we know about the items.
GOALS = {"rules alone": 0.66, "calibrated on 1000": 0.50}
OFF, HARDER = 1.0, 0.5
# The page says that the true place of one student in five is outside its range.
LEAST_HELD = 0.8
ON_THE_CLOCK = 100


def figures():
    yield from own_bank()
    yield from facets()
    yield from ranges()
    yield from without_pictures()
    yield from speed()


def own_bank():
    """Yield the precision before and after calibration."""
    truth = truths()
    pilots = sit_all(BANK.aptitude, _students(PILOTS[-1], "the pilot", "pilot", truth), "pilot")
    knowledge = {"rules alone": BANK.aptitude, "items known": truth}
    knowledge |= {f"calibrated on {count}": calibrated(pilots[:count]) for count in PILOTS}
    thetas = abilities(STUDENTS, "students of the bank")
    students = _students(STUDENTS, "students of the bank", "sitting", truth)
    for name, items in knowledge.items():
        sittings = sit_all(items, students, "sitting")
        estimates = [each.ability.theta for each in sittings]
        title, off = f"{name}: RMSE of ability", rmse(estimates, thetas)
        yield at_most(title, off, GOALS[name]) if name in GOALS else reported(title, off)
        yield reported(f"{name}: reliability", correlation(estimates, thetas) ** 2)


def _students(count, seed, of, truth):
    thetas = abilities(count, seed)
    return [answering(theta, truth, f"{of}'s student {n}") for n, theta in enumerate(thetas)]


def calibrated(sittings):
    """Return the items as our calibration estimates them from these attempts."""
    items = list(BANK.aptitude.values())
    marks = marks_of(
        [{r.item.code: r.correct for r in each.responses} for each in sittings],
        [item.code for item in items],
    )
    priors = [Prior.of_rule(item.b, SHIPPED_BANK["difficulty_sd"][item.family]) for item in items]
    found = calibrate(marks, [item.c for item in items], priors)
    return {
        item.code: replace(item, a=mean_discrimination(new.a, new.se_b), b=new.b)
        for item, new in zip(items, found.items, strict=True)
    }


def facets():
    """Yield the precision of three facets of three or four puzzles, from the rules alone."""
    real, students = students_by_facet(truths(), STUDENTS, "facets' student")
    sittings = sit_all(BANK.aptitude, students, "facets")
    found = [facet_abilities(each.responses, BANK.facets) for each in sittings]
    reliability = fmean(
        correlation([each[facet].theta for each in found], [each[facet] for each in real]) ** 2
        for facet in BANK.facets
    )
    yield reported("facets, rules alone: reliability, mean", reliability)


def ranges():
    """Yield how often the range of the page holds the true ability, as assumed and with departures.

    In the departures, difficulties are off, or kinds of reasoning are abilities that correlate .64;
    then a student's place among all is that of their mean.
    """
    items, draw = BANK.aptitude, random.Random("difficulties that are off")
    off = {code: replace(item, b=item.b + draw.gauss(0, OFF)) for code, item in items.items()}
    harder = {code: replace(item, b=item.b + HARDER) for code, item in items.items()}
    thetas = abilities(FEWER, "ranges")
    worlds = {
        "difficulties as the rules say": (thetas, _students(FEWER, "ranges", "ranges", items)),
        f"each puzzle off, SD {OFF}": (thetas, _students(FEWER, "ranges", "ranges", off)),
        f"all puzzles {HARDER} harder": (thetas, _students(FEWER, "ranges", "ranges", harder)),
        "kinds correlate": _by_kind(items),
        f"kinds correlate, each puzzle off, SD {OFF}": _by_kind(off),
    }
    for title, (thetas, students) in worlds.items():
        found = [each.ability for each in sit_all(items, students, "ranges")]
        held = fmean(
            abs(each.theta - theta) <= RANGE_ERRORS * each.se
            for each, theta in zip(found, thetas, strict=True)
        )
        yield at_least(f"{title}: the range holds", held, LEAST_HELD)
        crossing = fmean(len(reported_bands(each)) > 1 for each in found)
        yield reported(f"{title}: the range lies in no single band of three", crossing)


def _by_kind(truth):
    """Return students with an ability for each kind of reasoning, and their places among all."""
    own, students = students_by_facet(truth, FEWER, "ranges by kind")
    spread = math.hypot(LOADING, math.sqrt((1 - LOADING**2) / len(BANK.facets)))
    return [fmean(each.values()) / spread for each in own], students


def without_pictures():
    """Yield the errors with all puzzles, and for students who can't see those with pictures."""
    truth, thetas = truths(), abilities(FEWER, "students who may not see")
    alike = [answering(theta, truth, f"sight {n}") for n, theta in enumerate(thetas)]
    real, apart = students_by_facet(truth, FEWER, "sight by facet")
    drawn = {
        item["code"]
        for item in SHIPPED_BANK["items"]
        if any("figure" in each for each in item.get("options", []))
    }
    unseen = {code: item for code, item in BANK.aptitude.items() if code not in drawn}
    substitutes = BANK.find_substitutes({item.family for item in unseen.values()})
    for name, items, instead in (
        ("all puzzles", BANK.aptitude, {}),
        ("without pictures", unseen, substitutes),
    ):
        sat = sit_all(items, alike, "sight", substitutes=instead)
        off = rmse([each.ability.theta for each in sat], thetas)
        yield reported(f"{name}: RMSE of ability", off)
        sat = sit_all(items, apart, "sight", substitutes=instead)
        found = [facet_abilities(each.responses, BANK.facets) for each in sat]
        off = rmse([each["abstract"].theta for each in found], [each["abstract"] for each in real])
        yield reported(f"{name}: RMSE of abstract reasoning", off)


def speed():
    """Time the selection and the estimate, both from all answers each time."""
    students = _students(ON_THE_CLOCK, "on the clock", "clock", BANK.aptitude)
    began = time.perf_counter()
    sit_all(BANK.aptitude, students, "clock")
    ms = 1000 * (time.perf_counter() - began) / (ON_THE_CLOCK * GIVEN)
    yield at_most("next of 360 items and the estimate: mean ms", ms, 1.0)
