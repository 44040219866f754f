"""A bank is retired for ever, never while it is current, and never by a race."""

from __future__ import annotations

import copy
import io
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from assessments.management.commands import load_items
from assessments.models import ItemBank
from assessments.models.banks import BankRefused
from partners.models import AuditEvent, Project
from tests.assessments.attempts import answer_until, completed, started
from tests.support.server import SMALL_BANK
from tests.support.threads import race

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
COMMAND = "command:tests"
ROUNDS = 15

pytestmark = pytest.mark.django_db


def published(small_bank: dict[str, Any], version: str) -> ItemBank:
    data = copy.deepcopy(small_bank) | {"version": version}
    return ItemBank.objects.publish(data, actor=COMMAND)[0]


@pytest.fixture
def other(bank: ItemBank, small_bank: dict[str, Any]) -> ItemBank:
    """Give a second bank beside the current one."""
    return published(small_bank, "own-1")


def test_a_retired_bank_stays_and_can_t_be_made_current(bank: ItemBank, other: ItemBank) -> None:
    assert other.retire(reason="A typo", at=AT, actor=COMMAND) is True

    with pytest.raises(BankRefused, match="retired and can't be made current again"):
        other.make_current(actor=COMMAND)

    other.refresh_from_db()
    assert (other.retired_at, other.made_current_at) == (AT, None)
    assert ItemBank.objects.current() == bank
    event = AuditEvent.objects.about(other).get(action="bank.retired")
    assert (event.at, event.reason, event.actor) == (AT, "A typo", COMMAND)


def test_the_current_bank_can_t_be_retired(bank: ItemBank, other: ItemBank) -> None:
    with pytest.raises(BankRefused, match="Make another bank current first"):
        bank.retire(actor=COMMAND)

    bank.refresh_from_db()
    assert not bank.is_retired
    assert ItemBank.objects.current() == bank


def test_attempts_on_a_retired_bank_go_on_and_are_scored(
    bank: ItemBank, project: Project, other: ItemBank
) -> None:
    attempt = answer_until(started(project, AT), 12, AT)
    other.make_current(actor=COMMAND)
    assert bank.assessment_set.open(AT).count() == 1
    bank.retire(actor=COMMAND)

    completed(attempt, AT)

    attempt.refresh_from_db()
    assert attempt.bank == bank
    assert attempt.profile
    assert attempt.rescore()[0] == attempt.profile
    assert started(project, AT, email="next@example.com").bank == other


def run(*arguments: str) -> str:
    err = io.StringIO()
    call_command(*arguments, stdout=io.StringIO(), stderr=err)
    return err.getvalue()


def test_load_items_does_not_bring_a_retired_bank_back(
    bank: ItemBank, small_bank: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load_items, "SHIPPED", SMALL_BANK)
    newer = published(small_bank, "own-1")
    newer.make_current(actor=COMMAND)
    bank.retire(actor=COMMAND)

    # the release line goes on
    assert "was already published" in run("load_items")
    with pytest.raises(CommandError, match="retired and can't be made current again"):
        run("load_items", "--make-current")

    assert ItemBank.objects.current() == newer


def test_nothing_new_is_made_from_a_retired_bank(bank: ItemBank, other: ItemBank) -> None:
    other.retire(actor=COMMAND)

    with pytest.raises(CommandError, match="Bank own-1 is retired. Name another, or leave out"):
        run("update_norms", "--bank", "own-1", "--apply", "--yes")

    assert ItemBank.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_made_current_and_retired_at_one_moment_one_of_them_wins(
    small_bank: dict[str, Any],
) -> None:
    """Never is a retired bank the current one, nor is there none."""
    published(small_bank, "base").make_current(actor=COMMAND)
    for number in range(ROUNDS):
        bank = published(small_bank, f"own-{number}")
        mine, theirs = (ItemBank.objects.get(pk=bank.pk) for _ in range(2))

        made, retired = race(
            [
                lambda: mine.make_current(actor="staff:1"),  # noqa: B023  ends in its turn
                lambda: theirs.retire(actor="staff:2"),  # noqa: B023  ends in its turn
            ]
        )

        bank.refresh_from_db()
        if bank.is_retired:
            assert retired is True
            assert isinstance(made, BankRefused)
            assert ItemBank.objects.current() != bank
        else:
            assert made is None
            assert isinstance(retired, BankRefused)
            assert ItemBank.objects.current() == bank
        assert not ItemBank.objects.current().is_retired
        events = AuditEvent.objects.about(bank).exclude(action="bank.published")
        assert events.count() == 1
