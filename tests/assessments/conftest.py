from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import caches

from assessments.management.commands.load_items import SHIPPED
from assessments.models import ItemBank
from partners.models import Project
from tests.assessments.browser import Browser
from tests.assessments.partner import Backend
from tests.factories import ProjectFactory

COMMAND = "command:tests"


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    """Forget counters and banks: tests share an address, and primary keys are used again."""
    caches["limits"].clear()
    ItemBank.cached.cache_clear()
    yield
    caches["limits"].clear()
    ItemBank.cached.cache_clear()


@pytest.fixture(scope="session")
def shipped_bank() -> dict[str, Any]:
    """Give the content of the bank file that ships. Never change it: take a deep copy."""
    data: dict[str, Any] = json.loads(SHIPPED.read_bytes())
    return data


@pytest.fixture
def bank(db: None, shipped_bank: dict[str, Any]) -> ItemBank:
    """Give the shipped bank, published and current."""
    bank, _ = ItemBank.objects.publish(shipped_bank, shipped=True, actor=COMMAND)
    bank.make_current(actor=COMMAND)
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
