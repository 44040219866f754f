"""The page of figures: what it shows of a project and of all, and to whom."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import NoReverseMatch, reverse

from assessments.models import ItemBank, ProjectDay
from partners.models import Project
from tests.assessments.counted import AT, DAY, END, NOON, count, issued, sat
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
    assert "2 of 40 completed assessments show signs" in read


def test_a_project_says_when_its_day_begins(staff: Client, project: Project) -> None:
    day(DAY)
    day(DAY, project, started=3)

    read = words(staff.get(PAGE, {"project": project.pk}))

    assert "in UTC, where a day begins at 05:30 in Asia/Kolkata" in read


def test_before_the_first_count_it_says_what_to_do(staff: Client) -> None:
    read = words(staff.get(PAGE))

    assert "Nothing has been counted yet, so there are no figures." in read
    assert "described under “Figures” in docs/operations.md" in read
    assert "Count now" in read


def test_a_quiet_project_says_so(staff: Client, project: Project) -> None:
    day(DAY, started=3)

    response = staff.get(PAGE, {"project": project.pk, "days": "7"})

    assert "Nothing happened in this project in these 7 days or today" in words(response)
    assert not tiles(response)


def test_of_few_there_are_no_percentages(staff: Client) -> None:
    day(DAY - timedelta(days=7), started=9, completed=9, low_effort=3)
    day(DAY, started=9, completed=8, abandoned=1, low_effort=2, links_issued=9,
        durations={"5": 8}, courses={"Botany": 8}, stopped={"aptitude": 1})  # fmt: skip

    response = staff.get(PAGE, {"days": "7"})

    assert "%" not in words(response).replace("100%", "")
    assert tiles(response)["Low effort"] == "2 of 8"


def test_figures_of_two_hours_ago_say_whom_to_ask(staff: Client) -> None:
    day(TODAY, started=3)
    assert "The last count was" not in words(staff.get(PAGE))

    ProjectDay.objects.update(counted_at=AT - timedelta(hours=2, seconds=1))

    read = words(staff.get(PAGE))
    assert "The last count was more than two hours ago. Ask the operator of this service" in read


def test_days_that_were_not_counted_are_told(staff: Client) -> None:
    day(DAY - timedelta(days=5), started=3)
    day(DAY - timedelta(days=2), started=3)

    assert "4 of these days have not been counted" in words(staff.get(PAGE, {"days": "7"}))


def test_the_drawing_has_words_and_the_table_its_rows(staff: Client) -> None:
    day(DAY, started=30, completed=20)

    html = staff.get(PAGE, {"days": "7"}).content.decode()

    assert "From 14 Nov to 20 Nov: 30 started, 20 completed." in html
    assert re.search(r'role="img"\s+aria-labelledby="trend-title trend-told"', html)
    assert re.search(r'<th scope="row">20 Nov 2026</th>\s*<td>0</td>\s*<td>30</td>', html)


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


def test_the_export_is_offered_to_who_may_export(staff: Client, project: Project) -> None:
    day(DAY, project, started=1)
    day(DAY, started=1)
    export = f"{PAGE}{project.pk}/export/"
    exporting = Client()
    exporting.force_login(staff_with(RIGHT, "assessments.export_results"))

    assert export in exporting.get(PAGE, {"project": project.pk}).content.decode()
    assert exporting.get(export).status_code == 200
    assert export not in staff.get(PAGE, {"project": project.pk}).content.decode()
    assert "/export/" not in exporting.get(PAGE).content.decode()


def test_the_export_does_not_wait_for_a_count(project: Project) -> None:
    exporting = Client()
    exporting.force_login(staff_with(RIGHT, "assessments.export_results"))

    response = exporting.get(PAGE, {"project": project.pk})

    assert "Nothing has been counted yet" in words(response)
    assert f"{PAGE}{project.pk}/export/" in response.content.decode()


def test_the_parts_have_the_titles_that_students_read(
    staff: Client, project: Project, bank: ItemBank
) -> None:
    day(DAY, started=12, abandoned=12, stopped={"aptitude": 12})

    read = words(staff.get(PAGE))

    for section in bank.layout.sections:
        assert section.title["en"] in read
    assert "Aptitude" not in read


@pytest.mark.parametrize("address", [PAGE, COUNT])
@pytest.mark.parametrize("method", ["get", "post"])
def test_without_the_right_it_is_refused(client: Client, address: str, method: str) -> None:
    client.force_login(staff_with("assessments.view_assessment"))

    assert getattr(client, method)(address).status_code == 403
    assert not ProjectDay.objects.exists()


def test_who_comes_to_the_count_after_signing_in_again_sees_the_figures(staff: Client) -> None:
    response = staff.get(COUNT)

    assert response.status_code == 302
    assert response["Location"].startswith(PAGE)
    assert not ProjectDay.objects.exists()


@pytest.mark.parametrize(("address", "method"), [(PAGE, "post"), (PAGE, "delete")])
def test_another_method_is_refused(staff: Client, address: str, method: str) -> None:
    assert getattr(staff, method)(address).status_code == 405
    assert not ProjectDay.objects.exists()


@pytest.mark.parametrize("page", ["add", "change", "delete", "history"])
def test_there_is_no_page_of_a_single_day(staff: Client, page: str) -> None:
    row = day(DAY, started=1)

    with pytest.raises(NoReverseMatch):
        reverse(f"admin:assessments_projectday_{page}", args=[] if page == "add" else [row.pk])
    for path in (f"{PAGE}add/", f"{PAGE}{row.pk}/change/", f"{PAGE}{row.pk}/delete/"):
        assert staff.get(path).status_code == 404
        assert staff.post(path, {"post": "yes", "started": "2"}).status_code == 404
    assert ProjectDay.objects.get().started == 1


def test_a_whole_day_from_the_rows_to_the_page(
    staff: Client, bank: ItemBank, project: Project
) -> None:
    """Nothing in between says otherwise than the rows."""
    for minutes in (10, 20, 30):
        sat(project, NOON, completed=NOON + timedelta(minutes=minutes), courses=["Botany"])
    sat(project, NOON, abandoned=NOON, given=24)
    issued(project, NOON)
    issued(project, END + timedelta(hours=1))
    count()

    response = staff.get(PAGE, {"project": project.pk, "days": "7"})

    assert tiles(response) == {
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
    assert f"Started 4 {parts} Completed 3" in read
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
