"""Which puzzle comes next: chosen once, by the answers so far and by what recent attempts got."""

import random
import re
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
# Of the small bank, in minutes.
ESTIMATE = 12

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
            expected = next_item(
                [item for code, item in scoring.aptitude.items() if code not in taken],
                scoring.mark_puzzles(
                    {c: choice for c, choice in taken.items() if choice is not None}
                ),
                exposure=exposure,
                substitutes={},
                facets=scoring.facets.values(),
                seed=seed,
            )

            item = bank.next_puzzle(taken, exposure, seed, avoid_pictures=False)

            assert item.code == expected
            first |= {item.code} if not taken else set()
            taken[item.code] = rng.choice([0, item.key, None])
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


def completed_with(project, flags=()):
    """Return a completed attempt with these flags."""
    attempt = completed(started(project, AT), AT + 30 * MINUTE)
    attempt.profile["validity"]["flags"] = list(flags)
    Attempt.objects.filter(pk=attempt.pk).update(profile=attempt.profile)
    return attempt


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
    attempt = completed_with(project)
    copy_completed(attempt, [30] * (FEWEST - 2))
    assert bank_usage.on_bank(bank, LATER) == bank_usage.RecentAttempts()

    copy_completed(attempt, [30])
    just_before = bank_usage.on_bank(bank, LATER.replace(second=59))
    assert just_before == bank_usage.RecentAttempts()
    assert bank_usage.layout(bank, LATER + MINUTE).minutes == 30


PROMISES = re.compile(r"about (\d+) (?:min\b|minutes?\b)")


def promised(page):
    return {int(minutes) for minutes in PROMISES.findall(page.text)}


@pytest.mark.parametrize(
    ("minutes", "flags", "promise", "first_part"),
    [(31, [], 31, 5), (2, [], ESTIMATE, 2), (31, ["fast_aptitude"], ESTIMATE, 2)],
    ids=["slow", "quick", "flagged"],
)
def test_every_page_promises_the_median_of_fifty_unflagged_and_no_less_than_the_estimate(
    bank, project, browser, minutes, flags, promise, first_part
):
    assert promised(browser.get(issue(project)[1])) == {ESTIMATE}
    copy_completed(completed_with(project, flags), [minutes] * FEWEST)
    bank_usage.count.cache_clear()

    landing = browser.get(issue(project)[1])
    section = browser.start(issue(project)[1])
    question = browser.go_on(section)

    assert ("The time is our estimate" in landing.text) is (promise == ESTIMATE)
    assert promised(landing) == {promise}
    assert promised(section) == {first_part}
    assert promised(question) == {promise}


def test_the_shares_of_fifty(bank, project):
    attempt = completed(started(project, AT), AT + 20 * MINUTE)
    copy_completed(attempt, [20] * (FEWEST - 1))

    known = bank_usage.on_bank(bank, LATER)

    assert set(known.exposure.values()) == {1.0}
    assert len(known.exposure) == 12
