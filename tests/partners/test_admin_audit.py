from __future__ import annotations

import pytest
from django.test import Client

from partners.models import AuditEvent
from tests.factories import ProjectFactory, UserFactory, staff_with

pytestmark = pytest.mark.django_db
URL = "/admin/partners/auditevent/"


@pytest.fixture
def event() -> AuditEvent:
    priya = UserFactory.create(username="priya")
    return AuditEvent.record(
        "project.closed",
        ProjectFactory.create(),
        reason="unpaid",
        actor=f"staff:{priya.pk}",
        address="192.0.2.1",
    )


def test_it_is_read_with_names(event: AuditEvent) -> None:
    client = Client()
    client.force_login(staff_with("partners.view_auditevent"))

    listing = client.get(URL, {"action": "project.closed", "q": event.object_id})
    page = client.get(f"{URL}{event.pk}/change/")

    for answer in (listing, page):
        text = answer.content.decode()
        for words in ("priya", "project.closed", event.object_id, "unpaid", "192.0.2.1"):
            assert words in text


def test_a_superuser_can_not_write_it(event: AuditEvent) -> None:
    client = Client()
    client.force_login(UserFactory.create(is_superuser=True))
    before = AuditEvent.objects.values().get()

    statuses = [
        client.get(f"{URL}add/").status_code,
        client.post(f"{URL}add/", {"action": "x"}).status_code,
        client.post(f"{URL}{event.pk}/change/", {"action": "x"}).status_code,
        client.post(f"{URL}{event.pk}/delete/", {"post": "yes"}).status_code,
    ]
    client.post(URL, {"action": "delete_selected", "_selected_action": event.pk})

    assert statuses == [403] * 4
    assert AuditEvent.objects.values().get() == before


def test_it_needs_its_right(event: AuditEvent) -> None:
    client = Client()
    client.force_login(staff_with("tokens.view_accesstoken"))

    assert client.get(URL).status_code == 403
