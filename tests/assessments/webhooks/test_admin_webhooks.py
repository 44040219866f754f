"""Support sets up webhooks and looks after them; the secret is shown once."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from assessments.models import WebhookEndpoint, WebhookEvent
from partners.models import AuditEvent, Project
from staff import roles
from tests.assessments.attempts import started
from tests.assessments.webhooks.endpoints import URL, WHO, set_up
from tests.factories import staff_as
from tests.support.admin_forms import edit

BASE = "/admin/assessments/webhookendpoint/"

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def client_as(role: str) -> Client:
    client = Client()
    client.force_login(staff_as(role))
    return client


@pytest.fixture
def support(db: None) -> Client:
    return client_as(roles.SUPPORT)


@pytest.fixture
def endpoint(project: Project) -> WebhookEndpoint:
    return set_up(project, at=timezone.now() - timedelta(hours=1))


def page(client: Client, endpoint: WebhookEndpoint) -> str:
    return client.get(f"{BASE}{endpoint.pk}/change/").content.decode()


def act(client: Client, endpoint: WebhookEndpoint, what: str, **data: Any) -> Any:
    address = f"{BASE}{endpoint.pk}/{what}"
    assert client.get(address).status_code in (200, 302)
    return client.post(address, data)


def test_set_up_shows_the_secret_once_and_nowhere_else(support: Client, project: Project) -> None:
    address = f"{BASE}set-up/?project={project.pk}"
    assert address in support.get(f"/admin/partners/project/{project.pk}/change/").content.decode()

    assert support.get(address).status_code == 200
    answer = support.post(address, {"url": URL, "sends_completed": "on", "sends_reference": "on"})

    endpoint = WebhookEndpoint.objects.get()
    assert endpoint.secret in answer.content.decode()
    assert "no-store" in answer.headers["Cache-Control"]
    assert (endpoint.sends_completed, endpoint.sends_abandoned) == (True, False)
    assert (endpoint.sends_expired_links, endpoint.sends_reference) == (False, True)
    assert "whsec_" not in page(support, endpoint)
    assert "whsec_" not in str(list(AuditEvent.objects.values()))
    assert "whsec_" not in str(dict(support.session))

    again = support.post(address, {"url": f"{URL}/2"})
    assert "whsec_" not in again.content.decode()
    assert WebhookEndpoint.objects.get().url == URL


@pytest.mark.parametrize(
    ("url", "key", "said"),
    [("https://hooks.example.com:8443/", "k" * 50, "port 443"), (URL, "", "WEBHOOK_KEY is empty")],
)
def test_what_is_wrong_is_said_on_the_form(
    support: Client, project: Project, settings: Any, url: str, key: str, said: str
) -> None:
    settings.WEBHOOK_KEY = key

    answer = support.post(f"{BASE}set-up/?project={project.pk}", {"url": url})

    assert said in answer.content.decode()
    assert not WebhookEndpoint.objects.exists()


def test_changing_address_and_events(support: Client, endpoint: WebhookEndpoint) -> None:
    changes = {"url": f"{URL}/new", "sends_completed": None, "sends_expired_links": "on"}
    edit(support, f"{BASE}{endpoint.pk}/edit/", changes)

    endpoint.refresh_from_db()
    assert endpoint.url == f"{URL}/new"
    assert (endpoint.sends_completed, endpoint.sends_expired_links) == (False, True)
    assert AuditEvent.objects.get(action="webhook.changed").actor.startswith("staff:")


def test_a_new_secret_is_shown_once(support: Client, endpoint: WebhookEndpoint) -> None:
    address, data = f"{BASE}{endpoint.pk}/secret/", {"overlap": "1", "seen": "1"}
    assert 'name="seen" value="1"' in support.get(address).content.decode()

    answer = support.post(address, data)
    twice = support.post(address, data)

    endpoint.refresh_from_db()
    assert endpoint.secret_version == 2
    assert endpoint.secret in answer.content.decode()
    assert "no-store" in answer.headers["Cache-Control"]
    assert twice.status_code == 302


@pytest.mark.usefixtures("bank")
def test_events_are_listed_with_their_outcome_and_sent_again(
    support: Client, endpoint: WebhookEndpoint, project: Project
) -> None:
    act(support, endpoint, "test/")
    assert WebhookEvent.objects.get().event_id in page(support, endpoint)
    WebhookEvent.objects.all().delete()
    started(project).abandon()
    event = WebhookEvent.objects.get()
    assert "waits to be sent" in page(support, endpoint)
    assert event.lease()
    assert "being sent" in page(support, endpoint)
    event.finish(500, "status", actor=WHO)
    shown = page(support, endpoint)
    assert "try 1 failed: the receiver answered with another status than 2xx (500)" in shown
    assert str(event.assessment) in shown
    event.lease(timezone.now() + timedelta(minutes=1))
    event.finish(204, actor=WHO)
    assert re.search(r"delivered today .* \(204\)", page(support, endpoint))

    since = timezone.localtime() - timedelta(days=1)
    act(support, endpoint, "replay/", since=f"{since:%Y-%m-%dT%H:%M}", also_delivered="on")

    event.refresh_from_db()
    assert (event.delivered_at, event.tries) == (None, 0)
    assert event.next_try_at


@pytest.mark.usefixtures("bank")
def test_stored_events_are_sent_after_switching_on(
    support: Client, endpoint: WebhookEndpoint, project: Project
) -> None:
    act(support, endpoint, "switch-off/", reason="moving house")
    started(project).abandon()
    off = page(support, endpoint)
    assert f"/admin/partners/project/{project.pk}/change/" in off
    for said in ("moving house", "1 event was not delivered", "stored while webhooks were off"):
        assert said in off
    of_project = support.get(f"/admin/partners/project/{project.pk}/change/").content.decode()
    assert "Webhooks are switched off" in of_project
    there = WebhookEvent.objects.get().created_at.astimezone(ZoneInfo(project.time_zone))
    since = f"{there:%Y-%m-%dT%H:%M}"
    assert f'value="{since}"' in support.get(f"{BASE}{endpoint.pk}/replay/").content.decode()
    act(support, endpoint, "replay/", since=since)
    assert not WebhookEvent.objects.queued().exists()

    act(support, endpoint, "switch-on/")
    act(support, endpoint, "replay/", since=since)

    assert WebhookEvent.objects.queued().count() == 1
    audited = AuditEvent.objects.filter(action__startswith="webhook.").order_by("pk")
    assert list(audited.values_list("action", flat=True))[1:] == [
        *("webhook.switched_off", "webhook.switched_on", "webhook.replayed")
    ]


def test_an_auditor_sees_webhooks_and_changes_nothing(
    endpoint: WebhookEndpoint, project: Project
) -> None:
    auditor = client_as(roles.AUDITOR)

    assert "Newest events" in page(auditor, endpoint)
    assert f"{BASE}{endpoint.pk}/test/" not in page(auditor, endpoint)
    for what in ("edit/", "secret/", "test/", "replay/", "switch-off/", "switch-on/"):
        assert auditor.post(f"{BASE}{endpoint.pk}/{what}").status_code == 403
    assert auditor.get(f"{BASE}set-up/?project={project.pk}").status_code == 403


@pytest.mark.parametrize("project", ["", "x", "0", "9" * 30])
def test_a_set_up_without_a_project_is_a_404(support: Client, project: str) -> None:
    assert support.get(f"{BASE}set-up/?project={project}").status_code == 404
