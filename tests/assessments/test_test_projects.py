"""Test projects: their tokens, magic addresses and pages; in no figures, and soon deleted."""

from __future__ import annotations

import json
from datetime import timedelta
from functools import partial
from io import StringIO
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings as django_settings
from django.contrib import admin
from django.core.management import call_command
from django.test import override_settings
from django.utils import timezone
from pytest_django import Settings

from assessments.figures.counts import count_by_day
from assessments.management.completed_attempts import _completed
from assessments.models import (
    Assessment,
    AssessmentLink,
    ItemBank,
    Student,
    live_counts,
    magic_addresses,
    recent,
)
from assessments.webhooks.models import WebhookEndpoint, WebhookEvent
from config import metrics
from config.logging import without_simulated_errors
from partners import test_traffic
from partners.admin import ProjectAdmin
from partners.models import Project
from tests.assessments.attempts import started
from tests.assessments.partner import DETAIL, LINK, MAGIC, RESULTS, STATUS, Backend, assert_problem
from tests.assessments.purging import purge
from tests.factories import CourseFactory, ProjectFactory, issued_token
from tests.support.browser import Browser
from tests.support.threads import race
from tokens import crypto
from tokens.models import AccessToken

DAY = timedelta(days=1)
WHO = "command:tests"
URL = "https://partner.example/webhooks"

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def sandbox(bank: ItemBank) -> Project:
    project = ProjectFactory.create(is_test=True)
    CourseFactory.create_batch(6, project=project)
    return project


@pytest.fixture
def tests(sandbox: Project) -> Backend:
    return Backend.of(sandbox)


def answer(api: Backend, path: str, **fields: Any) -> Any:
    response = api.post(path, api.body(path, **fields))
    assert response.status_code == 200, response.content
    return json.loads(response.content)


# --- tokens


def test_tokens_of_a_test_project_say_so_also_after_a_rotation(sandbox: Project) -> None:
    token, _ = issued_token(sandbox)
    successor, secret = token.rotate(actor=WHO)

    assert crypto.TOKEN_ID.fullmatch(token.token_id)
    assert token.token_id.startswith("tok_test_")
    assert successor.token_id.startswith("tok_test_")
    assert crypto.split_header(f"{successor}:{secret}") == (successor.token_id, secret)
    assert not issued_token(ProjectFactory.create())[0].token_id.startswith("tok_test_")


def test_a_form_that_chose_the_id_beforehand_makes_one_token(sandbox: Project) -> None:
    chosen = crypto.new_token_id()
    token, _ = AccessToken.objects.issue(sandbox, token_id=chosen, actor=WHO)

    assert token.token_id == crypto.for_test_project(chosen)
    assert AccessToken.objects.of_form(chosen).get() == token
    with pytest.raises(Exception, match="exists already"):
        AccessToken.objects.issue(sandbox, token_id=chosen, actor=WHO)


# --- magic addresses


STATES = {
    "completed": ("started", "Completed", "completed-unread"),
    "abandoned": ("started", "Abandoned", "left"),
    "inprogress": ("started", "InProgress", "in-progress"),
    "loweffort": ("started", "Completed", "completed-unread"),
    "expired": ("expired", None, "expired-unopened"),
}


@pytest.mark.parametrize("name", STATES)
def test_a_magic_address_brings_its_state_about_at_once(tests: Backend, name: str) -> None:
    email = f"{name.title()}@Example.com"

    link = tests.link(email=email)

    state, status, advice = STATES[name]
    told = answer(tests, STATUS, email=email)
    assert list(json.loads(link.content)) == ["redirect-url"]
    assert [each["LinkId"] for each in told["Links"]] == [link.headers["X-Link-Id"]]
    assert [(each["State"], each["Advice"]) for each in told["Links"]] == [(state, advice)]
    assert [each["Status"] for each in told["Assessments"]] == ([status] if status else [])


@pytest.mark.parametrize(("name", "effort"), [("completed", "ok"), ("loweffort", "low")])
def test_its_result_is_a_real_one(tests: Backend, name: str, effort: str) -> None:
    before = timezone.now()
    tests.link(email=f"{name}@example.com")

    [record] = answer(tests, RESULTS, email=f"{name}@example.com")
    detail = answer(tests, DETAIL, AssessmentId=record["AssessmentId"])

    attempt = Assessment.objects.get()
    courses = set(tests.project.courses.values_list("name", flat=True))
    assert set(record["Recommendations"]) <= courses
    assert len(record["Recommendations"]) == 5
    assert detail["Effort"] == effort
    assert attempt.completed_at is not None
    assert attempt.completed_at >= before
    assert attempt.read_answers().answered_count == attempt.content.layout.total
    out = StringIO()
    call_command("rescore", attempt.assessment_id, stdout=out, stderr=StringIO())


def test_another_call_makes_another_attempt_and_leaves_an_open_one(tests: Backend) -> None:
    for _ in range(2):
        tests.link(email="inprogress@example.com")

    assert Assessment.objects.open().count() == 2


def test_refusals_are_the_usual_ones_and_make_nothing(tests: Backend) -> None:
    limited = tests.link(email="ratelimited@example.com")
    failed = tests.link(email="error@example.com")

    assert_problem(limited, 429, "rate_limited")
    assert limited.headers["Retry-After"] == "60"
    assert limited.headers["RateLimit"] == '"get-redirect-url";r=0;t=60'
    body = assert_problem(failed, 500, "internal_error")
    assert failed.headers["Retry-After"] == "2"
    assert "support" in body["detail"]
    assert not Student.objects.exists()


def test_in_a_live_project_they_are_ordinary_addresses(api: Backend, bank: ItemBank) -> None:
    for address in MAGIC:
        assert api.link(email=address).status_code == 200

    links = AssessmentLink.objects.all()
    assert links.count() == len(MAGIC)
    assert not Assessment.objects.exists()
    assert not links.filter(expires_at__lte=timezone.now()).exists()


def test_beyond_a_thousand_a_day_it_is_a_429_until_the_first_is_a_day_old(
    tests: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(magic_addresses, "AT_MOST_A_DAY", 2)
    statuses = [tests.link(email="abandoned@example.com").status_code for _ in range(3)]
    refused = tests.link(email="completed@example.com")
    ordinary = tests.link(email="expired@example.com")
    Assessment.objects.update(started_at=timezone.now() - DAY - timedelta(hours=1))
    again = tests.link(email="completed@example.com")

    assert statuses == [200, 200, 429]
    assert_problem(refused, 429, "rate_limited")
    assert 23 * 3600 < int(refused.headers["Retry-After"]) <= 24 * 3600
    assert (ordinary.status_code, again.status_code) == (200, 200)


# --- figures, deletion


def figures(bank: ItemBank) -> dict[str, Any]:
    """Return every figure that attempts and links are counted in."""
    recent.forget()
    now, today = live_counts.live_counts(), timezone.localdate(timezone=ZoneInfo("Asia/Kolkata"))
    return {
        "days": count_by_day(Project.objects.all(), today, today),
        "live": (now.links, now.links_last_hour, now.attempts, now.attempts_last_hour),
        "recent": recent.count(bank),
        "norms": _completed([bank]).count(),
    }


def test_test_traffic_is_in_no_figures(tests: Backend, api: Backend, bank: ItemBank) -> None:
    api.link()
    browser = Browser()
    url = json.loads(api.link(email="b@college.example").content)["redirect-url"]
    browser.finish(browser.start(url.removeprefix("http://testserver")))
    before = figures(bank)

    for address in ("completed", "abandoned", "inprogress", "loweffort", "expired"):
        tests.link(email=f"{address}@example.com")
    tests.link()

    assert Assessment.objects.count() == 5
    assert figures(bank) == before


def test_test_rows_go_after_seven_days_and_live_ones_stay(tests: Backend, api: Backend) -> None:
    for address in ("completed", "inprogress", "expired"):
        tests.link(email=f"{address}@example.com")
    tests.link()
    api.link()
    at = timezone.now()

    early, late = purge(at + 3 * DAY), purge(at + 7 * DAY)

    assert early == {}
    assert late == {
        tests.project.project_id: {
            "unused links": 2,
            "attempts": 2,
            "students": 4,
        }
    }
    assert Student.objects.get().project == api.project


# --- pages and staff


def test_every_student_page_says_test_on_top(tests: Backend, api: Backend) -> None:
    live = json.loads(api.link().content)["redirect-url"].removeprefix("http://testserver")
    url = json.loads(tests.link().content)["redirect-url"].removeprefix("http://testserver")
    browser = Browser()

    pages = [browser.open(url)]
    pages.append(browser.press(pages[0], {"consent": "yes"}))
    while pages[-1].name in {"section", "question"}:
        pages.append(browser.go_on(pages[-1]))
    pages.append(Browser().open(url))

    assert [page.name for page in pages[-2:]] == ["result", "link-unavailable"]
    assert all("Test: nothing counts" in page.text for page in pages)
    assert "nothing counts" not in Browser().open(live).text


def test_the_kind_of_a_project_can_be_chosen_but_not_changed(sandbox: Project) -> None:

    page = ProjectAdmin(Project, admin.site)

    assert "is_test" in page.get_readonly_fields(None, sandbox)  # type: ignore[arg-type]
    assert "is_test" not in page.get_readonly_fields(None, None)  # type: ignore[arg-type]
    assert "test" in str(sandbox)


def test_onboarding_makes_a_test_project_with_a_test_token(bank: ItemBank) -> None:
    out = StringIO()
    call_command(
        *("onboard_partner", "College", "--project", "Tests", "--test", "--json"),
        stdout=out,
        stderr=StringIO(),
    )

    made = json.loads(out.getvalue())
    assert Project.objects.get(project_id=made["projectId"]).is_test
    assert made["TokenId"].startswith("tok_test_")


@override_settings(WEBHOOK_KEY="k" * 32)
def test_endpoints_of_tests_that_fail_raise_no_alert(sandbox: Project) -> None:
    at = timezone.now()
    for project in (sandbox, ProjectFactory.create()):
        endpoint = WebhookEndpoint.objects.set_up(project, URL, actor=WHO)
        off = {"failing_since": at - 3 * DAY, "switched_off_at": at, "switched_off_why": "HTTP 500"}
        WebhookEndpoint.objects.filter(pk=endpoint.pk).update(**off)

    found = {each.name: each for each in metrics.states()}
    assert found["assess_webhooks_switched_off"].samples[0].value == 1


def test_a_real_error_of_a_test_project_is_in_the_log(
    tests: Backend, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **details: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(magic_addresses, "issue", fail)

    assert tests.link(email="completed@example.com").status_code == 500
    [record] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert record.exc_info
    assert without_simulated_errors(record)


def test_every_call_of_a_test_project_that_names_its_token_is_marked(
    tests: Backend, settings: Settings
) -> None:
    def is_marked(response: Any) -> bool:
        return bool(response.wsgi_request.META.get(test_traffic.MARK))

    settings.LINK_RATE_PER_MINUTE = 2
    ok, bad = tests.link(), tests.post(LINK, b"{")
    limited = tests.link()
    wrong = tests.results(projectId="prj_AAAAAAAAAAAAAAAA")
    tests.token.revoke(actor=WHO)
    revoked = tests.results()

    answers = (ok, bad, limited, wrong, revoked)
    assert [each.status_code for each in answers] == [200, 400, 429, 401, 401]
    assert [is_marked(each) for each in answers] == [True] * 5


def test_pages_of_a_test_projects_student_are_marked(tests: Backend, api: Backend) -> None:
    for caller, expected in ((tests, True), (api, False)):
        browser = Browser()
        url = json.loads(caller.link().content)["redirect-url"].removeprefix(
            django_settings.APP_URL
        )
        landing = browser.get(url)
        for page in (landing, browser.start(url)):
            meta = page.response.wsgi_request.META
            assert (test_traffic.MARK in meta) is expected


def test_webhooks_of_test_projects_are_in_no_metric(sandbox: Project) -> None:
    WebhookEndpoint.objects.set_up(sandbox, URL, actor=WHO)
    started(sandbox).abandon()
    assert WebhookEvent.objects.queued().count() == 1

    queue = WebhookEvent.objects.queue(timezone.now() + DAY)

    assert (queue.waiting, queue.overdue) == (0, timedelta(0))


@pytest.mark.django_db(transaction=True)
def test_calls_at_once_do_not_pass_the_limit_of_a_day(
    bank: ItemBank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(magic_addresses, "AT_MOST_A_DAY", 1)
    project = ProjectFactory.create(is_test=True)
    CourseFactory.create_batch(6, project=project)
    callers = [Backend.of(project) for _ in range(4)]

    answers = race([partial(each.link, email="abandoned@example.com") for each in callers])

    assert sorted(each.status_code for each in answers) == [200, 429, 429, 429]
    assert Assessment.objects.count() == 1


def test_calls_of_a_test_project_are_marked_and_not_counted(
    tests: Backend, api: Backend, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[object] = []
    monkeypatch.setattr(metrics, "observe", lambda *call: seen.append(call[:2]))
    settings.METRICS_TOKEN = "x" * 32

    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        environ |= marks
        start_response("500 Internal Server Error", [])
        return []

    for made, expected in ((tests, 0), (api, 1)):
        answered = made.link(email="error@example.com").wsgi_request.META  # type: ignore[attr-defined]
        marks = {name: answered[name] for name in answered if name.startswith("assess.")}
        environ = {"REQUEST_METHOD": "POST", "PATH_INFO": "/partner/get-redirect-url"}
        metrics.counted(application)(environ, lambda *line: lambda data: None)
        assert len(seen) == expected


def test_a_simulated_error_is_no_error_in_the_log(
    tests: Backend, caplog: pytest.LogCaptureFixture
) -> None:
    tests.link(email="error@example.com")

    [record] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert not without_simulated_errors(record)
    record.request.META.pop("assess.is_simulated")  # type: ignore[attr-defined]
    assert without_simulated_errors(record)
