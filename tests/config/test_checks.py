"""What `manage.py check` says of the settings."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from config.checks import address_is_https, limits_need_one_counter


@pytest.mark.parametrize(
    ("workers", "redis", "ids"),
    [(0, "", []), (1, "", []), (2, "", ["config.E001"]), (2, "redis://h/0", [])],
)
def test_several_workers_without_redis_are_an_error(
    settings: Settings, workers: int, redis: str, ids: list[str]
) -> None:
    settings.WEB_CONCURRENCY = workers
    settings.REDIS_URL = redis

    messages = limits_need_one_counter()

    assert [message.id for message in messages] == ids


@pytest.mark.parametrize(("https", "ids"), [(True, []), (False, ["config.W001"])])
def test_a_deployment_on_http_is_warned_of(settings: Settings, https: bool, ids: list[str]) -> None:
    settings.SECURE_COOKIES = https

    messages = address_is_https()

    assert [message.id for message in messages] == ids
