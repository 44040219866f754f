"""The page behind a link: it says what is coming and changes nothing, whoever fetches it."""

from __future__ import annotations

import itertools

import pytest
from django.contrib.sessions.models import Session

from assessments.models import Assessment, AssessmentLink, ItemBank, Student
from partners.models import AuditEvent, Project
from tests.assessments.attempts import issue, token_of
from tests.support.browser import Browser

ROBOTS = [
    "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
    "WhatsApp/2.23.20",
    "Microsoft Office/16.0 (Windows NT 10.0; Safelinks)",
    "",
]
FETCHES = [
    ("get", {}),
    ("head", {}),
    ("options", {}),
    ("get", {"HTTP_RANGE": "bytes=0-99"}),
    ("get", {"HTTP_PURPOSE": "prefetch", "HTTP_SEC_PURPOSE": "prefetch"}),
    ("get", {"HTTP_ACCEPT": "*/*", "HTTP_ACCEPT_LANGUAGE": "hi"}),
]

pytestmark = [pytest.mark.sqlite, pytest.mark.usefixtures("bank")]


def rows() -> list[object]:
    return [
        list(model._default_manager.order_by("pk").values())
        for model in (Student, AssessmentLink, Assessment)
    ]


def test_it_has_one_form_with_a_box_that_is_not_ticked(project: Project, browser: Browser) -> None:
    _, url = issue(project)

    page = browser.get(url)

    form = page.form
    assert (page.status, page.name) == (200, "landing")
    assert project.name in page.text
    assert (form.action, form.method) == (f"/{project.project_id}/assessment", "post")
    assert form.filled["token"] == token_of(url)
    (box,) = [control for control in form.inputs if control.get("name") == "consent"]
    assert box["type"] == "checkbox"
    assert box["value"] == "yes"
    assert "checked" not in box
    assert [control["name"] for control in form.inputs] == [
        "csrfmiddlewaretoken",
        "token",
        "language",
        "consent",
    ]
    assert len(form.buttons) == 1


def test_it_shows_the_given_name_and_no_more_of_the_person(
    project: Project, browser: Browser
) -> None:
    _, url = issue(
        project, name="Asha Padmini Ramanathan", email="quiet@example.net", mobile="+91 91234 56789"
    )

    page = browser.get(url)

    assert "Asha" in page.text
    for hidden in ("Padmini", "Ramanathan", "quiet@", "91234", "56789"):
        assert hidden not in page.text


def test_fetching_it_a_hundred_times_changes_no_row(project: Project) -> None:
    _, url = issue(project)
    before = rows()
    events = AuditEvent.objects.count()
    client = Browser().client

    for number, (robot, (method, headers)) in enumerate(
        itertools.islice(itertools.cycle(itertools.product(ROBOTS, FETCHES)), 100)
    ):
        # a client of its own for each would take the middleware's loading a hundred times
        client.cookies.clear()
        who = {"REMOTE_ADDR": f"10.0.0.{number}", "HTTP_USER_AGENT": robot}
        response = getattr(client, method)(url, **who, **headers)
        assert response.status_code == (405 if method == "options" else 200)

    assert rows() == before
    assert Session.objects.count() == 0
    assert AuditEvent.objects.count() == events


@pytest.mark.parametrize("method", ["get", "head"])
def test_no_cache_keeps_it_and_no_site_learns_of_it(
    project: Project, browser: Browser, method: str
) -> None:
    _, url = issue(project)

    response = getattr(browser.client, method)(url)

    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Referrer-Policy"] == "strict-origin"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


def test_the_first_visit_sets_no_cookie_but_the_one_against_forgery(
    project: Project, browser: Browser
) -> None:
    _, url = issue(project)

    browser.get(url)

    assert set(browser.cookies) == {"csrftoken"}
    assert browser.client.cookies["csrftoken"]["httponly"]
    assert browser.client.cookies["csrftoken"]["samesite"] == "Lax"


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"start": "again"},
        {"consent": "", "start": "again"},
    ],
)
def test_without_consent_the_link_stays_unused_and_one_more_press_starts(
    project: Project, browser: Browser, data: dict[str, str]
) -> None:
    """L4: a robot that sends the form by script ticks no box."""
    link, url = issue(project)
    before = rows()

    page = browser.send(browser.open(url), data)

    assert page.status == 400
    assert page.name == "landing"
    assert 'id="consent-error"' in page.text
    assert page.text.count("<title>Error:") == 1
    assert rows() == before
    assert "attempt" not in browser.cookies

    assert browser.press(page, {"consent": "yes"}).name == "section"
    link.refresh_from_db()
    assert link.assessment is not None


def test_an_open_attempt_is_offered_with_its_progress(project: Project, browser: Browser) -> None:
    first, first_url = issue(project, name="Asha Rao")
    other = Browser()
    other.go_on(other.go_on(other.start(first_url)))
    _, url = issue(project, name="Bina Rao")

    page = browser.get(url)

    assert page.name == "landing"
    assert "6 of 44" in page.text
    assert "Welcome back, Bina" in page.text
    assert "Asha" not in page.text
    assert [(b.get("name"), b.get("value")) for b in page.form.buttons] == [
        ("start", "continue"),
        ("start", "again"),
    ]
    first.refresh_from_db()
    assert first.state_at() == "in-use"


@pytest.mark.parametrize(("months", "said"), [(1, "after 1 month."), (6, "after 6 months.")])
def test_the_notice_says_the_projects_own_months_and_the_attempt_keeps_them(
    project: Project, browser: Browser, months: int, said: str
) -> None:
    project.retention_months = months
    project.save()
    page = browser.open(issue(project)[1])

    browser.press(page, {"consent": "yes"})

    attempt = Assessment.objects.get()
    assert f"They are deleted {said}" in page.text
    assert attempt.retention_months == months
    assert attempt.consent_version in page.text
    assert attempt.consented_at is not None


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options", "trace"])
def test_other_methods_are_refused_and_change_nothing(project: Project, method: str) -> None:
    link, url = issue(project)
    before = rows()

    response = getattr(Browser().client, method)(url)

    # Django's check against forgery comes first for those that could change something
    assert response.status_code in {403, 405}
    assert rows() == before
    assert link.state_at() == "unused"


def test_without_a_current_bank_nothing_is_promised(
    project: Project, browser: Browser, bank: ItemBank
) -> None:
    """Every release publishes a bank first; if one is missing, it is a plain error page."""
    link, url = issue(project)
    ItemBank.objects.filter(pk=bank.pk).update(made_current_at=None)
    browser.client.raise_request_exception = False

    response = browser.client.get(url)

    assert response.status_code == 500
    link.refresh_from_db()
    assert link.used_at is None
