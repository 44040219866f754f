from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from assessments.measurement.bank import CarelessSigns
from assessments.measurement.scales import INTERESTS
from assessments.measurement.validity import (
    FAST_APTITUDE,
    FAST_INTERESTS,
    HURRIED_SECTION,
    INCONSISTENT,
    INSTRUCTED_MISSED,
    STRAIGHT_LINE,
    Given,
    check,
    consistency,
    scatter,
)
from tests.assessments.measurement.respondents import (
    AMPLE,
    BANK,
    FIELDS,
    one_pattern,
    random_in_two_stages,
    with_likings_by_field,
)

# How much better a liked type fares, so that careful answers have ups and downs.
LIKED = ("artistic", "social")


def careful(**changes: int) -> list[Given]:
    """An attempt without any flag; `changes` by code, with _ for the hyphens."""
    choices = {code.replace("_", "-"): choice for code, choice in changes.items()}
    given = []
    for place, (code, section) in enumerate(BANK.sections.items()):
        if code in BANK.spares:
            continue
        if code in BANK.interests:
            usual = (4 if BANK.interests[code].scale in LIKED else 2) + place % 2
        else:
            usual = BANK.instructed.get(code, BANK.keys.get(code, 2 + place % 3))
        given.append(Given(code, choices.get(code, usual), AMPLE[section]))
    return given


def in_time(given: list[Given], section: str, seconds: Callable[[int], float]) -> list[Given]:
    """The same answers, with the times of one section as the function of their place says."""
    places = iter(range(len(given)))
    return [
        replace(each, seconds=seconds(next(places)))
        if BANK.sections[each.code] == section
        else each
        for each in given
    ]


def on_interests(answers: Mapping[str, tuple[int, ...]]) -> list[Given]:
    """Answers to the statements of each scale, in their order."""
    rows = {scale: iter(values) for scale, values in answers.items()}
    return [
        Given(code, choice, 4.0)
        for code, statement in BANK.interests.items()
        if (choice := next(rows[statement.scale], None)) is not None
    ]


def test_a_careful_attempt_has_no_flag() -> None:
    validity = check(BANK, careful())

    assert validity.flags == ()
    assert validity.effort == 1
    assert validity.consistency
    assert validity.consistency > 0.7
    assert validity.instructed_missed == 0
    assert validity.interest_seconds == 4
    assert validity.hurried_sections == ()


@pytest.mark.parametrize(
    ("rushed", "share", "flags"),
    [(0, 1.0, ()), (2, 0.9167, ()), (3, 0.875, (FAST_APTITUDE,)), (20, 0.1667, (FAST_APTITUDE,))],
)
def test_effort_is_the_share_of_items_not_rushed(
    rushed: int, share: float, flags: tuple[str, ...]
) -> None:
    # 7.9 seconds of 40 are under a fifth; the others make up for them.
    given = in_time(careful(), "aptitude", lambda place: 7.9 if place < rushed else 300)

    validity = check(BANK, given)

    assert validity.effort == share
    assert validity.flags == flags


def test_scatter_is_the_deviation_within_the_scales() -> None:
    # Twice 4 squared deviations of 1 on one scale, none elsewhere, 42 degrees of freedom.
    answers = dict.fromkeys(INTERESTS, (3,) * 8) | {"social": (2, 4) * 4}

    assert scatter(BANK, on_interests(answers)) == pytest.approx(math.sqrt(8 / 42))
    assert scatter(BANK, on_interests(dict.fromkeys(INTERESTS, (3,)))) is None


def test_only_scattered_answers_without_agreement_are_inconsistent() -> None:
    contrary = {scale: (1, 5) if n % 2 else (5, 1) for n, scale in enumerate(INTERESTS)}
    mild = {scale: (3, 4) if n % 2 else (4, 3) for n, scale in enumerate(INTERESTS)}
    agreeing = {
        scale: (5, 5, 5, 5, 5, 1, 5, 5) if n % 2 else (1, 1, 1, 1, 1, 5, 1, 1)
        for n, scale in enumerate(INTERESTS)
    }

    validities = [
        check(BANK, on_interests({s: v * 4 for s, v in answers.items()}))
        for answers in (contrary, mild, agreeing)
    ]

    assert [INCONSISTENT in validity.flags for validity in validities] == [True, False, False]
    assert validities[2].scatter and validities[2].scatter > 1.2


@pytest.mark.parametrize(
    ("changes", "missed"),
    [({}, 0), ({"int_check_1": 3}, 1), ({"int_check_1": 5, "int_check_2": 5}, 2)],
)
def test_attention_checks_answered_otherwise_are_counted(
    changes: dict[str, int], missed: int
) -> None:
    validity = check(BANK, careful(**changes))

    assert validity.instructed_missed == missed
    assert validity.flags == ((INSTRUCTED_MISSED,) if missed else ())


@pytest.mark.parametrize(("seconds", "fast"), [(0.99, True), (1.0, False)])
def test_interest_statements_faster_than_a_second_are_flagged(seconds: float, fast: bool) -> None:
    # The few slow ones keep the section as a whole from being hurried.
    given = in_time(careful(), "interests", lambda place: seconds if place < 40 else 60)

    validity = check(BANK, given)

    assert validity.interest_seconds == seconds
    assert (FAST_INTERESTS in validity.flags) is fast


@pytest.mark.parametrize(("section", "count"), [("interests", 50), ("aptitude", 24)])
def test_a_section_in_under_a_third_of_its_time_is_hurried(section: str, count: int) -> None:
    third = BANK.section_seconds[section] / 3 / count

    hurried = check(BANK, in_time(careful(), section, lambda _: third - 0.01))
    calm = check(BANK, in_time(careful(), section, lambda _: third + 0.01))

    assert hurried.hurried_sections == (section,)
    assert hurried.flags == (HURRIED_SECTION,)
    assert calm.flags == ()


def test_a_bank_sets_its_own_limits() -> None:
    assert BANK.careless == CarelessSigns(0.90, 0.20, 1.2, 15, 1, 1.0, 1 / 3)
    assert FIELDS.careless == CarelessSigns(0.75, 0.0, 1.2, 20, 5, 1.0, 0.25)


@pytest.mark.parametrize(
    ("limits", "flag"),
    [
        ({"least_effort": 1.1}, FAST_APTITUDE),
        ({"least_consistency": 1.1, "scattered_beyond": 0.4}, INCONSISTENT),
        ({"straight_run": 1}, STRAIGHT_LINE),
        ({"fastest_statement": 4.1}, FAST_INTERESTS),
        ({"hurried_share": 1.2}, HURRIED_SECTION),
    ],
)
def test_each_limit_comes_with_the_bank(limits: dict[str, float], flag: str) -> None:
    assert check(replace(BANK, careless=replace(BANK.careless, **limits)), careful()).flags == (
        flag,
    )


# The pattern goes through neither an attention check nor the end of stage 1.
@pytest.mark.parametrize("pattern", [(4,), (2, 4), (1, 3, 5), (1, 2, 3, 4), (1, 2, 3, 4, 5)])
def test_a_pattern_over_and_over_is_a_straight_line(
    pattern: tuple[int, ...],
) -> None:
    def row(length: int) -> list[Given]:
        codes = list(FIELDS.interests)
        choices = [pattern[place % len(pattern)] for place in range(length)]
        last = choices[-len(pattern)] % 5 + 1
        return [Given(*each, 4.0) for each in zip(codes, [*choices, last], strict=False)]

    assert check(FIELDS, row(19)).longest_run == 19
    assert STRAIGHT_LINE not in check(FIELDS, row(19)).flags
    assert check(FIELDS, row(20)).longest_run == 20
    assert STRAIGHT_LINE in check(FIELDS, row(20)).flags
    single = replace(FIELDS, careless=replace(FIELDS.careless, longest_pattern=1))
    assert check(single, row(20)).longest_run == (20 if len(pattern) == 1 else 1)


def test_a_pattern_seen_once_is_no_row() -> None:
    given = [
        Given(code, choice, 4.0)
        for code, choice in zip(FIELDS.interests, (1, 2, 3, 4, 5, 1, 2, 3, 4), strict=False)
    ]

    assert check(FIELDS, given).longest_run == 1


def test_consistency_is_the_correlation_of_answers_in_a_field() -> None:
    # The first two share a field, and the last two; the mean is 3, the variance 2.5.
    codes = ("int-mixer", "int-phone", "int-story", "int-poem")
    fields = [set(FIELDS.statements[code].fields) for code in codes]
    assert fields[0] & fields[1] == {"machines"}
    assert fields[2] & fields[3] == {"writing"}
    assert not (fields[0] | fields[1]) & (fields[2] | fields[3])

    def agreement(*choices: int) -> float | None:
        return consistency(FIELDS, [Given(*each, 4.0) for each in zip(codes, choices, strict=True)])

    assert agreement(5, 4, 1, 2) == pytest.approx((2 * 1 + -2 * -1) / 2 / 2.5)
    assert agreement(5, 1, 4, 2) == pytest.approx((2 * -2 + 1 * -1) / 2 / 2.5)
    assert agreement(3, 3, 3, 3) is None
    assert consistency(FIELDS, [Given("int-mixer", 5, 4.0), Given("int-story", 1, 4.0)]) is None
    assert consistency(FIELDS, []) is None


@pytest.mark.parametrize(
    ("kind", "least", "most"),
    [(with_likings_by_field, 0, 0.06), (one_pattern, 0.95, 1), (random_in_two_stages, 0.95, 1)],
)
def test_the_careless_are_told_from_the_careful(
    kind: Callable[[random.Random], list[Given]], least: float, most: float
) -> None:
    rng = random.Random(kind.__name__)
    flagged = sum(bool(check(FIELDS, kind(rng)).flags) for _ in range(400)) / 400

    assert least <= flagged <= most


def test_a_row_of_equal_answers_goes_on_from_stage_1_to_stage_2() -> None:
    first = [Given(code, 1 + n * n % 11 % 5, 4.0) for n, code in enumerate(FIELDS.interests)]
    same = [Given(each.code, 5, 4.0) for each in first[-8:]]
    second = [Given(code, 5, 4.0) for code in list(FIELDS.follow_ups)[:8]]

    assert check(FIELDS, [*first[:-8], *same, *second]).longest_run == 16
    assert check(FIELDS, [*first, *second]).longest_run < 10


def test_statements_of_both_stages_count_for_the_usual_time_of_one() -> None:
    first = [Given(code, 1 + n % 5, 4.0) for n, code in enumerate(list(FIELDS.interests)[:5])]
    second = [Given(code, 1 + n % 5, 0.5) for n, code in enumerate(list(FIELDS.follow_ups)[:12])]

    assert check(FIELDS, first).interest_seconds == 4.0
    assert check(FIELDS, [*first, *second]).interest_seconds == 0.5
