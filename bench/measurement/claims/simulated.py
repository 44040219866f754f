"""Simulated students who take the puzzles one by one, as the service selects them."""

from __future__ import annotations

import json
import math
import random
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

from assessments.banks import SHIPPED
from measurement.ability import Ability, AptitudeItem, Posterior, Response, probability
from measurement.bank import Bank
from measurement.selection import NO_STAND_INS, next_item

ROOT = Path(__file__).resolve().parents[3]
GIVEN = 12
# As assessments.models.recent counts: shares of the latest attempts, once there are enough.
WINDOW, ENOUGH = 500, 50
# Rules explain 50-77 % of difficulty in published work; the design assumes 70.
EXPLAINED = 0.70
SHRUNK = 0.95
# The discrimination that calibration assumes before any answer.
MEDIAN_A = 1.2

# Returns whether a student gets an item right.
Answering = Callable[[AptitudeItem], bool]


def shipped_file() -> Path:
    """Return the bank file that ships."""
    return SHIPPED


def shipped_bank() -> Bank:
    """Return the bank that ships."""
    return Bank.from_json(json.loads(shipped_file().read_bytes()))


def truths(
    items: Sequence[AptitudeItem], seed: str, median_a: float = MEDIAN_A
) -> dict[str, AptitudeItem]:
    """Return possible true parameters of the items, given their rules' difficulties.

    b is .95 of the rule's, plus a normal error that leaves the rules 70 % of the variance; a is
    log-normal around `median_a` with an SD of .25 in the logarithm. Means and SDs are exactly
    these, so that no lucky bank is drawn.
    """
    draw = random.Random(seed)
    error = SHRUNK * pstdev([item.b for item in items]) * math.sqrt(1 / EXPLAINED - 1)
    logs, errors = _normal(len(items), draw), _normal(len(items), draw)
    return {
        item.code: replace(item, a=median_a * math.exp(0.25 * log), b=SHRUNK * item.b + error * off)
        for item, log, off in zip(items, logs, errors, strict=True)
    }


def _normal(count: int, draw: random.Random) -> list[float]:
    """Draw normal figures and make their mean exactly 0 and their SD exactly 1."""
    drawn = [draw.gauss(0, 1) for _ in range(count)]
    mean, sd = fmean(drawn), pstdev(drawn)
    return [(each - mean) / sd for each in drawn]


class Exposure:
    """The share of the latest attempts that were given each item."""

    def __init__(self) -> None:
        self._sittings: deque[tuple[str, ...]] = deque()
        self._counts: Counter[str] = Counter()
        self.everyone: Counter[str] = Counter()

    def add(self, codes: Sequence[str]) -> None:
        self._sittings.append(tuple(codes))
        self._counts.update(codes)
        self.everyone.update(codes)
        if len(self._sittings) > WINDOW:
            self._counts.subtract(self._sittings.popleft())

    @property
    def shares(self) -> dict[str, float]:
        """The shares; empty before there are ENOUGH attempts."""
        count = len(self._sittings)
        return {code: n / count for code, n in self._counts.items()} if count >= ENOUGH else {}


@dataclass(frozen=True)
class Sat:
    """A student's responses, in order, and the final estimate."""

    responses: tuple[Response, ...]
    ability: Ability

    @property
    def codes(self) -> list[str]:
        return [response.item.code for response in self.responses]


def sit(
    items: Mapping[str, AptitudeItem],
    targets: Mapping[str, float],
    answering: Answering,
    seed: str,
    exposure: Mapping[str, float],
    *,
    length: int = GIVEN,
    stop_at_se: float = 0.0,
    stand_ins: Mapping[str, Sequence[str]] = NO_STAND_INS,
) -> Sat:
    """Give a student puzzles, selected and scored with the parameters in `items`."""
    known = Posterior()
    responses: list[Response] = []
    ability = known.ability
    while len(responses) < length and ability.se > stop_at_se:
        code = next_item(
            items.values(),
            responses,
            targets,
            exposure=exposure,
            seed=f"{seed} {len(responses) + 1}",
            theta=ability.theta,
            stand_ins=stand_ins,
        )
        response = Response(items[code], answering(items[code]))
        responses.append(response)
        known.add(response)
        ability = known.ability
    return Sat(tuple(responses), ability)


def sit_all(
    items: Mapping[str, AptitudeItem],
    targets: Mapping[str, float],
    students: Sequence[Answering],
    seed: str,
    **stopping: Any,
) -> tuple[list[Sat], Exposure]:
    """Test students one after the other; each selection knows the exposure so far."""
    exposure, sittings = Exposure(), []
    for number, student in enumerate(students):
        sat = sit(items, targets, student, f"{seed} {number}", exposure.shares, **stopping)
        exposure.add(sat.codes)
        sittings.append(sat)
    return sittings, exposure


def answering(theta: float, truth: Mapping[str, AptitudeItem], seed: str) -> Answering:
    """Return a student with an ability, whose answers depend only on the seed and the item."""

    def answers(item: AptitudeItem) -> bool:
        real = truth[item.code]
        lot = random.Random(f"{seed} {item.code}").random()
        return lot < probability(theta, real.a, real.b, real.c)

    return answers


def abilities(count: int, seed: str) -> list[float]:
    draw = random.Random(seed)
    return [draw.gauss(0, 1) for _ in range(count)]


def rmse(estimates: Sequence[float], true: Sequence[float]) -> float:
    return math.sqrt(fmean([(e - t) ** 2 for e, t in zip(estimates, true, strict=True)]))
