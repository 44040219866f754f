"""The page of figures, its files, and who has not started."""

import csv
import io
import re
from datetime import timedelta

import pytest
import time_machine

from assessments.figures import not_started
from assessments.figures.admin import MOST_LISTED
from assessments.models import LinkEvent
from partners.models import AuditEvent
from tests.assessments.attempts import issue, use
from tests.assessments.figures.test_counts import DAY, NOON, make_attempt, make_link
from tests.factories import AssessmentLinkFactory, PartnerFactory, ProjectFactory

pytestmark = [pytest.mark.usefixtures("bank")]
PAGE = "/admin/assessments/figures/"
WAITING = f"{PAGE}not-started/"
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
    make_attempt(project, NOON - ONE_DAY, abandoned_at=NOON)
    make_link(ProjectFactory.create(), NOON)

    page = reader.get(PAGE, {"project": project.pk})

    totals = re.findall(r'<dt>(.*?)</dt>\s*<dd class="figure">\s*(.*?)\s*</dd>', content(page))
    assert dict(totals) == {
        "Completion rate": "1 of 2",
        "Links issued": "1",
        "Started": "2",
        "Completed": "1",
        "Abandoned": "1",
    }
    assert table(page)[1:] == [
        ["20 Nov 2026", "1 of 2", "1", "1", "1", "1"],
        ["19 Nov 2026", "–", "0", "1", "0", "0"],
    ]
    assert 'role="img"' in content(page)
    assert "style=" not in content(page)


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


def test_the_table_of_partners_is_bounded(reader):
    for _ in range(MOST_LISTED + 1):
        make_link(ProjectFactory.create(), NOON)

    context = reader.get(PAGE).context

    assert (len(context["owners"]), context["more_owners"]) == (MOST_LISTED, True)


@pytest.mark.parametrize(
    ("asked", "days"),
    [
        ({}, (DAY - 29 * ONE_DAY, DAY)),
        ({"first": "2026-11-14"}, (DAY - 6 * ONE_DAY, DAY)),
        ({"first": "2026-11-01", "last": "2026-11-03"}, (DAY.replace(day=1), DAY.replace(day=3))),
        ({"last": "2030-01-01"}, (DAY - 29 * ONE_DAY, DAY)),
        ({"first": "2025-11-20"}, (DAY.replace(year=2025), DAY)),
        ({"first": "2025-11-19"}, None),
        ({"first": "2026-11-20", "last": "2026-11-19"}, None),
        ({"first": "2026-12-01"}, None),
        ({"first": "0001-01-01", "last": "0001-01-02"}, None),
        ({"last": "0001-01-01"}, None),
        ({"first": "soon"}, None),
        ({"partner": "99999999999999999999"}, None),
        ({"project": "nobody"}, None),
    ],
)
def test_any_two_dates_or_the_last_thirty_days(reader, project, asked, days):
    page = reader.get(PAGE, asked)
    download = reader.get(f"{PAGE}download/", asked)

    chosen = page.context["chosen"]
    assert page.status_code == 200
    assert (chosen and (chosen["first"], chosen["last"])) == (days or {})
    assert download.status_code == (200 if days else 404)


def test_today_is_that_of_the_project(staff, project):
    west = ProjectFactory.create(time_zone="America/Los_Angeles")
    with time_machine.travel(AT + timedelta(hours=9), tick=False):
        client = staff(VIEW_PROJECT)
        pages = [client.get(PAGE, {"project": each.pk}) for each in (project, west)]

    assert [page.context["chosen"]["last"] for page in pages] == [DAY + ONE_DAY, DAY]


def test_a_name_that_several_projects_share_is_a_choice(reader):
    partner = PartnerFactory.create()
    north, _ = (ProjectFactory.create(name=f"Hill {name}", partner=partner) for name in "NS")
    ProjectFactory.create(name="Hill elsewhere")

    several = reader.get(PAGE, {"project": "hill"})
    of_partner = reader.get(PAGE, {"project": "hill", "partner": partner.pk})
    one = reader.get(PAGE, {"project": "hill n"})

    assert [len(page.context["form"].matches) for page in (several, of_partner)] == [3, 2]
    assert "owners" not in several.context
    assert f"?project={north.pk}" in several.content.decode()
    assert one.context["chosen"]["project"] == north


def test_without_an_event_and_for_a_test_project_there_is_a_sentence(reader):
    test = ProjectFactory.create(is_test=True)
    make_link(test, NOON)

    for asked in ({}, {"project": test.pk}):
        text = content(reader.get(PAGE, asked))
        assert 'class="verdict"' in text
        assert 'class="tiles"' not in text
    assert file(reader.get(f"{PAGE}download/")) == []


def test_the_file_is_named_after_the_project_or_partner(reader, project):
    make_link(project, NOON)
    partner = project.partner.pk

    for whose, asked in (
        ("all", {}),
        (project.project_id, {"project": project.pk}),
        (f"partner-{partner}", {"partner": partner}),
    ):
        response = reader.get(f"{PAGE}download/", asked)
        name = f'"figures-{whose}-2026-10-22-2026-11-20.csv"'
        assert name in response["Content-Disposition"]
        assert [row["linksIssued"] for row in file(response)] == ["1"]


@pytest.mark.parametrize(
    ("rights", "opens"),
    [
        ((), []),
        ((FINDS,), []),
        ((VIEW_PROJECT,), ["", "download/"]),
        ((VIEW_PROJECT, FINDS), ["", "download/", "not-started/"]),
    ],
)
def test_each_page_opens_with_its_right(staff, project, rights, opens):
    client, asked = staff(*rights), {"project": project.pk}

    for page in ("", "download/", "not-started/"):
        assert client.get(f"{PAGE}{page}", asked).status_code == (200 if page in opens else 403)
    if opens:
        text = client.get(PAGE, asked).content.decode()
        assert (WAITING in text) is (FINDS in rights)
        assert "/export/" not in text


# Who has not started


def sent(project, reference, days=2, **values):
    values = {"issued_at": AT - days * ONE_DAY, "reference": reference, **values}
    return AssessmentLinkFactory.create(student__project=project, **values)


def test_only_students_who_never_started_are_listed_by_reference(reader, project):
    sent(project, "unopened")
    LinkEvent.objects.create(link=sent(project, "opened"), number=1, at=AT, kind="opened")
    LinkEvent.objects.create(link=sent(project, "robot"), number=1, at=AT, kind="robot")
    sent(project, "expired", expires_at=AT - timedelta(hours=1))
    sent(project, "cancelled", cancelled_at=AT)
    sent(project, "too early", days=31)
    sent(project, "erased").student.erase(reason="asked", actor="command:tests")
    sent(ProjectFactory.create(), "elsewhere")
    link, _ = issue(project, AT - 2 * ONE_DAY, email="a@example.com")
    use(link, at=AT - ONE_DAY)
    issue(project, AT, email="a@example.com")
    issue(project, AT - 2 * ONE_DAY, email="b@example.com")
    newest, _ = issue(project, AT, email="b@example.com")

    page = reader.get(WAITING, {"project": project.pk})
    found = file(reader.get(WAITING, {"project": project.pk, "file": "csv"}))

    assert {row["Reference"]: row["State"] for row in found} == {
        "unopened": "unopened",
        "opened": "opened",
        "robot": "unopened",
        "expired": "expired",
        "cancelled": "cancelled",
        "": "unopened",
    }
    assert [row["LinkId"] for row in found if not row["Reference"]] == [newest.link_id]
    assert len(page.context["waiting"]) == 6
    assert "@" not in content(page)
    seen = AuditEvent.objects.of_actions(["student.listed"]).order_by("pk")
    assert list(seen.values_list("reason", flat=True)) == [
        "students who have not started: 6 rows",
        "a file of students who have not started: 6 rows",
    ]


def test_the_list_is_bounded_and_the_file_has_all(reader, project, monkeypatch):
    monkeypatch.setattr(not_started, "MOST_LISTED", 2)
    monkeypatch.setattr(not_started, "PAGE", 2)
    for number in range(5):
        sent(project, f"A-{number}")

    page = reader.get(WAITING, {"project": project.pk})
    found = file(reader.get(WAITING, {"project": project.pk, "file": "csv"}))

    assert [link.reference for link, _ in page.context["waiting"]] == ["A-4", "A-3"]
    assert page.context["has_more"]
    assert [row["Reference"] for row in found] == [f"A-{number}" for number in range(5)]


@pytest.mark.sqlite
def test_the_list_needs_a_project_and_is_read_only(reader, project):
    assert reader.get(WAITING).status_code == 404
    assert reader.get(WAITING, {"partner": project.partner.pk}).status_code == 404
    assert reader.post(WAITING, {"project": project.pk}).status_code == 405
    assert reader.get(WAITING, {"project": project.pk}).context["waiting"] == []
