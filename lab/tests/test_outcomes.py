"""Where the courses stand that students named or took."""

from dataclasses import replace

import pytest

from lab.answers import Attempt, Shown
from lab.outcomes import outcome_figures
from lab.refusal import Refusal
from lab.tests.simulated_items import field_bank

BANK = field_bank()


def attempt(liked="", **more):
    """Return an attempt by a student who loves the statements about one field."""
    shown = tuple(
        Shown(code, 5 if liked in each.fields else 2, 4.0, "en")
        for code, each in BANK.interests.items()
    )
    return replace(Attempt(shown, is_completed=True, is_valid=True), **more)


def figures(*attempts):
    return {each.name: each.value for each in outcome_figures(BANK, attempts)}


def test_the_course_taken_counts_by_its_place_with_and_without_the_naming():
    places = [(1, 3), (3, 0), (5, 5), (0, 0)]

    found = figures(*(attempt(taken="7:A", place=p, place_unnamed=u) for p, u in places))

    def shares(how):
        return [found[f"the course taken among the first {k}, {how}"] for k in (1, 3, 5)]

    assert shares("with the naming") == [0.25, 0.5, 0.75]
    assert shares("without the naming") == [0, 0.25, 0.5]


def test_profiles_are_learned_from_three_hundred_favourites_of_one_project():
    fields = {"7:CARE": "care", "7:ART": "art", "7:BUILD": "building", "8:BCA": "computers"}
    some = [attempt(field, considered=("other", code)) for code, field in fields.items()] * 75

    enough, fewer = figures(*some), figures(*some[1:])

    assert enough["favourites among the first 1 by learned profiles"] == 1
    assert not [name for name in fewer if "learned" in name]


def test_a_careless_or_abandoned_attempt_has_no_favourite_and_others_are_not_told_apart():
    with pytest.raises(Refusal):
        figures(
            attempt(considered=("7:A",), is_valid=False),
            attempt(considered=("other",)),
            attempt(taken="7:A", is_completed=False, is_valid=False),
        )
