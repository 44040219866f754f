"""Support's one search field takes what they were sent, and keeps no link that was pasted."""

import re

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from assessments.desk.search import SearchKind, parse, parse_several
from assessments.models import AssessmentLink, RefusedCall, Student
from partners.models import AuditEvent
from tests.assessments.attempts import issue, started, token_of, use
from tests.factories import BY, AccessTokenFactory, PartnerFactory, ProjectFactory

SEARCH = "/admin/assessments/assessmentlink/find/"
SEES = ("assessments.view_assessmentlink", "assessments.view_student")
RIGHTS = (*SEES, "assessments.view_attempt", "tokens.view_accesstoken", "partners.view_project")
KEY = "aB3-_" * 4 + "xA"
PROJECT = "prj_0123456789abcdef"
LINK = f"https://assess.example.com/{PROJECT}/assessment?token={KEY}"
CALL = "3f2504e0-4f89-11d3-9a0c-0305e82c3301"
WRAPPED = (
    "https://eur03.safelinks.protection.outlook.com/?url=https%3A%2F%2Fassess.example.com%2F"
    f"{PROJECT}%2Fassessment%3Ftoken%3D{KEY}&data=05%7C02%7C&reserved=0"
)
SECRET = "sec_" + "x" * 49
TOKEN_ID = "tok_0123456789abcdef"

pytestmark = pytest.mark.usefixtures("bank")


@pytest.fixture
def support(staff):
    return staff(*RIGHTS)


def search(client, text):
    return client.post(SEARCH, {"q": text})


def page_of(row):
    name = f"admin:{row._meta.app_label}_{row._meta.model_name}_change"
    return reverse(name, args=[row.pk])


def test_a_link_is_read_in_every_form_in_which_it_is_pasted():
    for text in (
        *(LINK, f"“{LINK}”,", LINK[:60] + "\r\n " + LINK[60:], LINK.replace("token=", "token=3D")),
        LINK.replace("https://assess.example.com", "http://elsewhere.test:8000"),
        *(f"Your link: {LINK} Good luck!", WRAPPED, f"token={KEY}", KEY),
    ):
        what = parse(text)
        assert (what.kind, what.value, what.may_repeat) == (SearchKind.LINK, KEY, False)


MAIL, LINK_ID, ATTEMPT_ID = "asha@example.com", "lnk_0123456789abcdef", "asm_0123456789abcdef"
PLAIN = "5f0c2b9e7d1a4c3f8e6b0a9d2c4e6f81"
UNDERSTOOD = {
    SearchKind.EMAIL: [
        *(("Asha.Rao@Example.COM", "asha.rao@example.com"), ("asha@", "")),
        *((f"Asha Rao <{MAIL}>", MAIL), (f"mailto:{MAIL}?subject=x", MAIL), (f"{MAIL}.", MAIL)),
        *((f'"{MAIL}"', MAIL), (f"({MAIL}).", MAIL), (f"{MAIL})", MAIL), (f"<{MAIL}>,", MAIL)),
    ],
    SearchKind.MOBILE: [
        (text, "+919876543201") for text in ("98765 43201", "tel:+919876543201", "९८७६५ ४३२०१")
    ],
    SearchKind.LINK_NUMBER: [("link #12", "12")],
    SearchKind.LINK_ID: [
        *((LINK_ID, LINK_ID), (f"X-Link-Id: {LINK_ID}", LINK_ID), ("lnk_01234", "")),
    ],
    SearchKind.ASSESSMENT_ID: [
        *((ATTEMPT_ID, ATTEMPT_ID), (f'"AssessmentId": "{ATTEMPT_ID}",', ATTEMPT_ID)),
    ],
    SearchKind.TOKEN_ID: [(TOKEN_ID, TOKEN_ID)],
    SearchKind.PROJECT_ID: [(PROJECT, PROJECT)],
    SearchKind.REQUEST_ID: [
        *((PLAIN, PLAIN), (CALL, CALL), (f"X-Request-ID: {CALL}", CALL)),
        (f'{{"type": "https://a.example/docs/#x", "requestId": "{CALL}"}}', CALL),
        ("crm.2026-0017", "crm.2026-0017"),
    ],
    SearchKind.NAME: [("Asha Rao", "Asha Rao")],
    SearchKind.NOTHING: [("x", ""), ("", "")],
    SearchKind.SECRET: [(SECRET, ""), (f"{TOKEN_ID}:{SECRET}", TOKEN_ID)],
}


@pytest.mark.parametrize("kind", UNDERSTOOD)
def test_a_text_is_understood_and_perhaps_repeated(kind):
    for text, value in UNDERSTOOD[kind]:
        what = parse(text)
        assert (what.kind, what.value) == (kind, value)
        assert what.may_repeat is (kind is not SearchKind.SECRET)


def test_each_thing_leads_to_its_page(support, project):
    link, url = issue(project)
    attempt = use(link)
    token = project.access_tokens.create(secret_digest="0" * 64)

    for text, row in [
        ("Asha.Rao@Example.com", link.student),
        ("098765-43201", link.student),
        (attempt.assessment_id, attempt),
        (token.token_id, token),
        (project.project_id, project),
        (url, link),
        (f' "{url}" ', link),
        (token_of(url), link),
        (url.replace(settings.APP_URL, "https://elsewhere.test"), link),
        (f"#{link.pk}", link),
        (str(link.link_id), link),
    ]:
        response = search(support, text)
        assert response.status_code == 302, text
        assert response.headers["Location"] == page_of(row)


def test_partners_and_projects_are_found_by_part_of_a_name(staff):
    client = staff(*RIGHTS, "partners.view_partner")
    partner = PartnerFactory.create(name="Northern Portal")
    evening = ProjectFactory.create(partner=partner, name="Sahyadri Evening College")
    morning = ProjectFactory.create(partner=partner, name="Sahyadri Morning_2026")
    morning.close(by=BY)

    assert search(client, "evening c").headers["Location"] == page_of(evening)
    assert search(client, "Morning_2026").headers["Location"] == page_of(morning)
    listed = search(client, "SAHYADRI").content.decode()
    assert listed.index(page_of(evening)) < listed.index(page_of(morning))
    assert "project of Northern Portal, closed" in listed
    of_partner = search(client, "northern").content.decode()
    assert all(page_of(row) in of_partner for row in (partner, evening, morning))
    assert "Nothing found." in search(client, "%").content.decode()


def test_what_was_typed_comes_back_unless_it_is_a_secret(support):
    for text, back in (("Asha R", "Asha R"), ("asha@", "asha@"), (KEY, ""), (KEY[:30], "")):
        page = search(support, text)
        assert page.context["form"]["q"].value() == back


@pytest.mark.sqlite
def test_a_student_is_found_by_part_of_a_name_within_a_project(support, project, other_project):
    student = issue(project, name="Asha Rao")[0].student
    issue(project, name="Ravi Kumar", email="ravi@example.com")
    issue(other_project, name="Asha Rao")

    found = support.post(SEARCH, {"q": "sha r", "project": project.pk})
    missed = support.post(SEARCH, {"q": "Meera", "project": project.pk})

    assert found.headers["Location"] == page_of(student)
    assert "Nothing found." in missed.content.decode()
    assert missed.context["form"]["project"].value() == project.pk
    assert "Nothing found." in search(support, "sha r").content.decode()
    listed = support.get("/admin/assessments/student/", {"project": project.pk})
    assert listed.context["cl"].searched_project == project


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("Asha Rao", ["Rao Asha", "rao, asha", "Asha R", "R. Asha", "ASHA  RAO"]),
        ("Mohd.  Arif", ["Mohd. Arif", "Mohd.  Arif", "mohd arif", "Mohd.Arif", "Arif"]),
        ("Sean O'Brien", ["O'Brien", "O’Brien", "o‘brien", "OʼBrien", "Brien Sean"]),
        ("Sean O’Brien", ["O'Brien", "O’Brien"]),
        ("आशा  राव", ["राव आशा"]),
    ],
)
def test_order_blanks_and_apostrophes_of_a_name_do_not_matter(support, project, name, texts):
    student = issue(project, name=name)[0].student
    issue(project, name="Asha Verma Omana", email="asha.verma@example.com")

    for text in texts:
        found = support.post(SEARCH, {"q": text, "project": project.pk})
        assert found.headers.get("Location") == page_of(student), text


@pytest.mark.sqlite
@pytest.mark.parametrize("text", ["Rao Meera", "Asha O", "(a|b) c", "a.* b", "%% __"])
def test_a_name_without_all_words_is_not_found(support, project, text):
    issue(project, name="Asha Rao")

    found = support.post(SEARCH, {"q": text, "project": project.pk})

    assert "Nothing found." in found.content.decode()


def test_students_of_several_projects(support, project, other_project):
    started(project)
    issue(other_project)

    page = search(support, "asha.rao@example.com")

    html = page.content.decode()
    assert page.status_code == 200
    for student in Student.objects.all():
        assert f'href="{page_of(student)}"' in html
        assert student.project.name in html
    for said in ("2 students", "in progress", "not started"):
        assert said in html
    assert AuditEvent.objects.latest("pk").reason == "find: 2 rows"


def test_a_pasted_secret_is_reported_as_leaked(support, project):
    token, leaked = project.access_tokens.create(secret_digest="0" * 64), "It leaked"

    response = search(support, f"{token.token_id}:{SECRET}")

    page = support.get(response.headers["Location"]).content.decode()
    assert response.headers["Location"] == page_of(token)
    assert leaked in page
    assert SECRET not in page
    assert leaked in search(support, SECRET).content.decode()


@pytest.mark.parametrize("around", ["x" * 4_000, "\0"])
def test_unreadable_input_is_not_echoed(support, project, around):
    link, url = issue(project)

    page = search(support, url + around)

    html = page.content.decode()
    assert page.status_code == 200
    assert 'aria-invalid="true"' in html
    for kept in (token_of(url), url, "x" * 4_000, link.student.email):
        assert kept not in html


def test_what_a_role_may_not_open_is_found_without_its_page(project, staff):
    token = project.access_tokens.create(secret_digest="0" * 64)

    page = search(staff(*SEES), token.token_id)

    assert page.status_code == 200
    assert "your role does not allow you to open its page" in page.content.decode()


def test_a_request_over_a_limit_that_is_not_found_leads_to_its_minute(staff, project):
    token = AccessTokenFactory.create(project=project)
    call = RefusedCall.objects.create(
        **{"project": project, "access_token": token, "at": timezone.now(), "count": 3},
        **{"request_id": "first-call-1", "status": 429, "code": "rate_limited"},
        operation="get-redirect-url",
    )

    for rights, leads in ((RIGHTS, True), (SEES, False)):
        page = search(staff(*rights), "second-call-2").content.decode()
        assert (page_of(call) in page) is leads
        assert ("3 calls of get-redirect-url over the limit" in page) is leads


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("asha@example.com, Ravi <Ravi@example.com>;meena@x.org", ["asha", "ravi", "meena"]),
        ("asha@example.com\nravi@example.com asha@EXAMPLE.com", ["asha", "ravi"]),
        ("asha@example, ravi@example.com", ["asha@example", "ravi"]),
        ("lnk_0123456789abcdef lnk_fedcba9876543210", ["lnk_0123", "lnk_fedc"]),
        ("asm_0123456789abcdef,asm_fedcba9876543210", ["asm_0123", "asm_fedc"]),
        (f"first {LINK}, then {LINK.replace('aB3', 'aB4')}", [KEY[:8], "aB4-_aB4"]),
        *((one, []) for one in ("asha@example.com", "Asha <asha@example.com>", "asha@ ravi@x.org")),
        *((one, []) for one in (LINK, WRAPPED, LINK[:60] + "\r\n " + LINK[60:], f"{LINK} {LINK}")),
        (f"asha@example.com and ravi@example.com have {LINK}", []),
        (f"asha@example.com ravi@example.com {SECRET}", []),
    ],
)
def test_several_of_a_kind_are_told_from_one(text, values):
    found = [each.value for each in parse_several(text)]

    assert len(found) == len(values)
    assert all(each.startswith(value) for each, value in zip(found, values, strict=True)), found


def test_each_of_several_addresses_has_a_row_with_its_state(support, project, other_project):
    inside = started(project).student
    elsewhere = issue(other_project)[0].student
    asked = "asha.rao@example.com, nobody@example.com, asha@exam"

    page = search(support, asked)

    listed = page.content.decode().partition('class="blocks"')[2]
    rows = re.findall(r"<tr>(.*?)</tr>", listed, re.S)[1:]
    found = [re.findall(r'href="(.*?)"', row)[:1] for row in rows]
    assert sorted(found[:2]) == sorted([[page_of(inside)], [page_of(elsewhere)]])
    assert ["in progress" in row for row in rows] == [each == [page_of(inside)] for each in found]
    assert ["not found" in row for row in rows] == [False, False, True, False]
    assert "incomplete" in rows[3]
    assert page.context["form"]["q"].value() == asked
    assert AuditEvent.objects.latest("pk").reason == "find: 2 rows"


def test_several_links_are_found_and_not_repeated(support, project):
    urls = [issue(project, email=f"s{n}@example.com")[1] for n in range(2)]

    page = search(support, " ".join(urls)).content.decode()

    assert all(page_of(link) in page for link in AssessmentLink.objects.all())
    assert not [url for url in urls if token_of(url) in page]


def test_who_may_not_see_students_reads_nothing_of_several(staff, project):
    for n in range(2):
        issue(project, email=f"s{n}@example.com")

    page = search(staff("assessments.view_assessmentlink"), "s0@example.com s1@example.com")

    assert [row.get("is_hidden") for row in page.context["several"]] == [True, True]
    assert "Rao" not in page.content.decode()


def test_of_very_many_addresses_the_first_fifty_are_searched_for(support, project):
    page = search(support, " ".join(f"s{n}@example.com" for n in range(53)))

    assert (len(page.context["several"]), page.context["left_out"]) == (50, 3)
