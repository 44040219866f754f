"""Endpoints are set up, changed, given new secrets and switched off, by staff on their pages."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import override_settings
from django.utils import timezone
from standardwebhooks import Webhook

from assessments.models import WebhookEndpoint, WebhookEvent
from assessments.webhooks import endpoints
from assessments.webhooks.endpoint_admin import state_in_words
from assessments.webhooks.endpoints import SendResult, validate_url
from partners.models import AuditEvent, Refused
from tests.assessments.attempts import started
from tests.assessments.webhooks.endpoints import URL, set_up
from tests.factories import BY
from tests.support.admin_forms import opened

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
BASE = "/admin/assessments/webhookendpoint/"

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def endpoint(project):
    return set_up(project, at=AT)


def actions():
    events = AuditEvent.objects.filter(action__startswith="webhook.").order_by("pk")
    return [action.removeprefix("webhook.") for action in events.values_list("action", flat=True)]


@pytest.mark.sqlite
def test_an_address_that_we_do_not_send_to_is_refused():
    for url in (
        *("http://hooks.example.com/", "https://hooks.example.com:8443/", "ftp://example.com/"),
        *("https://user:word@hooks.example.com/", "https://hooks.example.com/#x", "https://", ""),
        *("https://hooks.example.com/a b", "https://hooks.example.com/\n", "hooks.example.com"),
        *("https://बिल्ली.example.com/", "https://127.0.0.1:9000/", "http://10.0.0.1/"),
        *("http://127.0.0.1.example.com/", "http://127.0.0.1@example.com/"),
        *("https://127.0.0.1/", "https://10.0.0.1/x", "https://[::1]/", "https://localhost/"),
    ):
        with pytest.raises(ValidationError):
            validate_url(url)


def test_a_new_and_the_previous_secret_sign_during_the_overlap(endpoint):
    first, now = endpoint.secret, timezone.now()

    endpoint.rotate_secret(overlap=DAY, seen_version=1, by=BY)

    endpoint.refresh_from_db()
    assert endpoint.secret != first
    assert endpoint.secrets_at(now + DAY) == [endpoint.secret, first]
    assert endpoint.secrets_at(now + 2 * DAY) == [endpoint.secret]
    with pytest.raises(Refused):
        endpoint.rotate_secret(overlap=DAY, seen_version=1, by=BY)  # sent twice
    endpoint.rotate_secret(overlap=timedelta(0), seen_version=2, by=BY)
    endpoint.refresh_from_db()
    assert endpoint.secrets_at(now) == [endpoint.secret]
    assert actions() == ["set_up", *["secret_rotated"] * 2]


def test_each_key_endpoint_and_version_has_another_secret_and_none_is_stored(
    endpoint, other_project, rows
):
    secrets = set()
    for each in (endpoint, set_up(other_project)):
        for each.secret_version in (1, 2):
            for key in ("k" * 50, "x" * 50):
                with override_settings(WEBHOOK_KEY=key):
                    secrets.add(each.secret)

    assert not any(secret.removeprefix("whsec_") in str(rows()) for secret in secrets)
    assert len(secrets) == 8
    assert {len(Webhook(secret)._whsecret) for secret in secrets} == {32}


def test_switching_off_and_on_is_done_once(endpoint):
    event = WebhookEvent.objects.send_test(endpoint, at=AT, by=BY)

    endpoint.switch_off(reason="moving", at=AT, by=BY)
    with pytest.raises(Refused):
        endpoint.switch_off(reason="moving", at=AT, by=BY)
    event.refresh_from_db()
    assert event.queued_at is None
    assert not WebhookEndpoint.objects.off_by_failure().exists()

    endpoint.switch_on(by=BY)
    with pytest.raises(Refused):
        endpoint.switch_on(by=BY)
    endpoint.refresh_from_db()
    assert endpoint.is_on
    assert actions() == ["set_up", "test_sent", "switched_off", "switched_on"]


@pytest.mark.parametrize(
    ("failing_for", "since_last_try", "pause"),
    [
        *((0, 0, 5), (5, 0, 5), (60, 0, 60), (300, 0, 300), (86400, 86400, 300)),
        *((3 * 86400 - 1, 0, 300), (3 * 86400, 0, None)),
        (4 * 86400, 86401, 5),  # no deliverer ran
    ],
)
def test_an_endpoint_that_fails_is_left_alone_and_after_three_days_switched_off(
    endpoint, monkeypatch, failing_for, since_last_try, pause
):
    monkeypatch.setattr(endpoints, "jitter", lambda: 1)
    since, paused = (AT - timedelta(seconds=each) for each in (failing_for, since_last_try))
    WebhookEndpoint.objects.update(failing_since=since, paused_until=paused)

    endpoint.failed(AT, SendResult(503, "status"), by=BY)

    endpoint.refresh_from_db()
    assert endpoint.is_on is (pause is not None)
    if pause is not None:
        assert endpoint.paused_until == AT + timedelta(seconds=pause)


@pytest.mark.usefixtures("bank")
@pytest.mark.parametrize(
    ("failing_for", "queued_before", "tries"),
    [(299, 0, 3), (300, 0, 0), (300, 299, 0), (300, 301, 3), (0, 0, 3)],
)
def test_tries_in_an_outage_of_five_minutes_do_not_count(
    endpoint, project, failing_for, queued_before, tries
):
    started(project, AT).abandon(AT)
    since = AT - timedelta(seconds=failing_for)
    endpoint.failing_since = since if failing_for else None
    endpoint.save()
    WebhookEvent.objects.update(tries=3, queued_at=since - timedelta(seconds=queued_before))

    endpoint.succeeded(AT)

    assert WebhookEvent.objects.get().tries == tries
    endpoint.refresh_from_db()
    assert endpoint.failing_since is None


def test_a_call_that_fails_beside_another_prolongs_the_pause_and_never_shortens_it(endpoint):
    for retry_after, status in ((0, 503), (3600, 429), (0, 503)):
        endpoint.failed(AT, SendResult(status, "status", timedelta(seconds=retry_after)), by=BY)

    endpoint.refresh_from_db()
    assert endpoint.paused_until >= AT + timedelta(hours=1)


@pytest.mark.usefixtures("bank")
@pytest.mark.parametrize(("paused_for", "next_try"), [(None, "10:05"), (HOUR, "10:30")])
def test_the_next_try_is_when_the_event_is_due_and_the_pause_over(
    endpoint, project, paused_for, next_try
):
    started(project, AT).abandon(AT)
    WebhookEvent.objects.update(tries=3, last_status=500, last_error="status")
    WebhookEndpoint.objects.update(paused_until=paused_for and AT + paused_for)

    event = WebhookEvent.objects.get()

    assert state_in_words(event, "UTC").endswith(f"next try 21 Nov 2026, {next_try} UTC")


def test_of_two_deliverers_who_meet_a_410_one_switches_the_endpoint_off(endpoint):
    seen = [WebhookEndpoint.objects.get(pk=endpoint.pk) for _ in range(2)]

    for each in seen:
        each.failed(AT, SendResult(410, "status"), by=BY)

    [off] = WebhookEndpoint.objects.off_by_failure()
    assert (off.is_on, "410" in off.switched_off_why) == (False, True)
    assert actions() == ["set_up", "switched_off"]


@pytest.fixture
def support(staff):
    return staff(roles=("Support",))


def page(client, endpoint):
    return client.get(f"{BASE}{endpoint.pk}/change/").content.decode()


def test_set_up_shows_the_secret_only_once(support, project, rows):
    address = f"{BASE}set-up/?project={project.project_id}"
    assert address in support.get(f"/admin/partners/project/{project.pk}/change/").content.decode()
    assert support.get(address).status_code == 200

    answer = support.post(address, {"url": URL, "sends_completed": "on", "sends_reference": "on"})
    again = support.post(address, {"url": f"{URL}/2"}).content.decode()

    endpoint = WebhookEndpoint.objects.get()
    assert endpoint.secret in answer.content.decode()
    assert "no-store" in answer.headers["Cache-Control"]
    for place in (page(support, endpoint), again, str(rows()), str(dict(support.session))):
        assert "whsec_" not in place
    assert endpoint.url == URL
    assert (endpoint.sends_completed, endpoint.sends_abandoned) == (True, False)
    assert (endpoint.sends_expired_links, endpoint.sends_reference) == (False, True)


@pytest.mark.parametrize(
    ("url", "key", "said"),
    [("https://hooks.example.com:8443/", "k" * 50, "port 443"), (URL, "", "WEBHOOK_KEY is empty")],
)
def test_a_wrong_address_or_no_key_is_an_error_of_the_form(
    support, project, settings, url, key, said
):
    settings.WEBHOOK_KEY = key

    answer = support.post(f"{BASE}set-up/?project={project.project_id}", {"url": url})

    assert said in answer.content.decode()
    assert not WebhookEndpoint.objects.exists()


@pytest.mark.usefixtures("bank")
def test_each_button_acts_and_a_replay_waits_for_switching_on(support, project):
    endpoint = set_up(project, at=timezone.now() - timedelta(hours=1))

    def press(what, **changes):
        address = f"{BASE}{endpoint.pk}/{what}/"
        form = opened(support, address)
        assert support.post(address, form.sent(changes)).status_code == 302
        return form

    press("edit", url=f"{URL}/new", sends_completed=None, sends_expired_links="on")
    endpoint.refresh_from_db()
    assert endpoint.url == f"{URL}/new"
    assert (endpoint.sends_completed, endpoint.sends_expired_links) == (False, True)
    press("test")
    assert WebhookEvent.objects.get().event_id in page(support, endpoint)
    press("switch-off", reason="moving house")
    started(project).abandon()
    event = WebhookEvent.objects.get(kind="assessment.abandoned")
    of_project = f"/admin/partners/project/{project.pk}/change/"
    off = page(support, endpoint)
    for said in (
        *("moving house", "1 event was not delivered", str(event.attempt), of_project),
        state_in_words(event, project.time_zone),
    ):
        assert said in off
    assert "Webhooks are switched off" in support.get(of_project).content.decode()
    assert f"{BASE}{endpoint.pk}/replay/" not in off
    assert support.post(f"{BASE}{endpoint.pk}/replay/").status_code == 302
    assert not WebhookEvent.objects.queued().exists()
    press("switch-on")
    press("replay")
    assert WebhookEvent.objects.queued().get() == event
    acts = "set_up changed test_sent switched_off switched_on replayed"
    assert actions() == acts.split()
    assert AuditEvent.objects.latest("pk").actor.startswith("staff:")
