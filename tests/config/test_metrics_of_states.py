"""/metrics says what state links, attempts and components are in, and names nobody."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.http import HttpRequest
from django.test import RequestFactory
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from config import metrics
from partners.models import LastSuccess
from tests.assessments.attempts import DETAILS, issue
from tests.factories import ProjectFactory
from tokens import limits

Sample = tuple[str, str]


@pytest.fixture
def scraper(settings: Settings) -> HttpRequest:
    settings.METRICS_TOKEN = "x" * 32
    return RequestFactory().get("/metrics", headers={"Authorization": f"Bearer {'x' * 32}"})


def scraped(request: HttpRequest) -> dict[Sample, float]:
    """Return the gauges by name and the value of their one label."""
    text = metrics.metrics(request).content.decode()
    return {
        (sample.name, "".join(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        if family.type == "gauge"
        for sample in family.samples
    }


@pytest.mark.django_db
def test_a_limiter_that_is_down_is_named(
    scraper: HttpRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "store_is_healthy", lambda: False)

    found = scraped(scraper)

    assert found["assess_component_up", "limiter"] == 0
    assert found["assess_component_up", "database"] == 1


def test_without_its_database_it_says_so_and_counts_no_rows(
    scraper: HttpRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise OperationalError("could not connect to server db.internal as user svc")

    monkeypatch.setattr(connection, "ensure_connection", refuse)

    found = scraped(scraper)

    assert found["assess_component_up", "database"] == 0
    assert found["assess_component_up", "limiter"] == 1
    assert not any(name.startswith(("assess_links", "assess_attempts")) for name, _ in found)


@pytest.mark.django_db
def test_counts_that_take_too_long_are_left_out(
    scraper: HttpRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up() -> None:
        raise OperationalError("canceling statement due to statement timeout")

    monkeypatch.setattr("config.metrics.live_counts", give_up)

    found = scraped(scraper)

    assert found["assess_component_up", "database"] == 1
    assert not any(name.startswith(("assess_links", "assess_attempts")) for name, _ in found)


@pytest.mark.django_db
def test_nobody_is_named(scraper: HttpRequest) -> None:
    project = ProjectFactory.create()
    issue(project)

    text = metrics.metrics(scraper).content.decode()

    assert 'assess_links{state="waiting"} 1.0' in text
    for private in (
        *DETAILS.values(),
        project.project_id,
        project.name,
        project.partner.name,
        "tok_",
        "sec_",
        "127.0.0.1",
    ):
        assert private not in text


@pytest.mark.django_db
def test_each_task_says_when_it_succeeded_and_whether_it_is_late(scraper: HttpRequest) -> None:
    now = timezone.now()
    LastSuccess.objects.note("purge", now - timedelta(days=3))
    LastSuccess.objects.note("backup", now)

    found = scraped(scraper)

    succeeded = "assess_task_succeeded_timestamp_seconds"
    assert found[succeeded, "backup"] == pytest.approx(now.timestamp())
    assert found["assess_task_overdue", "purge"] == 1
    assert found["assess_task_overdue", "backup"] == 0
    # Nobody has webhooks, so nobody needs to deliver them.
    assert found["assess_task_overdue", "deliver_webhooks"] == 0
