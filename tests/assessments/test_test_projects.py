"""Test projects: their tokens, magic addresses and pages; in no figures, and soon deleted."""

import json
from datetime import timedelta
from functools import partial
from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from django.contrib import admin
from django.core.management import call_command
from django.utils import timezone

from assessments.figures.counts import count_by_day
from assessments.management.completed_attempts import _completed
from assessments.models import (
    Assessment,
    AssessmentLink,
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
from tests.assessments.partner import (
    DETAIL,
    LINK,
    MAGIC,
    RESULTS,
    STATUS,
    Backend,
    assert_problem,
)
from tests.assessments.purging import purge
from tests.factories import CourseFactory, ProjectFactory, issued_token
from tests.support.browser import Browser
from tests.support.threads import race
from tokens import crypto
from tokens.models import AccessToken

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WHO = "command:tests"
URL = "https://partner.example/webhooks"

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def sandbox(bank):
    project = ProjectFactory.create(is_test=True)
    CourseFactory.create_batch(6, project=project)
    return project


@pytest.fixture
def tests(sandbox):
    return Backend.of(sandbox)


def ask(api, **fields):
    """Ask for a link. Return its path."""
    url = api.read(LINK, **fields)["redirect-url"]
    return url.removeprefix("http://testserver")


def is_marked(response):
    return test_traffic.MARK in response.wsgi_request.META


@pytest.mark.sqlite
def test_tokens_of_a_test_project_say_so_also_after_a_rotation(sandbox, project):
    token, _ = issued_token(sandbox)
    successor, secret = token.rotate(actor=WHO)

    assert crypto.TOKEN_ID.fullmatch(token.token_id)
    ids = [each.token_id for each in (token, successor, issued_token(project)[0])]
    assert [each.startswith("tok_test_") for each in ids] == [True, True, False]
    assert crypto.split_header(f"{successor}:{secret}") == (successor.token_id, secret)


def test_a_form_that_chose_the_id_beforehand_makes_one_token(sandbox):
    chosen = crypto.new_token_id()
    token, _ = AccessToken.objects.issue(sandbox, token_id=chosen, actor=WHO)

    assert token.token_id == crypto.for_test_project(chosen)
    assert AccessToken.objects.of_form(chosen).get() == token
    with pytest.raises(Exception, match="exists already"):
        AccessToken.objects.issue(sandbox, token_id=chosen, actor=WHO)


@pytest.mark.parametrize(
    ("name", "state", "advice", "statuses"),
    [
        ("completed", "started", "completed-unread", ["Completed"]),
        ("abandoned", "started", "left", ["Abandoned"]),
        ("inprogress", "started", "in-progress", ["InProgress"]),
        ("loweffort", "started", "completed-unread", ["Completed"]),
        ("expired", "expired", "expired-unopened", []),
    ],
)
def test_a_magic_address_brings_its_state_about_at_once(tests, name, state, advice, statuses):
    email = f"{name.title()}@Example.com"

    link = tests.link(email=email)

    assert list(json.loads(link.content)) == ["redirect-url"]
    found = tests.read(STATUS, email=email)
    [shown] = found["Links"]
    assert shown["LinkId"] == link.headers["X-Link-Id"]
    assert (shown["State"], shown["Advice"]) == (state, advice)
    assert [each["Status"] for each in found["Assessments"]] == statuses


@pytest.mark.parametrize(("name", "effort"), [("completed", "ok"), ("loweffort", "low")])
def test_its_result_is_a_real_one(tests, name, effort):
    before = timezone.now()
    tests.link(email=f"{name}@example.com")

    [record] = tests.read(RESULTS, email=f"{name}@example.com")

    attempt, courses = Assessment.objects.get(), tests.project.courses
    assert set(record["Recommendations"]) <= set(courses.values_list("name", flat=True))
    assert len(record["Recommendations"]) == 5
    assert tests.read(DETAIL, AssessmentId=record["AssessmentId"])["Effort"] == effort
    assert attempt.completed_at is not None
    assert attempt.completed_at >= before
    assert attempt.read_answers().answered_count == attempt.content.layout.total
    call_command("rescore", attempt.assessment_id, stdout=StringIO(), stderr=StringIO())


def test_another_call_makes_another_attempt_and_leaves_an_open_one(tests):
    for _ in range(2):
        tests.link(email="inprogress@example.com")

    assert Assessment.objects.open().count() == 2


@pytest.mark.sqlite
def test_simulated_refusals_are_the_usual_ones_and_make_nothing(tests, caplog):
    limited = tests.link(email="ratelimited@example.com")
    failed = tests.link(email="error@example.com")

    assert_problem(limited, 429, "rate_limited")
    assert limited.headers["Retry-After"] == "60"
    assert limited.headers["RateLimit"] == '"get-redirect-url";r=0;t=60'
    assert "support" in assert_problem(failed, 500, "internal_error")["detail"]
    assert failed.headers["Retry-After"] == "2"
    assert not Student.objects.exists()
    # It is no error in the log.
    [record] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert not without_simulated_errors(record)
    record.request.META.pop("assess.is_simulated")  # type: ignore[attr-defined]
    assert without_simulated_errors(record)


def test_in_a_live_project_they_are_ordinary_addresses(api, bank):
    for address in MAGIC:
        ask(api, email=address)

    links = AssessmentLink.objects.filter(expires_at__gt=timezone.now())
    assert links.count() == len(MAGIC)
    assert not Assessment.objects.exists()


def test_beyond_a_number_of_attempts_it_is_a_429_until_the_first_is_a_day_old(tests, monkeypatch):
    monkeypatch.setattr(magic_addresses, "AT_MOST_A_DAY", 2)
    statuses = [tests.link(email="abandoned@example.com").status_code for _ in range(3)]
    refused = tests.link(email="completed@example.com")
    ordinary = tests.link(email="expired@example.com")
    Assessment.objects.update(started_at=timezone.now() - DAY - HOUR)
    again = tests.link(email="completed@example.com")

    assert statuses == [200, 200, 429]
    assert_problem(refused, 429, "rate_limited")
    assert 23 * 3600 < int(refused.headers["Retry-After"]) <= 24 * 3600
    assert (ordinary.status_code, again.status_code) == (200, 200)


@pytest.mark.django_db(transaction=True)
def test_calls_at_once_do_not_pass_the_limit_of_a_day(sandbox, monkeypatch):
    monkeypatch.setattr(magic_addresses, "AT_MOST_A_DAY", 1)
    callers = [Backend.of(sandbox) for _ in range(4)]

    answers = race([partial(each.link, email="abandoned@example.com") for each in callers])

    assert sorted(each.status_code for each in answers) == [200, 429, 429, 429]
    assert Assessment.objects.count() == 1


def figures(bank):
    """Return every figure that attempts and links are counted in."""
    recent.forget()
    today = timezone.localdate(timezone=ZoneInfo("Asia/Kolkata"))
    return {
        "days": count_by_day(Project.objects.all(), today, today),
        "live": live_counts.live_counts(),
        "recent": recent.count(bank),
        "norms": _completed([bank]).count(),
    }


def test_test_traffic_is_in_no_figures(tests, api, bank, browser):
    ask(api)
    browser.finish(browser.start(ask(api, email="b@college.example")))
    before = figures(bank)

    for address in (*magic_addresses.ATTEMPTS, magic_addresses.EXPIRED, "a@college.example"):
        ask(tests, email=address)

    assert Assessment.objects.count() == 5
    assert figures(bank) == before


def test_test_rows_go_after_seven_days_and_live_ones_stay(tests, api):
    for address in ("completed@example.com", "inprogress@example.com", "expired@example.com"):
        ask(tests, email=address)
    ask(tests)
    ask(api)
    at = timezone.now()

    early, late = purge(at + 3 * DAY), purge(at + 7 * DAY)

    gone = {"unused links": 2, "attempts": 2, "students": 4}
    assert (early, late) == ({}, {tests.project.project_id: gone})
    assert Student.objects.get().project == api.project


def test_every_student_page_says_test_on_top_and_is_marked(tests, api, browser):
    live, url = ask(api), ask(tests)

    pages = [browser.open(url)]
    pages.append(browser.press(pages[0], {"consent": "yes"}))
    while pages[-1].name in {"section", "question"}:
        pages.append(browser.go_on(pages[-1]))
    pages.append(Browser().open(url))

    assert [page.name for page in pages[-2:]] == ["result", "link-unavailable"]
    assert all("Test: nothing counts" in page.text for page in pages)
    assert all(is_marked(page.response) for page in pages)
    others = [Browser().open(live), Browser().start(live)]
    assert not any("nothing counts" in page.text for page in others)
    assert not any(is_marked(page.response) for page in others)


def test_the_kind_of_a_project_can_be_chosen_but_not_changed(sandbox):
    page = ProjectAdmin(Project, admin.site)

    assert "is_test" in page.get_readonly_fields(None, sandbox)  # type: ignore[arg-type]
    assert "is_test" not in page.get_readonly_fields(None, None)  # type: ignore[arg-type]
    assert "test" in str(sandbox)


def test_onboarding_makes_a_test_project_with_a_test_token(bank):
    out = StringIO()
    arguments = ("onboard_partner", "College", "--project", "Tests", "--test", "--json")
    call_command(*arguments, stdout=out, stderr=StringIO())

    made = json.loads(out.getvalue())
    assert Project.objects.get(project_id=made["projectId"]).is_test
    assert made["TokenId"].startswith("tok_test_")


def test_webhooks_of_test_projects_raise_no_alert(sandbox, project, settings):
    settings.WEBHOOK_KEY = "k" * 32
    at = timezone.now()
    off = {"failing_since": at - 3 * DAY, "switched_off_at": at, "switched_off_why": "HTTP 500"}
    found = []

    for each in (sandbox, project):
        endpoint = WebhookEndpoint.objects.set_up(each, URL, actor=WHO)
        started(each).abandon()
        waiting = WebhookEvent.objects.queue(at + DAY).waiting
        WebhookEndpoint.objects.filter(pk=endpoint.pk).update(**off)
        gauges = {gauge.name: gauge.samples for gauge in metrics.states()}
        found.append((waiting, gauges["assess_webhooks_switched_off"][0].value))

    assert found == [(0, 0), (1, 1)]


def test_a_real_error_of_a_test_project_is_in_the_log(tests, caplog, monkeypatch):
    monkeypatch.setattr(magic_addresses, "issue", None)

    assert tests.link(email="completed@example.com").status_code == 500
    [record] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert record.exc_info
    assert without_simulated_errors(record)


def test_every_call_of_a_test_project_that_names_its_token_is_marked(tests, settings):
    settings.LINK_RATE_PER_MINUTE = 2
    answers = [
        tests.link(),
        tests.post(LINK, b"{"),
        tests.link(),
        tests.results(projectId="prj_AAAAAAAAAAAAAAAA"),
    ]
    tests.token.revoke(actor=WHO)
    answers.append(tests.results())

    assert [each.status_code for each in answers] == [200, 400, 429, 401, 401]
    assert [is_marked(each) for each in answers] == [True] * 5


def test_a_marked_call_is_not_counted(tests, api, settings, monkeypatch):
    seen = []
    monkeypatch.setattr(metrics, "observe", lambda *call: seen.append(call[:2]))
    settings.METRICS_TOKEN = "x" * 32

    def application(environ, start_response):
        environ |= marks
        start_response("500 Internal Server Error", [])
        return []

    for made, expected in ((tests, 0), (api, 1)):
        answered = made.link(email="error@example.com").wsgi_request.META  # type: ignore[attr-defined]
        marks = {name: answered[name] for name in answered if name.startswith("assess.")}
        environ = {"REQUEST_METHOD": "POST", "PATH_INFO": LINK}
        metrics.counted(application)(environ, lambda *line: lambda data: None)
        assert len(seen) == expected
