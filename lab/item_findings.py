"""Find the items that need review, by their statistics."""

from __future__ import annotations

import math
from collections.abc import Iterable

from lab.item_statistics import ENOUGH, Figures

BELOW_CHANCE = "below_chance"
TURNED_ROUND = "turned_round"
WEAK = "weak"
MANY_STOP = "many_stop"
LANGUAGES_DIFFER = "languages_differ"
FINDINGS = (BELOW_CHANCE, TURNED_ROUND, WEAK, MANY_STOP, LANGUAGES_DIFFER)
# A good statement correlates .3 to .5 with its scale. A good puzzle correlates only about .3 with
# ability, because adaptive selection gives it to students of similar ability.
WEAK_PUZZLE, WEAK_STATEMENT = 0.10, 0.20
MANY = 0.10
# In standard errors; one good item in forty exceeds it by chance.
SURE = 2.0


def turned_below(answered: int) -> float:
    """Return the correlation below which an item counts as reversed, given its answers."""
    return -SURE / math.sqrt(answered)


def is_below_chance(share: float, guessing: float, answers: int) -> bool:
    """Tell whether the share of right answers is two standard errors below guessing."""
    return share < guessing - SURE * math.sqrt(guessing * (1 - guessing) / answers)


def findings(
    together: Figures, languages: Iterable[Figures] = (), guessing: float | None = None
) -> tuple[str, ...]:
    """Return the findings about an item, codes of FINDINGS in that order.

    `guessing` is the chance of guessing the answer to a puzzle, None for a statement. Items with
    fewer than ENOUGH answers, or attempts, have no findings.
    """
    r, answered = together.discrimination, together.answered
    weak_below = WEAK_STATEMENT if guessing is None else WEAK_PUZZLE
    found = {
        BELOW_CHANCE: guessing is not None
        and together.correct is not None
        and answered >= ENOUGH
        and is_below_chance(together.correct / answered, guessing, answered),
        TURNED_ROUND: r is not None and answered > 0 and r < turned_below(answered),
        WEAK: r is not None and r < weak_below,
        MANY_STOP: together.shown >= ENOUGH and together.stopped_here > MANY * together.shown,
        LANGUAGES_DIFFER: any(
            each.difference is not None and each.difference.grade == "C" for each in languages
        ),
    }
    # A reversed item is also weak, but one finding is enough.
    found[WEAK] = found[WEAK] and not found[TURNED_ROUND]
    return tuple(code for code in FINDINGS if found[code])
