from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client

from assessments.models import Assessment, ItemBank, recent
from partners.models import Project
from tests.assessments.attempts import issue
from tests.assessments.link_actions import RIGHTS, VIEW
from tests.assessments.partner import Backend
from tests.factories import ProjectFactory, staff_with
from tests.support.browser import Browser
from tests.support.server import SMALL_BANK

COMMAND = "command:tests"


def forget_everything() -> None:
    caches["limits"].clear()
    ItemBank.cached.cache_clear()
    recent.forget()


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    """Forget counters and banks: tests share an address, and primary keys are used again."""
    forget_everything()
    yield
    forget_everything()


@pytest.fixture(scope="session")
def small_bank() -> dict[str, Any]:
    """Give the content of a small bank file. Never change it: take a deep copy."""
    data: dict[str, Any] = json.loads(SMALL_BANK.read_bytes())
    return data


@pytest.fixture
def bank(db: None, small_bank: dict[str, Any]) -> ItemBank:
    """Give the small bank, published and current as if it had shipped."""
    # Before any time that a test names, whenever the test runs.
    at = datetime(2026, 1, 1, tzinfo=UTC)
    bank, _ = ItemBank.objects.publish(small_bank, shipped=True, at=at, actor=COMMAND)
    bank.make_current(at=at, actor=COMMAND)
    return bank


@pytest.fixture
def project(db: None) -> Project:
    return ProjectFactory.create()


@pytest.fixture
def other_project(db: None) -> Project:
    return ProjectFactory.create()


@pytest.fixture
def backend(project: Project) -> Backend:
    return Backend.of(project)


@pytest.fixture
def browser() -> Browser:
    return Browser()


@pytest.fixture
def other_browser() -> Browser:
    return Browser()


@pytest.fixture
def attempt(bank: ItemBank, project: Project, browser: Browser) -> Assessment:
    """Give an attempt, begun in `browser`, without an answer."""
    browser.start(issue(project)[1])
    return Assessment.objects.get()


@pytest.fixture
def support(db: None) -> Client:
    """Give a browser of support, which may act on links and attempts."""
    client = Client()
    client.force_login(staff_with(*VIEW, *(f"assessments.{right}" for right in RIGHTS)))
    return client
