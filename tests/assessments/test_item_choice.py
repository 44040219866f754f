"""Which puzzle comes next: chosen once, by the answers so far and by what recent attempts got."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from assessments.models import Attempt, bank_usage
from assessments.models.bank_usage import FEWEST
from measurement import bank as measurement
from measurement.selection import next_item
from tests.assessments.attempts import answer_until, completed, copies, issue, started

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
LATER = AT + 60 * MINUTE
APTITUDE, PREFERENCES = 25, 37

pytestmark = pytest.mark.django_db


def test_what_a_bank_keeps_ready_changes_no_choice(bank, small_bank):
    """From its file, with nothing kept, the arithmetic chooses the same all along an attempt."""
    scoring = measurement.Bank.from_json(small_bank)
    first = set()
    for attempt in range(25):
        rng = random.Random(attempt)
        exposure = {code: rng.random() / 2 for code in scoring.aptitude}
        taken = {}
        for position in range(APTITUDE, PREFERENCES):
            seed = f"{attempt} {position}"
            codes = {bank.items[pk].code: choice for pk, choice in taken.items()}
            expected = next_item(
                [item for code, item in scoring.aptitude.items() if code not in codes],
                scoring.mark_puzzles(
                    {c: choice for c, choice in codes.items() if choice is not None}
                ),
                exposure=exposure,
                substitutes={},
                seed=seed,
            )

            item = bank.next_puzzle(taken, exposure, seed, avoid_pictures=False)

            assert item.code == expected
            first |= {item.code} if not taken else set()
            taken[item.pk] = rng.choice([0, item.key, None])
    assert len(first) > 1  # attempts have seeds of their own


def puzzles(attempt):
    return set(attempt.answers.filter(position__gte=APTITUDE).values_list("item__code", flat=True))


def test_an_item_that_many_were_given_rests(bank, project):
    """After fifty attempts on the same items, the next one gets others of the same families."""
    pioneer = answer_until(started(project, AT, email="pioneer@example.com"), 27, AT)
    copies(pioneer, 60)

    fresh = answer_until(started(project, AT + MINUTE, email="fresh@example.com"), 27, AT + MINUTE)

    assert len(puzzles(pioneer)) == len(puzzles(fresh)) == 4
    assert not puzzles(pioneer) & puzzles(fresh)


def copy_completed(attempt, minutes):
    """Let copies of a completed attempt have taken so many minutes each."""
    for copy, each in zip(copies(attempt, len(minutes)), minutes, strict=True):
        Attempt.objects.filter(pk=copy.pk).update(
            completed_at=AT + each * MINUTE,
            profile=attempt.profile,
            recommendations=attempt.recommendations,
            catalogue=attempt.catalogue,
            takers=attempt.takers,
        )


def test_before_fifty_attempts_nothing_is_known_and_then_it_is_read_once_a_minute(bank, project):
    attempt = completed(started(project, AT), AT + 20 * MINUTE)
    copy_completed(attempt, [20] * (FEWEST - 2))
    assert bank_usage.on_bank(bank, LATER) == bank_usage.RecentAttempts()

    copy_completed(attempt, [20])
    just_before = bank_usage.on_bank(bank, LATER.replace(second=59))
    assert just_before == bank_usage.RecentAttempts()
    assert bank_usage.on_bank(bank, LATER + MINUTE).median_duration == 20 * MINUTE


def test_the_median_and_the_shares_of_fifty_and_the_time_on_the_landing_page(
    bank, project, browser
):
    assert "The time is our estimate" in browser.get(issue(project)[1]).text
    attempt = completed(started(project, AT), AT + 20 * MINUTE)
    copy_completed(attempt, [10] * 20 + [31] * 29)

    known = bank_usage.on_bank(bank, LATER)

    assert known.median_duration == 31 * MINUTE
    assert set(known.exposure.values()) == {1.0}
    assert len(known.exposure) == 12
    bank_usage.count.cache_clear()
    after = browser.get(issue(project)[1])
    assert "about 31 minutes" in after.text
    assert "estimated" not in after.text
