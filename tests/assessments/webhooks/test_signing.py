"""Secrets are derived, and signatures are those of Standard Webhooks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from assessments.webhooks import models, sender

KEY = "a-key-of-a-test-0123456789-abcdefghijklmnopqrstuvwxyz"
ENDPOINT = "whk_AAAAaaaaBBBBbbbb"


def test_each_endpoint_version_and_key_has_another_secret() -> None:
    secrets = {
        models.secret_of(key, endpoint, version)
        for key in (KEY, f"{KEY}2")
        for endpoint in (ENDPOINT, "whk_CCCCccccDDDDdddd")
        for version in (1, 2)
    }

    assert len(secrets) == 8
    assert {len(Webhook(secret)._whsecret) for secret in secrets} == {32}


def test_a_receiver_verifies_with_the_library_by_either_secret() -> None:
    old, new = (models.secret_of(KEY, ENDPOINT, version) for version in (1, 2))
    headers = sender.headers_of("msg_1", '{"a":1}', [new, old], datetime.now(UTC))

    assert Webhook(old).verify('{"a":1}', headers) == {"a": 1}
    assert Webhook(new).verify('{"a":1}', headers) == {"a": 1}
    with pytest.raises(WebhookVerificationError):
        Webhook(new).verify('{"a":2}', headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(models.secret_of(KEY, ENDPOINT, 3)).verify('{"a":1}', headers)


def test_the_time_zone_of_the_clock_does_not_matter() -> None:
    secret = models.secret_of(KEY, ENDPOINT, 1)
    now = datetime.now(timezone(timedelta(hours=5, minutes=30)))

    assert Webhook(secret).verify("{}", sender.headers_of("msg_1", "{}", [secret], now)) == {}


def test_pauses_grow_over_three_days_and_end() -> None:
    pauses = [models.pause_after(tries) for tries in range(1, 10)]

    assert None not in pauses
    assert sorted(pauses, key=str) and pauses == sorted(p for p in pauses if p)
    assert sum((p for p in pauses if p), timedelta()) >= models.GIVE_UP_AFTER
    assert models.pause_after(10) is None


@pytest.mark.parametrize(
    ("failing_for", "pause"), [(0, 5), (5, 5), (60, 60), (300, 300), (86400, 300)]
)
def test_an_endpoint_that_fails_is_left_alone_for_at_most_five_minutes(
    failing_for: int, pause: int
) -> None:
    assert models.endpoint_pause(timedelta(seconds=failing_for)) == timedelta(seconds=pause)
