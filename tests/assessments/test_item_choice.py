"""Which item is put before a student: chosen once, never twice, by the answers so far."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from assessments.measurement import bank as measurement
from assessments.measurement.selection import next_item
from assessments.models import Assessment, ItemBank
from partners.models import Project
from tests.assessments.attempts import answer_until, copies, started

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
APTITUDE, PREFERENCES = 25, 37

pytestmark = pytest.mark.django_db


@pytest.fixture
def attempt(bank: ItemBank, project: Project) -> Assessment:
    return started(project, AT)


def test_the_same_answers_and_seed_get_the_same_item(bank: ItemBank) -> None:
    first = next(item for item in bank.items.values() if item.is_aptitude)

    chosen = {
        seed: bank.next_puzzle({first.pk: first.key}, {}, seed)
        for seed in ("asm_a 26", "asm_b 26", "asm_c 26", "asm_d 26")
    }

    for seed, item in chosen.items():
        assert bank.next_puzzle({first.pk: first.key}, {}, seed) == item
    assert len(set(chosen.values())) > 1


def test_what_a_bank_keeps_ready_changes_no_choice(
    bank: ItemBank, small_bank: dict[str, Any]
) -> None:
    """From its file, with nothing kept, the arithmetic chooses the same all along an attempt."""
    scoring = measurement.Bank.from_json(small_bank)
    for attempt in range(25):
        rng = random.Random(attempt)
        exposure = {code: rng.random() / 2 for code in scoring.aptitude}
        taken: dict[int, int | None] = {}
        for position in range(APTITUDE, PREFERENCES):
            seed = f"{attempt} {position}"
            codes = {bank.items[pk].code: choice for pk, choice in taken.items()}
            expected = next_item(
                [item for code, item in scoring.aptitude.items() if code not in codes],
                scoring.responses({c: choice for c, choice in codes.items() if choice is not None}),
                scoring.family_targets(),
                exposure=exposure,
                seed=seed,
            )

            item = bank.next_puzzle(taken, exposure, seed)

            assert item.code == expected
            taken[item.pk] = rng.choice([0, item.key, None])


def test_an_item_that_many_were_given_rests(bank: ItemBank, project: Project) -> None:
    """After fifty attempts on the same items, the next one gets others of the same families."""
    pioneer = answer_until(started(project, AT, email="pioneer@example.com"), 27, AT)
    copies(pioneer, 60)
    worn = set(pioneer.answers.filter(position__gte=APTITUDE).values_list("item__code", flat=True))

    fresh = answer_until(started(project, AT + MINUTE, email="fresh@example.com"), 27, AT + MINUTE)

    given = set(fresh.answers.filter(position__gte=APTITUDE).values_list("item__code", flat=True))
    assert len(worn) == len(given) == 4
    assert not worn & given


def test_the_next_aptitude_item_depends_on_the_answers(bank: ItemBank, project: Project) -> None:
    def take(email: str, is_right: bool) -> list[str]:
        attempt = answer_until(started(project, AT, email=email), 24, AT)
        attempt.begin_section(APTITUDE, AT)
        codes = []
        for position in range(APTITUDE, PREFERENCES):
            (answer,) = attempt.read_answers().page(position)
            codes.append(answer.item.code)
            attempt.record(position, {position: answer.item.key if is_right else 0}, AT)
        return codes

    strong, weak = take("strong@example.com", True), take("weak@example.com", False)

    assert strong != weak
