"""The command that counts, once an hour by cron."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command

from assessments.models import ItemBank, ItemStatistics, ProjectDay
from partners.models import Project
from tests.assessments.attempts import completed, started
from tests.assessments.counted import AT, DAY, END, NOON, issued

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _at() -> Iterator[None]:
    with time_machine.travel(AT, tick=False):
        yield


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def refresh(*arguments: str, stderr: StringIO | None = None) -> tuple[str, str]:
    """Run the command; return data and talk."""
    out, talk = StringIO(), stderr or StringIO()
    call_command("refresh_statistics", *arguments, stdout=out, stderr=talk)
    return out.getvalue(), talk.getvalue()


def days() -> list[str]:
    found = ProjectDay.objects.of(None).order_by("day").values_list("day", flat=True)
    return [str(day) for day in found]


def test_it_counts_up_to_now_and_says_so(project: Project) -> None:
    issued(project, NOON)

    data, talk = refresh()

    assert data == ""
    assert talk == "Counted 2 days, 2026-11-20 to 2026-11-21, up to 09:00 UTC.\n"
    assert days() == ["2026-11-20", "2026-11-21"]
    assert ProjectDay.objects.of(project).get().links_issued == 1


def test_a_script_reads_what_was_counted(bank: ItemBank, project: Project) -> None:
    completed(started(project, NOON), NOON)

    data, talk = refresh("--json")

    assert talk == ""
    assert json.loads(data) == {
        "countedAt": "2026-11-21T09:00:00Z",
        "from": "2026-11-20",
        "to": "2026-11-21",
        "days": 2,
        "items": {bank.version: 1},
    }


def test_the_next_hour_counts_today_only(project: Project) -> None:
    issued(project, NOON)
    refresh()

    with time_machine.travel(AT + timedelta(hours=1), tick=False):
        _, talk = refresh()

    assert talk == "Counted 2026-11-21, up to 10:00 UTC.\n"


def test_at_a_terminal_it_shows_how_far_it_is(project: Project) -> None:
    issued(project, NOON - timedelta(days=2))

    _, talk = refresh(stderr=Terminal())

    assert "2026-11-19 counted, 2 of 4" in talk
    assert "\r" in talk


def test_without_a_terminal_there_is_no_progress(project: Project) -> None:
    issued(project, NOON)

    assert "\r" not in refresh()[1]


def test_days_are_counted_again_from_a_date(project: Project) -> None:
    issued(project, NOON - timedelta(days=1))
    refresh()
    ProjectDay.objects.update(links_issued=99)

    refresh("--from", "2026-11-20")

    rows = ProjectDay.objects.of(None).order_by("day")
    assert [row.links_issued for row in rows] == [99, 0, 0]


def test_days_whose_rows_may_be_purged_are_not_counted_again_unasked(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = issued(project, NOON - timedelta(days=40))
    issued(project, NOON - timedelta(days=40))
    refresh()
    link.delete()
    monkeypatch.setattr("sys.stdin", StringIO())

    with pytest.raises(CommandError, match="Add --yes"):
        refresh("--from", "2026-10-01")
    assert ProjectDay.objects.of(project).get(day="2026-10-11").links_issued == 2

    refresh("--from", "2026-10-01", "--yes")
    assert ProjectDay.objects.of(project).get(day="2026-10-11").links_issued == 1


def test_days_whose_rows_are_all_there_are_counted_again_unasked(project: Project) -> None:
    issued(project, NOON)
    refresh()

    _, talk = refresh("--from", "2026-10-30")

    assert "Counted 2 days, 2026-11-20 to" in talk


@pytest.mark.parametrize("text", ["yesterday", "2026-13-01", "20/11/2026", "", "0"])
def test_what_is_no_date_is_refused_with_one_that_is(text: str) -> None:
    with pytest.raises(CommandError, match="is no day. Write it as 2026-11-21"):
        refresh(f"--from={text}")


def test_a_day_to_come_is_refused() -> None:
    with pytest.raises(CommandError, match="2026-11-22 is still to come"):
        refresh("--from", "2026-11-22")
    assert days() == []


def counted_at(bank: ItemBank) -> Any:
    return ItemStatistics.objects.filter(item__bank=bank).values_list("counted_at").distinct().get()


def test_items_are_counted_once_a_day(bank: ItemBank, project: Project) -> None:
    completed(started(project, NOON), NOON)
    refresh()
    assert counted_at(bank) == (AT,)

    with time_machine.travel(AT + timedelta(hours=1), tick=False):
        _, talk = refresh()
    assert "items" not in talk
    assert counted_at(bank) == (AT,)

    with time_machine.travel(AT + timedelta(hours=21), tick=False):
        _, talk = refresh()
    assert f"Counted the items of bank {bank} over 1 attempts" in talk
    assert counted_at(bank) == (AT + timedelta(hours=21),)


def test_items_are_counted_now_on_demand(bank: ItemBank, project: Project) -> None:
    completed(started(project, NOON), NOON)
    refresh()

    with time_machine.travel(AT + timedelta(hours=1), tick=False):
        refresh("--items")

    assert counted_at(bank) == (AT + timedelta(hours=1),)


def test_items_of_a_bank_out_of_use_keep_their_figures(bank: ItemBank, project: Project) -> None:
    completed(started(project, NOON), NOON)
    refresh()

    with time_machine.travel(NOON + timedelta(days=32), tick=False):
        refresh("--items")

    assert counted_at(bank) == (AT,)


def test_a_bank_that_nobody_was_given_is_not_counted(bank: ItemBank) -> None:
    refresh("--items")

    assert not ItemStatistics.objects.exists()


def test_with_nothing_at_all_today_is_counted_as_empty() -> None:
    refresh()

    row = ProjectDay.objects.get()
    assert (row.project, row.day, row.links_issued) == (None, END.date(), 0)
    assert str(row) == "all 2026-11-21"
    assert row.day > DAY
