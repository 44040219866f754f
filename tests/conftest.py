"""Fixtures for all tests."""

from __future__ import annotations

from tests.support import set_up  # noqa: F401  Django needs it

# isort: split

import gc
import json
import os
from datetime import UTC, datetime
from pathlib import Path

import hypothesis
import pytest
import redis
from django.apps import apps
from django.core.cache import caches
from django.db import connection
from django.test import Client

from assessments.api.failure_log import LOG, FailureLog
from assessments.catalogue.catalogue import Catalogue
from assessments.catalogue.course_rows import parse
from assessments.made_up.demo import COURSES
from assessments.models import Attempt, ItemBank, bank_usage
from tests.assessments.attempts import issue
from tests.assessments.link_actions import RIGHTS, VIEW
from tests.assessments.partner import Backend
from tests.factories import BY, ProjectFactory, UserFactory, permission_row, staff_as
from tests.support.browser import Browser
from tests.support.redis_server import RedisServer
from tests.support.server import SMALL_BANK, service, start_service  # noqa: F401  fixtures

CHROMIUM = "/usr/bin/chromium"


# Speed is measured by the programs in bench/; a busy machine must not fail a test.
hypothesis.settings.register_profile("suite", deadline=None)
hypothesis.settings.load_profile("suite")


def pytest_addoption(parser):
    parser.addoption(
        "--times",
        type=int,
        default=1,
        help="how often to repeat races, hostile input and the model (docs/reliability.md)",
    )


@pytest.fixture(scope="session")
def times(pytestconfig):
    """Give how often to repeat what a slow test does."""
    return int(pytestconfig.getoption("times"))


def pytest_collection_finish():
    """Keep the garbage collector from looking through thousands of tests again and again."""
    gc.collect()
    gc.freeze()


def failed_if_skipped(report):
    """Let what would skip fail with REQUIRE_ALL=1: the build machine has all that is needed."""
    if os.environ.get("REQUIRE_ALL") == "1" and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but REQUIRE_ALL=1: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    return failed_if_skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    return failed_if_skipped((yield))


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Let a test with real transactions empty the audit trail behind it, as it does all tables."""
    with django_db_blocker.unblock():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(
                    "ALTER TABLE partners_auditevent DISABLE TRIGGER auditevent_never_emptied"
                )


@pytest.fixture(autouse=True)
def failure_log(monkeypatch):
    """Give the failures log without its thread, which would not see a test's transaction.

    A test calls `write` in its stead.
    """
    monkeypatch.setattr(FailureLog, "_start", lambda self: None)
    LOG._calls.clear()
    return LOG


def forget_everything():
    caches["limits"].clear()
    ItemBank.cached.cache_clear()
    bank_usage.count.cache_clear()


@pytest.fixture(autouse=True)
def _nothing_remembered():
    """Forget counters and banks: tests share an address, and primary keys are used again."""
    forget_everything()
    yield
    forget_everything()


@pytest.fixture(scope="session")
def small_bank():
    """Give the content of a small bank file. Never change it: take a deep copy."""
    return json.loads(SMALL_BANK.read_bytes())


@pytest.fixture
def bank(db, small_bank):
    """Give the small bank, published and current as if it had shipped."""
    # Before any time that a test names, whenever the test runs.
    at = datetime(2026, 1, 1, tzinfo=UTC)
    bank, _ = ItemBank.objects.publish(small_bank, shipped=True, by=BY)
    bank.make_current(at=at, by=BY)
    return bank


@pytest.fixture
def project(db):
    return ProjectFactory.create()


@pytest.fixture
def other_project(db):
    return ProjectFactory.create()


@pytest.fixture
def demo_catalogue(project):
    Catalogue(project).load(parse(COURSES.read_bytes()), by=BY)


@pytest.fixture
def api(project):
    return Backend.of(project)


@pytest.fixture
def browser():
    return Browser()


@pytest.fixture
def other_browser():
    return Browser()


@pytest.fixture
def attempt(bank, project, browser):
    """Give an attempt, begun in `browser`, without an answer."""
    browser.start(issue(project)[1])
    return Attempt.objects.get()


@pytest.fixture
def staff(db):
    """Give a function: the signed-in browser of a member of staff with these rights and roles.

    Rights are written as `tokens.issue_token`. `admin_client` is a superuser's.
    """

    def sign_in(*rights, roles=()):
        user = staff_as(*roles)
        user.user_permissions.set(permission_row(right) for right in rights)
        client = Client()
        client.force_login(user)
        return client

    return sign_in


@pytest.fixture
def support(staff):
    return staff(*VIEW, *(f"assessments.{right}" for right in RIGHTS))


@pytest.fixture
def rows(db):
    """Give a function: all that is stored now in the tables of these models, or of all of ours.

    A test that expects no change compares what it returns before and after.
    """

    def stored(*models):
        ours = [apps.get_app_config(app) for app in ("partners", "tokens", "assessments")]
        every = [model for app in ours for model in app.get_models()]
        return {
            model.__name__: list(model._base_manager.order_by("pk").values())
            for model in models or every
            if not model._meta.proxy
        }

    return stored


@pytest.fixture
def admin_user(db):
    """Give a superuser without a password: pytest-django's own takes half a second to hash one."""
    return UserFactory.create(is_superuser=True)


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory):
    """Give a running Redis: TEST_REDIS_URL's, else one started here from the path."""
    url = os.environ.get("TEST_REDIS_URL", "")
    server = RedisServer(tmp_path_factory.mktemp("redis"), url)
    if not url:
        server.start()
    yield server
    server.stop()


@pytest.fixture
def redis_url(redis_server):
    """Give the address of an empty Redis."""
    redis.Redis.from_url(redis_server.url).flushdb()
    return redis_server.url


@pytest.fixture(scope="session")
def chromium():
    """Give Debian's chromium, driven by playwright."""
    if not Path(CHROMIUM).exists():
        pytest.skip(f"there is no {CHROMIUM}")
    from playwright.sync_api import sync_playwright

    # playwright's synchronous calls run inside an event loop, where Django refuses its ORM
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-background-networking", "--no-first-run"],
        )
        yield chromium
        chromium.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
