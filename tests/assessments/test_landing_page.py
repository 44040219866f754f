"""The page behind a link: what is coming, start or continue; and links that do not open."""

from datetime import timedelta
from urllib.parse import quote

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from assessments.catalogue.catalogue import Catalogue
from assessments.models import AssessmentLink, Attempt, Student
from partners.models import AuditEvent
from tests.assessments.attempts import issue, marked_completed, token_of
from tests.factories import BY
from tests.support.browser import Browser

STORED = (Student, AssessmentLink, Attempt, AuditEvent, Session)

pytestmark = [pytest.mark.usefixtures("bank")]


@pytest.mark.sqlite
def test_it_has_one_form_with_a_box_that_is_not_ticked_and_sets_one_cookie(project, browser):
    _, url = issue(project)

    page = browser.get(url)

    form = page.form
    assert (page.status, page.name) == (200, "landing")
    assert project.name in page.text
    assert (form.action, form.method) == (f"/{project.project_id}/assessment", "post")
    names = ["csrfmiddlewaretoken", "token", "language", "consent"]
    assert [control["name"] for control in form.inputs] == names
    assert form.filled["token"] == token_of(url)
    box = form.inputs[-1]
    assert (box["type"], box["value"], "checked" in box) == ("checkbox", "yes", False)
    headers = page.response.headers
    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "strict-origin"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert set(browser.cookies) == {"csrftoken"}
    cookie = browser.client.cookies["csrftoken"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


@pytest.mark.parametrize("data", [{}, {"start": "again"}, {"consent": "", "start": "again"}])
def test_without_consent_the_link_stays_unused_and_one_more_press_starts(
    project, browser, rows, data
):
    """A robot that sends the form by script ticks no box."""
    link, url = issue(project)
    before = rows(*STORED)

    page = browser.send(browser.open(url), data)

    assert (page.status, page.name) == (400, "landing")
    assert 'id="consent-error"' in page.text
    assert page.text.count("<title>Error:") == 1
    assert rows(*STORED) == before
    assert "attempt" not in browser.cookies

    assert browser.press(page, {"consent": "yes"}).name == "section"
    link.refresh_from_db()
    assert link.attempt is not None


@pytest.mark.parametrize(("months", "said"), [(1, "after 1 month."), (6, "after 6 months.")])
def test_the_notice_says_the_projects_own_months_and_the_attempt_keeps_them(
    project, browser, other_browser, months, said
):
    project.retention_months = months
    project.save()
    page = browser.open(issue(project)[1])

    browser.press(page, {"consent": "yes"})

    attempt = Attempt.objects.get()
    assert f"They are deleted {said}" in page.text
    assert attempt.retention_months == months
    assert attempt.consent_version.removesuffix(" en") in page.text
    # A page that may start another attempt or continue this one names the longer time.
    project.retention_months = 2
    project.save()
    again = other_browser.open(issue(project)[1])
    assert f"They are deleted after {max(months, 2)} months." in again.text


@pytest.mark.parametrize(
    ("levels", "promised"),
    [
        ([], None),
        (["degree"] * 6, None),
        (["class-12"] * 3 + ["degree"] * 3, "up to 3, with reasons"),
        ([""] * 9, "up to 5, with reasons"),
    ],
)
def test_it_promises_the_courses_that_the_catalogue_can_give_and_reads_none_of_them(
    project, browser, levels, promised
):
    rows = [
        {"code": str(n), "name": f"Course {n}", "fields": ["nature"], "entry_level": level}
        for n, level in enumerate(levels)
    ]
    Catalogue(project).load(rows, by=BY)
    _, url = issue(project)

    with CaptureQueriesContext(connection) as queries:
        page = browser.open(url)

    assert ("with reasons" in page.text) is ("courses that suit you" in page.text) is bool(promised)
    assert (promised or "Your result") in page.text
    about_courses = [each["sql"] for each in queries if "assessments_c" in each["sql"]]
    assert len(about_courses) == 1
    assert '"courses"' not in about_courses[0]


AFTER = (
    *(".", ")", ",", "*", "_", ">", "%20", "%0A", "%0D%0A", "\u0964", "%E0%A5%A4", "%E2%80%8B"),
    *("&utm_source=x", "&fbclid=x&language=hi", "A", "/", "'"),
)
SPELLINGS = ("assessment/", "Assessment", "ASSESSMENT/")


def test_what_chats_append_and_other_spellings_of_a_link_change_nothing(project):
    for number, after in enumerate([*AFTER, *SPELLINGS]):
        link, url = issue(project, email=f"s{number}@example.com")
        if after in SPELLINGS:
            after, url = "", url.replace("assessment?", f"{after}?")
        assert Browser().start(url + after).place == "/1", url
        link.refresh_from_db()
        assert link.used_at is not None


def test_an_attempt_that_ends_during_the_start_is_not_offered_again(
    project, browser, attempt, monkeypatch
):
    link, url = issue(project)
    page = browser.open(url)
    attempt.abandon()
    # It ends after the last look before it is continued.
    looks = iter([attempt, attempt, None])
    monkeypatch.setattr(AssessmentLink, "attempt_to_continue", lambda *_: next(looks))

    again = browser.send(page, {"consent": "yes", "start": "continue"})

    assert (again.status, again.name) == (409, "landing")
    assert page.form.filled["attempt"] == attempt.assessment_id
    assert "attempt" not in again.form.filled
    link.refresh_from_db()
    assert link.used_at is None


STUDENT = {"name": "Asha Padmini", "email": "secret@example.net", "mobile": "+91 91234 56789"}
WHY = "sent to a wrong address"
PERSONAL = ("Asha", "Padmini", "secret@", "91234", "56789", WHY, "lnk_", "asm_", " of 44")
WELL_FORMED = "A" * 22
PHONE = "Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36"


def expire(link):
    by = timedelta(days=3)
    AssessmentLink.objects.update(issued_at=F("issued_at") - by, expires_at=F("expires_at") - by)


EVENTS = {
    "nothing": lambda link: None,
    "completed": lambda link: marked_completed(Attempt.objects.get()),
    "left": lambda link: Attempt.objects.get().abandon(),
    "expired": expire,
    "project closed": lambda link: link.project.close(by=BY),
    "cancelled": lambda link: link.cancel(reason=WHY, by=BY),
}


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("is_started", "happens", "state", "heading"),
    [
        (True, "nothing", "in-use", "This link is open in another browser"),
        (True, "completed", "finished", "This assessment is finished"),
        (True, "left", "ended", "This attempt has ended"),
        (False, "expired", "expired", "This link is no longer valid"),
        (False, "project closed", "closed", "This assessment is closed"),
        (False, "cancelled", "cancelled", "This link was cancelled"),
    ],
)
def test_neither_the_link_opens_nor_start_on_a_page_that_was_open_before(
    project, rows, is_started, happens, state, heading
):
    link, url = issue(project, **STUDENT)
    browser = Browser(HTTP_USER_AGENT=PHONE)
    landing = browser.open(url)
    if is_started:
        Browser(HTTP_USER_AGENT=PHONE).start(url)
    EVENTS[happens](link)
    before = rows(Attempt, AssessmentLink)

    pages = [browser.get(url), browser.send(landing, {"consent": "yes"})]

    for page in pages:
        assert (page.status, page.name, page.heading) == (410, "link-unavailable", heading)
        assert page.forms == []
        assert project.name in page.text
        assert page.response.headers["Cache-Control"] == "no-store"
        assert not [word for word in PERSONAL if word in page.text]
    assert "attempt" not in browser.cookies
    assert rows(Attempt, AssessmentLink) == before
    fetches = link.events.order_by("number").values_list("kind", "what")
    assert list(fetches) == [("opened", ""), ("refused", state)]


NO_LINKS = [
    *("/{id}/assessment", f"/{{id}}/assessment?token={WELL_FORMED}", "/{id}/assessment?token="),
    *("/{id}/assessment?token=%ED%A0%80", f"/{{id}}/assessment?token={quote('अ' * 22)}"),
    *("/{id}/assessment?token={cut}", f"/{{id}}/assessment?token={'A' * 8192}"),
    f"/{{id}}/assessment?token={WELL_FORMED}&token={WELL_FORMED}",
    *("/{id}/assessment?token={token}&token={token}", "/{id}/assessment?token={digest}"),
    f"/{{id}}/assessment?token={WELL_FORMED}%00",
    f"/prj_AAAAAAAAAAAAAAA%00/assessment?token={WELL_FORMED}",
    f"/prj_AAAAAAAAAAAAAAAA/assessment?token={WELL_FORMED}",
    f"/prj_AAAAAAAAAAAAAAAA/assessment/?token={WELL_FORMED}",
    f"/partner/assessment?token={WELL_FORMED}",
    *("/{id}/assessment/0000000001", "/{id}/assessment/१"),
]


def test_what_is_no_link_is_a_404_page(project, browser):
    link, url = issue(project)
    token = token_of(url)
    ours = {"id": project.project_id, "token": token, "cut": token[:-1]}
    for path in NO_LINKS:
        page = browser.get(path.format(**ours, digest=link.token_digest[:22]))

        assert (page.status, page.forms) == (404, []), path
        assert page.name == ("" if path.startswith("/partner") else "error-404")
        assert page.response.headers["Cache-Control"] == "no-store"
    assert link.state_at() == "unused"


def guess(project_id, number=0, address="192.0.2.1"):
    return Browser(address=address).get(f"/{project_id}/assessment?token={number:022}")


# The limit counts by the minute, so the clock is stopped during the tries.
@time_machine.travel(1_780_000_000, tick=False)
def test_guessing_is_slowed_down_for_an_address_but_not_for_others(project):
    pages = [guess(project.project_id, number) for number in range(33)]

    assert [page.status for page in pages] == [404] * 30 + [429] * 3
    assert pages[-1].name == "error-429"
    assert 1 <= int(pages[-1].response.headers["Retry-After"]) <= 60
    assert guess(project.project_id, address="192.0.2.2").status == 404
