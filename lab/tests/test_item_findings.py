"""Which figures call for a look at an item, and which don't."""

from dataclasses import replace

import pytest

from lab.dif import Dif
from lab.item_statistics import ALL, ENOUGH, Figures
from lab.item_tables import findings

PUZZLE = Figures(500, 500, 300, 2, 40.0, 0.31)
STATEMENT = Figures(500, 500, None, 2, 4.0, 0.52)


@pytest.mark.parametrize(
    ("figures", "guessing", "found"),
    [
        (PUZZLE, 0.18, ()),
        (STATEMENT, None, ()),
        # two standard errors below what guessing gives, which are .034 here
        (replace(PUZZLE, correct=72), 0.18, ("below_chance",)),
        (replace(PUZZLE, correct=74), 0.18, ()),
        (replace(PUZZLE, correct=0, discrimination=None), 0.18, ("below_chance",)),
        (replace(PUZZLE, answered=ENOUGH - 1, correct=0), 0.18, ()),
        (replace(PUZZLE, discrimination=0.09), 0.18, ("weak",)),
        (replace(PUZZLE, discrimination=0.10), 0.18, ()),
        (replace(STATEMENT, discrimination=0.19), None, ("weak",)),
        (replace(STATEMENT, discrimination=0.20), None, ()),
        (replace(PUZZLE, discrimination=-0.08), 0.18, ("weak",)),
        (replace(PUZZLE, discrimination=-0.10), 0.18, ("turned_round",)),
        (replace(STATEMENT, discrimination=-0.30), None, ("turned_round",)),
        (replace(STATEMENT, discrimination=None), None, ()),
        (replace(STATEMENT, stopped_here=51), None, ("many_stop",)),
        (replace(STATEMENT, stopped_here=50), None, ()),
        (Figures(ENOUGH - 1, 0, None, 150, None, None), None, ()),
        (Figures(0, 0, 0, 0, None, None), 0.18, ()),
    ],
)
def test_what_is_found(figures, guessing, found):
    assert findings({ALL: figures}, guessing) == list(found)


@pytest.mark.parametrize(("grade", "found"), [("A", ()), ("B", ()), ("C", ("languages_differ",))])
def test_languages_that_differ_much_are_found(grade, found):
    hindi = replace(STATEMENT, difference=Dif(-1.9, 0.3, grade))

    assert findings({ALL: STATEMENT, "en": STATEMENT, "hi": hindi}) == list(found)
