"""Simulated students who take the puzzles one by one, as the service selects them."""

import json
import math
import random
from collections import Counter, deque
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from statistics import fmean, pstdev

from assessments.banks import SHIPPED
from measurement.ability import Ability, Response, eap, probability
from measurement.bank import Bank
from measurement.selection import next_item

SHIPPED_BANK = json.loads(SHIPPED.read_bytes())
BANK = Bank.from_json(SHIPPED_BANK)
[GIVEN] = (s["items_given"] for s in SHIPPED_BANK["sections"] if s["code"] == "aptitude")
# As assessments.models.bank_usage counts: shares of the latest attempts, once there are enough.
WINDOW, ENOUGH = 500, 50
# Rules explain 50-77 % of difficulty in published work; the design assumes 70.
EXPLAINED = 0.70
SHRUNK = 0.95
# The discrimination that calibration assumes before any answer.
MEDIAN_A = 1.2
# Two facets correlate .64.
LOADING = 0.8
# The SD of errors of difficulties in worlds that depart from what the product assumes.
OFF = 1.0


def truths():
    """Return possible true parameters of the bank's puzzles, given their rules' difficulties.

    b is .95 of the rule's, plus a normal error that leaves the rules 70 % of the variance; a is
    log-normal around MEDIAN_A with an SD of .25 in the logarithm. Means and SDs are exactly these.
    """
    items = list(BANK.aptitude.values())
    draw = random.Random("what the items are really like")
    error = SHRUNK * pstdev([item.b for item in items]) * math.sqrt(1 / EXPLAINED - 1)
    logs, errors = _normal(len(items), draw), _normal(len(items), draw)
    return {
        item.code: replace(item, a=MEDIAN_A * math.exp(0.25 * log), b=SHRUNK * item.b + error * off)
        for item, log, off in zip(items, logs, errors, strict=True)
    }


def _normal(count, draw):
    """Draw normal figures and make their mean exactly 0 and their SD exactly 1."""
    drawn = [draw.gauss(0, 1) for _ in range(count)]
    mean, sd = fmean(drawn), pstdev(drawn)
    return [(each - mean) / sd for each in drawn]


@dataclass(frozen=True)
class Sat:
    """A student's responses, in order, and the final estimate."""

    responses: list[Response]
    ability: Ability


def sit_all(items, students, seed, *, substitutes=None):
    """Let students, who tell whether they get an item right, sit one after the other.

    Puzzles are selected and scored with the parameters in `items`.
    """
    latest, sittings = deque(maxlen=WINDOW), []
    for number, is_right in enumerate(students):
        given = Counter(chain.from_iterable(latest)) if len(latest) >= ENOUGH else {}
        exposure = {code: count / len(latest) for code, count in given.items()}
        responses = []
        while len(responses) < GIVEN:
            code = next_item(
                items.values(),
                responses,
                exposure=exposure,
                seed=f"{seed} {number} {len(responses) + 1}",
                substitutes=substitutes or {},
                facets=BANK.facets.values(),
            )
            responses.append(Response(items[code], is_right(items[code])))
        latest.append([response.item.code for response in responses])
        sittings.append(Sat(responses, eap(responses)))
    return sittings


def answering_all(thetas, truth, seed):
    """Return students with abilities, each one or by family. Seed and item decide an answer."""

    def is_right(number, theta, item):
        real, own = truth[item.code], theta[item.family] if isinstance(theta, dict) else theta
        lot = random.Random(f"{seed} {number} {item.code}").random()
        return lot < probability(own, real.a, real.b, real.c)

    return [partial(is_right, *each) for each in enumerate(thetas)]


def students_by_facet(truth, count, seed, draw=None):
    """Return students' abilities by facet, and the students."""
    draw, rest = draw or random.Random("students with facets"), math.sqrt(1 - LOADING**2)
    abilities = [
        {facet: LOADING * g + rest * draw.gauss(0, 1) for facet in BANK.facets}
        for g in (draw.gauss(0, 1) for _ in range(count))
    ]
    facets = BANK.facets.items()
    by_family = [
        {family: own[facet] for facet, families in facets for family in families}
        for own in abilities
    ]
    return abilities, answering_all(by_family, truth, seed)


def places_and_students(truth, count, seed):
    """Return students with abilities by facet, and their places: those of the means."""
    own, students = students_by_facet(truth, count, seed)
    spread = math.hypot(LOADING, math.sqrt((1 - LOADING**2) / len(BANK.facets)))
    return [fmean(each.values()) / spread for each in own], students


def with_other_difficulties():
    """Return the puzzles, each as much harder or easier as an SD of OFF allows."""
    draw = random.Random("difficulties that are off")
    items = BANK.aptitude.items()
    return {code: replace(item, b=item.b + draw.gauss(0, OFF)) for code, item in items}


def abilities(count, seed):
    draw = random.Random(seed)
    return [draw.gauss(0, 1) for _ in range(count)]


def rmse(estimates, true):
    return math.sqrt(fmean([(e - t) ** 2 for e, t in zip(estimates, true, strict=True)]))
