"""The command that counts, once an hour by cron."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from django.core.management import CommandError, call_command

from assessments.models import ProjectDay
from partners.models import Project
from tests.assessments.counted import AT, NOON, issued

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clocks_agree")]


@pytest.fixture(autouse=True)
def _at() -> Iterator[None]:
    with time_machine.travel(AT, tick=False):
        yield


def refresh(*arguments: str, stderr: StringIO | None = None) -> tuple[str, str]:
    """Run the command; return data and talk."""
    out, talk = StringIO(), stderr or StringIO()
    call_command("refresh_statistics", "--clock-is-right", *arguments, stdout=out, stderr=talk)
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
