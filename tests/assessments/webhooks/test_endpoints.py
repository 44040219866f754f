"""Endpoints are set up, changed, given new secrets, and switched off."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import override_settings
from django.utils import timezone
from standardwebhooks import Webhook

from assessments.models import WebhookEndpoint, WebhookEvent
from assessments.webhooks.models import validate_url
from partners.models import AuditEvent, Project
from tests.assessments.webhooks.endpoints import URL, WHO, set_up

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
DAY = timedelta(days=1)

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def again(endpoint: WebhookEndpoint) -> WebhookEndpoint:
    return WebhookEndpoint.objects.get(pk=endpoint.pk)


def actions() -> list[str]:
    return list(AuditEvent.objects.order_by("pk").values_list("action", flat=True))


def test_a_project_has_one_endpoint(project: Project) -> None:
    endpoint = set_up(project, at=AT)

    with pytest.raises(ValidationError):
        set_up(project, f"{URL}/2")

    assert again(endpoint).url == URL
    assert again(endpoint).is_on
    assert (endpoint.sends_completed, endpoint.sends_abandoned) == (True, True)
    assert (endpoint.sends_expired_links, endpoint.sends_reference) == (False, False)
    assert actions() == ["webhook.set_up"]


@override_settings(WEBHOOK_KEY="")
def test_without_a_key_nothing_is_set_up(project: Project) -> None:
    with pytest.raises(ValidationError, match="WEBHOOK_KEY"):
        set_up(project)

    assert not WebhookEndpoint.objects.exists()


@pytest.mark.parametrize(
    "url",
    [
        *("http://hooks.example.com/", "https://hooks.example.com:8443/", "ftp://example.com/"),
        *("https://user:word@hooks.example.com/", "https://hooks.example.com/#x", "https://", ""),
        *("https://hooks.example.com/a b", "https://hooks.example.com/\n", "hooks.example.com"),
        *("https://बिल्ली.example.com/", "https://127.0.0.1:9000/", "http://10.0.0.1/"),
        *("http://127.0.0.1.example.com/", "http://127.0.0.1@example.com/"),
    ],
)
def test_an_address_that_we_do_not_send_to_is_refused(url: str) -> None:
    with pytest.raises(ValidationError):
        validate_url(url)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_a_receiver_on_this_machine_needs_the_setting(host: str) -> None:
    validate_url(f"http://{host}:9000/hook")

    with override_settings(WEBHOOK_TEST_RECEIVER=False), pytest.raises(ValidationError):
        validate_url(f"http://{host}:9000/hook")


def test_a_new_secret_signs_beside_the_previous_one_during_the_overlap(project: Project) -> None:
    endpoint, now = set_up(project), timezone.now()
    first = endpoint.secret

    assert endpoint.rotate_secret(overlap=DAY, seen=1, actor=WHO)

    endpoint = again(endpoint)
    assert endpoint.secret != first
    assert endpoint.secrets_at(now + DAY) == [endpoint.secret, first]
    assert endpoint.secrets_at(now + 2 * DAY) == [endpoint.secret]
    assert not endpoint.rotate_secret(overlap=DAY, seen=1, actor=WHO)  # sent twice
    assert endpoint.rotate_secret(overlap=timedelta(0), seen=2, actor=WHO)
    assert again(endpoint).secrets_at(now) == [endpoint.secret]
    assert actions().count("webhook.secret_rotated") == 2


def test_each_key_endpoint_and_version_has_another_secret_and_none_is_stored(
    project: Project, other_project: Project
) -> None:
    secrets = set()
    for endpoint in (set_up(project), set_up(other_project)):
        stored = str(WebhookEndpoint.objects.filter(pk=endpoint.pk).values())
        for endpoint.secret_version in (1, 2):
            for key in ("k" * 50, "x" * 50):
                with override_settings(WEBHOOK_KEY=key):
                    secrets.add(endpoint.secret)
        assert not any(secret.removeprefix("whsec_") in stored for secret in secrets)

    assert len(secrets) == 8
    assert {len(Webhook(secret)._whsecret) for secret in secrets} == {32}


def test_changes_are_audited_by_name_and_not_by_value(project: Project) -> None:
    endpoint = set_up(project, at=AT)

    assert endpoint.change({"url": f"{URL}?key=hidden", "sends_reference": True}, actor=WHO)
    assert not endpoint.change({"sends_reference": True}, actor=WHO)

    event = AuditEvent.objects.get(action="webhook.changed")
    assert event.reason == "url, sends_reference"
    assert (event.object_id, event.project) == (endpoint.endpoint_id, project)
    with pytest.raises(ValidationError):
        endpoint.change({"url": "http://10.0.0.1/"}, actor=WHO)
    assert again(endpoint).url == f"{URL}?key=hidden"


def test_switching_off_and_on_is_done_once(project: Project) -> None:
    endpoint = set_up(project, at=AT)
    event = WebhookEvent.objects.send_test(endpoint, at=AT, actor=WHO)

    assert endpoint.switch_off(reason="moving", at=AT, actor=WHO)
    assert not endpoint.switch_off(reason="moving", at=AT, actor=WHO)
    event.refresh_from_db()
    assert event.next_try_at is None
    assert not WebhookEndpoint.objects.off_by_failure().exists()

    assert endpoint.switch_on(actor=WHO)
    assert not endpoint.switch_on(actor=WHO)
    assert again(endpoint).is_on
    assert actions() == [
        *("webhook.set_up", "webhook.test_sent", "webhook.switched_off", "webhook.switched_on")
    ]


@pytest.mark.parametrize(
    ("failing_for", "since_last_try", "pause"),
    [
        *((0, 0, 5), (5, 0, 5), (60, 0, 60), (300, 0, 300), (86400, 86400, 300)),
        *((3 * 86400 - 1, 0, 300), (3 * 86400, 0, None)),
        (4 * 86400, 86401, 5),  # no deliverer ran
    ],
)
def test_an_endpoint_that_fails_is_left_alone_and_after_three_days_switched_off(
    project: Project, failing_for: int, since_last_try: int, pause: int | None
) -> None:
    endpoint = set_up(project, at=AT)
    since, paused = (AT - timedelta(seconds=each) for each in (failing_for, since_last_try))
    WebhookEndpoint.objects.update(failing_since=since, paused_until=paused)

    endpoint.failed(AT, "503", actor=WHO)

    endpoint = again(endpoint)
    assert endpoint.is_on is (pause is not None)
    if pause is not None:
        assert endpoint.paused_until == AT + timedelta(seconds=pause)
