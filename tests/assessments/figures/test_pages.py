"""The page of figures, its files, and who has not finished."""

import csv
import io
import re
from datetime import timedelta
from html import unescape

import pytest
import time_machine

from assessments.desk.invitations import invitations, invite_again
from assessments.figures import unfinished
from assessments.models import AssessmentLink, LinkEvent, Student
from partners.models import AuditEvent
from tests.assessments.attempts import issue, marked_completed, use
from tests.assessments.figures.test_counts import DAY, NOON, make_attempt, make_link
from tests.factories import BY, AssessmentLinkFactory, ProjectFactory

pytestmark = [pytest.mark.usefixtures("bank")]
PAGE = "/admin/assessments/projectfigures/"
UNFINISHED = f"{PAGE}unfinished/"
FRESH_LINKS = f"{UNFINISHED}fresh-links/"
VIEW_PROJECT, FINDS = "partners.view_project", "assessments.view_assessmentlink"
SEES = "assessments.view_student"
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
    make_attempt(project, NOON, completed_at=NOON)
    again = make_attempt(project, NOON - ONE_DAY, abandoned_at=NOON, considers_unlisted=True)
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
        "Think of a course not listed": "1",
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


@pytest.mark.parametrize(
    ("may_see", "named"), [(False, ["R-1", "student"]), (True, ["Asha", "Ravi"])]
)
def test_only_who_may_see_students_reads_their_names(staff, project, may_see, named):
    for name, reference in (("Asha", "R-1"), ("Ravi", "")):
        sent(project, reference, student__name=f"{name} Rao")
    client = staff(VIEW_PROJECT, FINDS, *([SEES] if may_see else []))

    page = content(client.get(UNFINISHED, {"project": project.pk}))
    rows = file(client.get(UNFINISHED, {"project": project.pk, "file": "csv"}))

    shown = re.findall(r'<th scope="row">\s*(?:<a [^>]*>)?\s*([A-Za-z0-9-]+)', page)
    assert sorted(shown) == named
    assert ("Rao" in page) is may_see
    assert [row.get("Name") for row in rows] == (
        ["Asha Rao", "Ravi Rao"] if may_see else [None] * 2
    )


@pytest.fixture
def sender(staff):
    return staff(VIEW_PROJECT, FINDS, SEES, "assessments.issue_link")


def make_links(client, page, **values):
    latest = page.context["form"].initial["latest"] or ""
    return client.post(
        page.request["PATH_INFO"] + "?" + page.request["QUERY_STRING"],
        {"file": "csv", "latest": latest, **values},
    )


def test_fresh_links_for_those_of_the_list_are_a_file_audited_and_counted(sender, project, browser):
    sent(project, "R-1", student__name="Asha Rao", expires_at=AT - timedelta(hours=1))
    inside = sent(project, "R-2", student__name="Ravi Rao")
    use(inside, at=AT)
    marked_completed(use(sent(project, "R-3"), at=AT - ONE_DAY), AT)
    asked = {"project": project.pk, "started": "no"}
    address = re.search(r'href="([^"]*fresh-links/[^"]*)"', content(sender.get(UNFINISHED, asked)))[
        1
    ]

    page = sender.get(unescape(address))
    made = file(make_links(sender, page))
    with time_machine.travel(AT + timedelta(minutes=1), tick=False):
        all_unfinished = sender.get(FRESH_LINKS, {"project": project.pk})
        again = file(make_links(sender, all_unfinished))

    assert [(row["name"], row["reference"]) for row in made] == [("Asha Rao", "R-1")]
    assert browser.start(made[0]["link"]).name == "section"
    assert sorted(row["reference"] for row in again) == ["R-1", "R-2"]
    assert "1 of them is inside an attempt" in content(all_unfinished)
    counts = [(each["made"], each["started"]) for each in invitations(project)]
    assert sorted(counts) == [(1, 1), (2, 0)]
    issued = AuditEvent.objects.of_actions(["link.issued"])
    assert {event.reason for event in issued} == {"fresh link, as not finished"}
    assert issued.count() == 3
    seen = AuditEvent.objects.of_actions(["student.listed"]).values_list("reason", flat=True)
    assert "a file of fresh links: 2 rows" in seen


def test_a_page_of_fresh_links_makes_them_once(sender, project):
    sent(project, "R-1")
    page = sender.get(FRESH_LINKS, {"project": project.pk})

    first, second = make_links(sender, page), make_links(sender, page)

    assert len(file(first)) == 1
    assert "Nothing was made" in second.content.decode()
    assert AssessmentLink.objects.count() == 2


@pytest.mark.parametrize("lacks", [VIEW_PROJECT, FINDS, SEES, "assessments.issue_link"])
def test_fresh_links_need_all_four_rights(staff, project, lacks):
    sent(project, "R-1")
    rights = {VIEW_PROJECT, FINDS, SEES, "assessments.issue_link"} - {lacks}
    client = staff(*rights)

    assert client.get(FRESH_LINKS, {"project": project.pk}).status_code == 403
    assert client.post(f"{FRESH_LINKS}?project={project.pk}", {"file": "csv"}).status_code == 403
    if lacks not in (VIEW_PROJECT, FINDS):
        assert "fresh-links" not in content(client.get(UNFINISHED, {"project": project.pk}))
    assert AssessmentLink.objects.count() == 1


def test_fresh_links_for_nobody_for_too_many_or_of_a_closed_project_lead_back(
    sender, project, monkeypatch
):
    asked = f"{FRESH_LINKS}?project={project.pk}"
    answers = [sender.get(asked)]
    sent(project, "R-1")
    with monkeypatch.context() as patch:
        patch.setattr(unfinished, "MAX_STUDENTS", 0)
        answers.append(sender.post(asked, {"file": "csv"}))
    project.close(by=BY)
    answers.append(sender.post(asked, {"file": "csv"}))

    back = f"{UNFINISHED}?project={project.pk}"
    assert [answer.headers.get("Location") for answer in answers] == [back] * 3
    assert sender.get(FRESH_LINKS).status_code == 404
    assert AssessmentLink.objects.count() == 1


def test_a_fresh_link_continues_the_open_attempt_of_its_student(project):
    first = issue(project, AT, mobile="9845012345")[0]
    attempt = use(first, at=AT)
    issue(project, AT, mobile="9845054321", reference="R-2")  # perhaps another person's

    [made] = invite_again(project, Student.objects.all(), by=BY, latest=None)

    assert (made.link.mobile, made.link.reference) == (first.mobile, "R-2")
    assert use(made.link, at=AT) == attempt


def test_whoever_was_erased_meanwhile_gets_no_fresh_link(project):
    stays, goes = sent(project, "R-1").student, sent(project, "R-2").student
    goes.erase(by=BY, reason="asked")

    made = invite_again(project, Student.objects.all(), by=BY, latest=None)

    assert [each.email for each in made] == [stays.email]
