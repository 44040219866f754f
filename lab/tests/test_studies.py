"""The study of the ranking: its tables, what it compares with, and its figures."""

import csv
import gzip
import random
from dataclasses import replace
from statistics import fmean

import pytest

from lab import studies
from lab.studies import Ranking, people_bank, people_figures, simple_scores
from lab.tests.simulated_items import field_bank
from measurement.fields import FIELDS
from measurement.norms import FEWEST_ATTEMPTS
from measurement.scales import Norm

BANK = field_bank()
PEOPLE = people_bank(BANK)
MAJORS = [row["major"] for row in studies._table("people_majors")]


def test_the_people_answered_eight_statements_a_type_about_known_fields():
    scales = [each.scale for each in PEOPLE.interests.values()]

    assert {scales.count(scale) for scale in scales} == {8}
    assert {name for each in PEOPLE.interests.values() for name in each.fields} <= set(FIELDS)
    assert len(MAJORS) == 13


def test_a_simple_score_leans_on_the_type_the_more_the_fewer_statements_a_field_has():
    answers = dict.fromkeys(PEOPLE.interests, 3)
    z, of_type = 2 / 1.2, 2 / 8 / 0.9

    three = replace(
        PEOPLE,
        norms=dict.fromkeys(PEOPLE.norms, Norm(3.0, 0.9)),
        statement_norms=dict.fromkeys(PEOPLE.statement_norms, Norm(3.0, 1.2)),
    )

    scores = simple_scores(three, {**answers, "C4": 5})

    # Of office, there are C3 and C4, which weigh 1/4 each; no statement is about computers.
    assert scores["office"] == pytest.approx(z / 4 + of_type / 2, abs=1e-3)
    assert scores["computers"] == 0


def test_hits_are_shares_of_students_or_means_over_courses():
    ranking = Ranking([["a", "b"], ["a", "b"], ["b", "a"]], ["a", "a", "a"])
    assert ranking.hit(1) == ranking.mean_hit(1) == pytest.approx(2 / 3)
    unequal = Ranking([["a", "b"]] * 3, ["a", "a", "b"])
    assert (unequal.hit(1), unequal.mean_hit(1)) == (pytest.approx(2 / 3), fmean((1, 0)))
    assert ranking.most_often == 1


def test_each_half_of_the_people_has_its_figures(tmp_path, monkeypatch):
    monkeypatch.setattr(studies, "ASSUMED", FEWEST_ATTEMPTS)
    draw, file = random.Random("people"), tmp_path / "people.csv.gz"
    with gzip.open(file, "wt", encoding="utf-8", newline="") as opened:
        writer = csv.writer(opened)
        writer.writerow([*PEOPLE.interests, "major"])
        writer.writerows([*(draw.randint(1, 5) for _ in PEOPLE.interests), m] for m in MAJORS * 4)

    names = [figure.name for figure in people_figures(BANK, file)]

    for half in ("looked at", "held back", "all"):
        for norms in ("norms of all", "starting norms", "norms of 10, 1"):
            assert f"{half}, {norms}: hit@3" in names
        assert f"{half}: people called inconsistent" in names
