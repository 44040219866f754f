"""Counting the items of a bank from its attempts, in chunks, over the latest of them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from assessments.measurement import item_findings, item_statistics
from assessments.models import Assessment, Item, ItemBank, ItemStatistics, item_counts
from assessments.models.item_counts import count_items, findings_of, needing_review
from partners.models import Project
from tests.assessments.attempts import answer_until, copies, started
from tests.assessments.simulated_attempts import AT, simulate_attempts
from tests.assessments.two_stages import STAGE_1, answered_until, publish_field_bank

NOW = AT + timedelta(hours=2)
LATE = AT + timedelta(days=3)

pytestmark = pytest.mark.django_db


def of(bank: ItemBank, code: str) -> ItemStatistics:
    return ItemStatistics.objects.get(item__bank=bank, item__code=code)


def test_every_item_gets_its_figures(bank: ItemBank, project: Project) -> None:
    simulate_attempts(project, bank, 30)

    looked_at = count_items(bank, NOW)

    assert looked_at == 30
    assert ItemStatistics.objects.count() == len(bank.items)
    statistics = of(bank, "apt-series-01")
    assert (statistics.attempts, statistics.shown, statistics.answered) == (30, 30, 30)
    item = Item.objects.get(bank=bank, code="apt-series-01")
    right = Assessment.objects.filter(answers__item=item, answers__choice=item.key).count()
    assert statistics.correct == right
    assert statistics.median_seconds == 30.0
    assert statistics.counted_at == NOW
    assert of(bank, "int-vegetables").correct is None


@pytest.mark.parametrize(
    ("answered", "at", "stopped_at"),
    [
        # finish-by has passed, on the page after
        (6, LATE, 7),
        # still open
        (6, NOW, None),
        # at the page between two sections, where no question waits
        (24, LATE, None),
        (0, LATE, None),
    ],
)
def test_where_attempts_stopped(
    bank: ItemBank, project: Project, answered: int, at: datetime, stopped_at: int | None
) -> None:
    attempt = answer_until(started(project, AT), answered, AT)

    count_items(bank, at)

    stopped = ItemStatistics.objects.filter(stopped_here=1).values_list("item", flat=True)
    expected = attempt.answers.filter(position=stopped_at).values_list("item", flat=True)
    assert list(stopped) == list(expected)


def test_only_the_latest_attempts_count(
    bank: ItemBank, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(item_counts, "LATEST", 5)
    monkeypatch.setattr(item_counts, "AT_A_TIME", 2)
    simulate_attempts(project, bank, 4, language="hi")
    simulate_attempts(project, bank, 4)

    assert count_items(bank, NOW) == 5

    by_language = of(bank, "int-vegetables").by_language
    assert {name: data["shown"] for name, data in by_language.items()} == {"en": 4, "hi": 1}


def test_attempts_on_other_banks_or_after_the_moment_do_not_count(
    bank: ItemBank, project: Project, small_bank: dict[str, Any]
) -> None:
    other, _ = ItemBank.objects.publish({**small_bank, "version": "own-1"}, actor="command:tests")
    simulate_attempts(project, other, 2)
    simulate_attempts(project, bank, 3)

    assert count_items(bank, NOW) == 3
    assert count_items(bank, AT - timedelta(seconds=1)) == 0


def test_it_reads_in_chunks_whatever_their_number(
    bank: ItemBank, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(item_counts, "AT_A_TIME", 10)
    copies(answer_until(started(project, AT), 30, AT), 24)
    count_items(bank, NOW)

    with CaptureQueriesContext(connection) as queries:
        assert count_items(bank, NOW) == 25

    reads = [query for query in queries if query["sql"].startswith("SELECT")]
    assert len(reads) == 7  # three chunks of two queries, and one that finds no more


def test_the_attempts_are_found_by_an_index(bank: ItemBank, project: Project) -> None:
    copies(started(project, AT), 5)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_sort = off")
    with CaptureQueriesContext(connection) as queries:
        count_items(bank, NOW)

    plans = []
    for query in queries:
        if query["sql"].startswith("SELECT") and "assessments_assessment" in query["sql"]:
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN {query['sql']}")
                plans.append("\n".join(row[0] for row in cursor.fetchall()))
    assert "assessment_bank_newest" in plans[0]


def wrong_key(bank: ItemBank) -> Item:
    return bank.item_set.get(code="apt-series-02")


def test_an_item_keyed_wrong_needs_review(
    bank: ItemBank, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = 80
    for module in (item_statistics, item_findings):
        monkeypatch.setattr(module, "ENOUGH", few)

    def chance(theta: float, code: str) -> float:
        return 0.05 if code == "apt-series-02" else (0.9 if theta > 0 else 0.4)

    simulate_attempts(project, bank, few, chance=chance)
    count_items(bank, NOW)

    assert findings_of(wrong_key(bank))[0] == "below_chance"
    assert wrong_key(bank).pk in needing_review()
    assert len(needing_review()) < len(bank.items) / 2


def test_statements_of_stage_2_count_where_they_were_asked(project: Project) -> None:
    bank = publish_field_bank()
    attempts = simulate_attempts(project, bank, 12)

    count_items(bank, NOW)

    statistics = of(bank, "int-cows")
    asked = Assessment.objects.filter(answers__item__code="int-cows").count()
    assert 0 < asked < len(attempts)
    assert (statistics.attempts, statistics.shown, statistics.answered) == (12, asked, asked)
    assert statistics.correct is None
    assert statistics.median_seconds == 4.0
    assert of(bank, "int-vegetables").shown == 12


def test_an_attempt_may_stop_in_stage_2(project: Project) -> None:
    publish_field_bank()
    attempt = answered_until(project, STAGE_1 + 1)
    attempt.begin_section(STAGE_1 + 1)
    attempt.abandon()

    count_items(attempt.bank, timezone.now())

    [stopped] = ItemStatistics.objects.filter(stopped_here=1)
    assert stopped.item == attempt.answers.get(position=STAGE_1 + 1).item
    assert stopped.item.section == "fields"
