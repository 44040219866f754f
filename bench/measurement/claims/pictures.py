"""5. Students who can't see pictures get other puzzles: does their estimate suffer?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from statistics import fmean

from bench.measurement.claims.facets import students_by_facet
from bench.measurement.claims.simulated import (
    GIVEN,
    abilities,
    answering,
    rmse,
    shipped_file,
    sit_all,
    truths,
)
from lab.figures import Figure, reported
from measurement.ability import facet_abilities
from measurement.bank import Bank

STUDENTS = 1000


def figures(bank: Bank, full: bool) -> Iterator[Figure]:
    """Yield the errors with all puzzles and without those that have pictures as answers."""
    count = STUDENTS * (3 if full else 1)
    truth = truths(list(bank.aptitude.values()), "what the items are really like")
    thetas = abilities(count, "students who may not see")
    alike = [answering(theta, truth, f"sight {n}") for n, theta in enumerate(thetas)]
    facets, apart = students_by_facet(bank, truth, count, "sight by facet")
    drawn = _with_pictures()
    unseen = {code: item for code, item in bank.aptitude.items() if code not in drawn}
    stand_ins = bank.stand_ins({item.family for item in unseen.values()})
    for name, items, instead in (
        ("all puzzles", bank.aptitude, {}),
        ("without pictures", unseen, stand_ins),
    ):
        sat, _ = sit_all(items, bank.family_targets(), alike, "sight", stand_ins=instead)
        off = rmse([each.ability.theta for each in sat], thetas)
        yield reported(f"{name}, {GIVEN} given: RMSE of ability", off)
        sat, _ = sit_all(items, bank.family_targets(), apart, "sight", stand_ins=instead)
        found = [facet_abilities(each.responses, bank.facets) for each in sat]
        errors = {
            facet: rmse([each[facet].theta for each in found], [each[facet] for each in facets])
            for facet in bank.facets
        }
        yield reported(f"{name}: RMSE of a facet, mean", fmean(errors.values()))
        yield reported(f"{name}: RMSE of abstract reasoning", errors["abstract"])


def _with_pictures() -> set[str]:
    """Return the codes of the puzzles whose answers are pictures."""
    items = json.loads(shipped_file().read_bytes())["items"]
    return {
        item["code"] for item in items if any("figure" in each for each in item.get("options", []))
    }
