"""The page of figures, its files, and who has not finished."""

import csv
import io
import re
from datetime import timedelta

import pytest
import time_machine

from assessments.models import LinkEvent
from partners.models import AuditEvent
from tests.assessments.attempts import issue, marked_completed, use
from tests.assessments.figures.test_counts import DAY, NOON, make_attempt, make_link
from tests.factories import BY, AssessmentLinkFactory, ProjectFactory

pytestmark = [pytest.mark.usefixtures("bank")]
PAGE = "/admin/assessments/projectfigures/"
UNFINISHED = f"{PAGE}unfinished/"
VIEW_PROJECT, FINDS = "partners.view_project", "assessments.view_assessmentlink"
AT = NOON + timedelta(hours=4)
ONE_DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _at():
    with time_machine.travel(AT, tick=False):
        yield


@pytest.fixture
def reader(staff):
    return staff(VIEW_PROJECT, FINDS)


def content(response):
    assert response.status_code == 200
    return str(response.content.decode().partition('id="content-main"')[2])


def table(response):
    return [
        [
            re.sub(r"<[^>]*>", "", cell).strip()
            for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.S)
        ]
        for row in re.findall(r"<tr>(.*?)</tr>", content(response), re.S)
    ]


def file(response):
    assert response.status_code == 200
    text = response.getvalue().decode().removeprefix("\ufeff")
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.sqlite
def test_the_page_of_a_project_has_totals_chart_and_days(reader, project):
    make_link(project, NOON)
    make_attempt(project, NOON, completed=NOON)
    again = make_attempt(project, NOON - ONE_DAY, abandoned_at=NOON)
    make_attempt(project, NOON - ONE_DAY, abandoned_at=NOON, student=again.student)
    make_link(ProjectFactory.create(), NOON)

    page = reader.get(PAGE, {"project": project.pk})

    totals = re.findall(r'<dt>(.*?)</dt>\s*<dd class="figure">\s*(.*?)\s*</dd>', content(page))
    assert dict(totals) == {
        "Completion rate": "1 of 3",
        "Links issued": "1",
        "Started": "3",
        "Completed": "1",
        "Abandoned": "2",
    }
    assert re.findall(r"<dd>\s*(by .*?)\s*</dd>", content(page)) == [
        "by 2 students",
        "by 1 student",
    ]
    assert table(page)[1:] == [
        ["20 Nov 2026", "1 of 3", "1", "1", "1", "2"],
        ["19 Nov 2026", "–", "0", "2", "0", "0"],
    ]
    # A day that is not over would look like a fall.
    without_today = "22 Oct 2026 to 19 Nov 2026: 2 started, 0 completed."
    assert page.context["chart"]["description"] == without_today


def test_all_are_listed_by_partner_and_a_partners_by_project(reader, project):
    other, elsewhere = ProjectFactory.create(partner=project.partner), ProjectFactory.create()
    for each in (project, other, other, elsewhere):
        make_attempt(each, NOON)

    of_all = reader.get(PAGE)
    of_partner = reader.get(PAGE, {"partner": project.partner.pk})

    assert [row[:4] for row in table(of_all)[1:3]] == [
        [project.partner.name, "–", "0", "3"],
        [elsewhere.partner.name, "–", "0", "1"],
    ]
    assert [row[:4] for row in table(of_partner)[1:3]] == [
        [other.name, "–", "0", "2"],
        [project.name, "–", "0", "1"],
    ]
    assert re.search(r'<dt>Started</dt>\s*<dd class="figure">\s*3\s', content(of_partner))


@pytest.mark.parametrize(
    ("asked", "days"),
    [
        ({}, (DAY - 29 * ONE_DAY, DAY)),
        ({"first": "2026-11-01", "last": "2026-11-03"}, (DAY.replace(day=1), DAY.replace(day=3))),
        ({"last": "2030-01-01"}, (DAY - 29 * ONE_DAY, DAY)),
        ({"first": "2025-11-20"}, (DAY.replace(year=2025), DAY)),
        ({"first": "2025-11-19"}, None),
        ({"first": "2026-11-20", "last": "2026-11-19"}, None),
        ({"first": "2026-12-01"}, None),
        ({"first": "0001-01-01", "last": "0001-01-02"}, None),
        ({"first": "soon"}, None),
        ({"partner": "99999999999999999999"}, None),
    ],
)
def test_any_two_dates_or_the_last_thirty_days(reader, project, asked, days):
    page = reader.get(PAGE, asked)
    download = reader.get(f"{PAGE}download/", asked)

    chosen = page.context["chosen"]
    assert page.status_code == 200
    assert (chosen and (chosen["first"], chosen["last"])) == (days or {})
    assert download.status_code == (200 if days else 404)


def test_a_file_has_the_figures_of_the_project_that_its_name_says(reader, project):
    make_link(project, NOON)
    make_link(ProjectFactory.create(), NOON)

    response = reader.get(f"{PAGE}download/", {"project": project.pk})

    name = f'"figures-{project.project_id}-2026-10-22-2026-11-20.csv"'
    assert name in response["Content-Disposition"]
    assert [row["linksIssued"] for row in file(response)] == ["1"]


def sent(project, reference, days=2, **values):
    values = {"issued_at": AT - days * ONE_DAY, "reference": reference, **values}
    return AssessmentLinkFactory.create(student__project=project, **values)


@pytest.mark.sqlite
def test_students_who_have_not_finished_are_listed_by_reference(reader, project):
    sent(project, "unopened")
    LinkEvent.objects.create(link=sent(project, "opened"), number=1, at=AT, kind="opened")
    LinkEvent.objects.create(link=sent(project, "robot"), number=1, at=AT, kind="robot")
    sent(project, "expired", expires_at=AT - timedelta(hours=1))
    sent(project, "cancelled", cancelled_at=AT)
    sent(project, "too early", days=31)
    sent(project, "erased").student.erase(reason="asked", by=BY)
    sent(ProjectFactory.create(), "elsewhere")
    use(sent(project, "in progress"), at=AT)
    use(sent(project, "late"), at=AT - 2 * ONE_DAY)
    marked_completed(use(sent(project, "finished"), at=AT - ONE_DAY), AT)
    goes_on = use(sent(project, "first"), at=AT).student
    sent(project, "another link", student=goes_on)
    issue(project, AT - 2 * ONE_DAY, email="b@example.com")
    newest, _ = issue(project, AT, email="b@example.com")

    asked = {"project": project.pk}
    page = reader.get(UNFINISHED, asked)
    found = file(reader.get(UNFINISHED, {**asked, "file": "csv"}))

    not_started = {
        "unopened": "unopened",
        "opened": "opened",
        "robot": "unopened",
        "expired": "expired",
        "cancelled": "cancelled",
        "": "unopened",
    }
    started = {"in progress": "in progress", "late": "abandoned", "another link": "in progress"}
    assert {row["Reference"]: row["State"] for row in found} == {**not_started, **started}
    assert [row["Answered"] for row in found if row["Reference"] in ("opened", "late")] == ["", "0"]
    assert [row["LinkId"] for row in found if not row["Reference"]] == [newest.link_id]
    assert len(page.context["rows"]) == 9
    for which, expected in (("no", not_started), ("yes", started)):
        rows = reader.get(UNFINISHED, {**asked, "started": which}).context["rows"]
        assert {row.link.reference for row in rows} == set(expected)
    assert "@" not in content(page)
    seen = AuditEvent.objects.of_actions(["student.listed"]).order_by("pk")
    assert list(seen.values_list("reason", flat=True)) == [
        "students who have not finished: 9 rows",
        "a file of students who have not finished: 9 rows",
        "students who have not finished: 6 rows",
        "students who have not finished: 3 rows",
    ]
