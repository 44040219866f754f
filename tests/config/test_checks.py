"""What `manage.py check` says of the settings."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from config.checks import address_is_https, webhooks_have_a_key
from tests.assessments.webhooks.endpoints import set_up
from tests.factories import ProjectFactory


@pytest.mark.parametrize(("https", "ids"), [(True, []), (False, ["config.W001"])])
def test_a_deployment_on_http_is_warned_of(settings: Settings, https: bool, ids: list[str]) -> None:
    settings.SECURE_COOKIES = https

    messages = address_is_https()

    assert [message.id for message in messages] == ids


@pytest.mark.django_db
def test_webhooks_without_a_key_are_warned_of(settings: Settings) -> None:
    settings.WEBHOOK_KEY = ""
    assert webhooks_have_a_key(databases=["default"]) == []
    settings.WEBHOOK_KEY = "k" * 50
    set_up(ProjectFactory.create())
    assert webhooks_have_a_key(databases=["default"]) == []
    settings.WEBHOOK_KEY = ""

    assert [message.id for message in webhooks_have_a_key(databases=["default"])] == ["config.W002"]
    assert webhooks_have_a_key() == []
