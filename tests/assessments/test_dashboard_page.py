"""The page of figures: what it shows of a project and of all, and to whom."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from assessments.models import ItemBank, ProjectDay
from partners.models import Project
from tests.assessments.counted import AT, DAY, END, NOON, count, issued, make_attempt
from tests.assessments.dashboard_pages import COUNT, PAGE, RIGHT, TODAY, day, tiles, words
from tests.factories import PartnerFactory, ProjectFactory, staff_with

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _at() -> Iterator[None]:
    with time_machine.travel(AT, tick=False):
        yield


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(staff_with(RIGHT, "assessments.view_answer"))
    return client


def test_the_figures_of_all_projects_equal_their_rows(staff: Client) -> None:
    day(DAY, links_issued=1200, started=44, completed=40, abandoned=5, links_expired=3,
        low_effort=2, durations={"17": 40}, courses={"Botany": 40},
        stopped={"before": 1, "aptitude": 4})  # fmt: skip
    day(DAY - timedelta(days=6), links_issued=34)
    day(TODAY, links_issued=7)

    response = staff.get(PAGE, {"days": "7"})

    assert tiles(response) == {
        "Completion rate": "88.9 %",
        "Links issued": "1,234",
        "Started": "44",
        "Completed": "40",
        "Abandoned": "5",
        "Expired": "3",
        "Median time": "17 min",
        "Low effort": "5 %",
    }
    read = words(response)
    assert "14 Nov 2026 to 20 Nov 2026: 7 whole days in UTC" in read
    assert "Counted at 21 Nov 2026, 09:00 UTC; figures may be an hour old" in read
    assert "Today so far: links issued 7, started 0" in read
    assert "Aptitude 44 98 % 4 stopped here, 9 %" in read
    assert "Botany 40 100 %" in read
    assert "2 of 40 completed assessments show at least one of these signs" in read


def test_before_the_first_count_it_says_what_to_do(staff: Client) -> None:
    read = words(staff.get(PAGE))

    assert "Nothing has been counted yet, so there are no figures." in read
    assert "described under “Figures” in docs/operations.md" in read
    assert "Count now" in read


def test_nothing_on_the_page_breaks_the_policy(staff: Client, bank: ItemBank) -> None:
    project = ProjectFactory.create(
        name="<script>alert(1)</script>", partner=PartnerFactory.create(name="<img src=x>")
    )
    day(DAY, started=9)
    day(DAY, project, started=9, completed=9, courses={"<svg onload=alert(1)>": 9},
        durations={"5": 9}, stopped={"<i>": 1}, abandoned=1)  # fmt: skip

    response = staff.get(PAGE, {"project": project.pk})
    html = response.content.decode()

    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "&lt;svg onload=alert(1)&gt;" in html
    for bad in ("<script>", "<svg onload", "<img src=x", "<i>", " style=", " onclick="):
        assert bad not in html
    assert "unsafe" not in response.headers["Content-Security-Policy"]
    assert "<img src=x" not in staff.get(PAGE, {"project": "img src"}).content.decode()


def test_a_page_takes_the_same_queries_whatever_the_projects_and_days(
    staff: Client, bank: ItemBank
) -> None:
    def queries(**asked: object) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert staff.get(PAGE, asked).status_code == 200
        return len(captured)

    first = ProjectFactory.create()
    for number in range(200):
        day(TODAY - timedelta(days=number), started=1)
    day(DAY, first, started=1)
    queries()  # the session is written now and then
    few = [queries(days=7), queries(days=7, project=first.pk)]
    for project in ProjectFactory.create_batch(50):
        day(DAY, project, started=1, courses={f"Course {n}": 1 for n in range(40)})

    assert [queries(days=90), queries(days=90, project=first.pk)] == few
    assert max(few) <= 12


@pytest.mark.parametrize("address", [PAGE, COUNT])
@pytest.mark.parametrize("method", ["get", "post"])
def test_without_the_right_it_is_refused(client: Client, address: str, method: str) -> None:
    client.force_login(staff_with("assessments.view_assessment"))

    assert getattr(client, method)(address).status_code == 403
    assert not ProjectDay.objects.exists()


def test_a_whole_day_from_the_rows_to_the_page(
    staff: Client, bank: ItemBank, project: Project
) -> None:
    """Nothing in between says otherwise than the rows."""
    for minutes in (10, 20, 30):
        make_attempt(project, NOON, completed=NOON + timedelta(minutes=minutes), courses=["Botany"])
    make_attempt(project, NOON, abandoned=NOON, given=24)
    issued(project, NOON)
    issued(project, END + timedelta(hours=1))
    count()

    response = staff.get(PAGE, {"project": project.pk, "days": "7"})

    assert tiles(response) == {
        "Completion rate": "3 of 4",
        "Links issued": "1",
        "Started": "4",
        "Completed": "3",
        "Abandoned": "1",
        "Expired": "0",
        "Median time": "20 min",
        "Low effort": "0 of 3",
    }
    read = words(response)
    parts = "What you like to do 4 Numbers and patterns 4 1 stopped here Study preferences 3"
    assert f"All that ended 4 {parts} Completed 3" in read
    assert "Botany 3" in read
    assert "Today so far: links issued 1" in read


def test_the_outcome_of_one_student_is_not_shown_to_who_may_see_none(
    staff: Client, project: Project
) -> None:
    """A figure of outcomes over a single attempt is that attempt's outcome."""
    day(DAY - timedelta(days=1))
    day(DAY, completed=9)
    day(DAY, project=project, completed=9, low_effort=1, courses={"Botany": 9})
    support = Client()
    support.force_login(staff_with(RIGHT))
    address = {"project": project.pk, "days": "7"}

    hidden = support.get(PAGE, address)
    shown = staff.get(PAGE, address)
    day(DAY - timedelta(days=1), project=project, completed=1, courses={"Botany": 1})
    together = support.get(PAGE, address)

    assert "Botany" not in hidden.content.decode()
    assert "Low effort" not in tiles(hidden)
    assert "Botany" in shown.content.decode()
    assert tiles(shown)["Low effort"] == "1 of 9"
    assert "Botany" in together.content.decode()
