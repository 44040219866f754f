"""How precise the puzzles of the shipped bank are."""

from dataclasses import replace
from statistics import correlation, fmean

from bench.measurement import sittings
from bench.measurement.sittings import BANK, OFF, SHIPPED_BANK, abilities, rmse, sit_all
from lab.calibration import Prior, calibrate, marks_of
from lab.figures import at_least, at_most, reported
from measurement.ability import RANGE_ERRORS, facet_abilities, mean_discrimination, reported_bands

STUDENTS, FEWER = 2000, 1000
PILOTS = (1000, 3000)
# The highest RMSE allowed, by how much we know about the items.
GOALS = {"rules alone": 0.66, "calibrated on 1000": 0.50}
HARDER = 0.5
# The page says that the true place of one student in five is outside its range.
LEAST_HELD = 0.8


def figures():
    yield from own_bank()
    yield from ranges()
    yield from without_pictures()


def own_bank():
    """Yield the precision before and after calibration."""
    truth = sittings.truths()
    pilots = sittings.answering_all(abilities(PILOTS[-1], "the pilot"), truth, "pilot's student")
    pilots = sit_all(BANK.aptitude, pilots, "pilot")
    knowledge = {"rules alone": BANK.aptitude, "items known": truth}
    knowledge |= {f"calibrated on {count}": calibrated(pilots[:count]) for count in PILOTS}
    thetas = abilities(STUDENTS, "students of the bank")
    students = sittings.answering_all(thetas, truth, "sitting's student")
    for name, items in knowledge.items():
        estimates = [each.ability.theta for each in sit_all(items, students, "sitting")]
        title, off = f"{name}: RMSE of ability", rmse(estimates, thetas)
        yield at_most(title, off, GOALS[name]) if name in GOALS else reported(title, off)
        yield reported(f"{name}: reliability", correlation(estimates, thetas) ** 2)


def calibrated(sat):
    """Return the items as our calibration estimates them from these attempts."""
    items = list(BANK.aptitude.values())
    rights = [{r.item.code: r.correct for r in each.responses} for each in sat]
    marks = marks_of(rights, [item.code for item in items])
    priors = [Prior.of_rule(item.b, SHIPPED_BANK["difficulty_sd"][item.family]) for item in items]
    found = calibrate(marks, [item.c for item in items], priors)
    return {
        item.code: replace(item, a=mean_discrimination(new.a, new.se_b), b=new.b)
        for item, new in zip(items, found.items, strict=True)
    }


def ranges():
    """Yield how often the page's range holds the true ability, as assumed and with departures."""
    items, off = BANK.aptitude, sittings.with_other_difficulties()
    harder = {code: replace(item, b=item.b + HARDER) for code, item in items.items()}
    thetas = abilities(FEWER, "ranges")
    worlds = {
        name: (thetas, sittings.answering_all(thetas, truth, "ranges' student"))
        for name, truth in {
            "difficulties as the rules say": items,
            f"each puzzle off, SD {OFF}": off,
            f"all puzzles {HARDER} harder": harder,
        }.items()
    }
    for name, truth in {"kinds correlate": items, "the same, each puzzle off": off}.items():
        worlds[name] = sittings.places_and_students(truth, FEWER, "ranges by kind")
    for title, (thetas, students) in worlds.items():
        found = [each.ability for each in sit_all(items, students, "ranges")]
        held = fmean(
            abs(each.theta - theta) <= RANGE_ERRORS * each.se
            for each, theta in zip(found, thetas, strict=True)
        )
        yield at_least(f"{title}: the range holds", held, LEAST_HELD)
        crossing = fmean(len(reported_bands(each)) > 1 for each in found)
        yield reported(f"{title}: the range lies in no single band of three", crossing)


def without_pictures():
    """Yield the errors with all puzzles, and for students who can't see those with pictures."""
    truth, thetas = sittings.truths(), abilities(FEWER, "students who may not see")
    alike = sittings.answering_all(thetas, truth, "sight")
    real, apart = sittings.students_by_facet(truth, FEWER, "sight by facet")
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
        overall = rmse([each.ability.theta for each in sat], thetas)
        yield reported(f"{name}: RMSE of ability", overall)
        sat = sit_all(items, apart, "sight", substitutes=instead)
        estimates = [facet_abilities(each.responses, BANK.facets) for each in sat]
        by_facet = {
            facet: ([each[facet].theta for each in estimates], [each[facet] for each in real])
            for facet in BANK.facets
        }
        yield reported(f"{name}: RMSE of abstract reasoning", rmse(*by_facet["abstract"]))
        reliability = fmean(correlation(*each) ** 2 for each in by_facet.values())
        yield reported(f"{name}: reliability of facets, mean", reliability)
