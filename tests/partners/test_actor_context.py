from __future__ import annotations

import pytest
from django.test import RequestFactory

from partners.actor_context import command_actor, staff_actor
from tests.factories import UserFactory


@pytest.mark.django_db
def test_staff_act_from_their_address() -> None:
    request = RequestFactory().post("/")
    request.user = UserFactory.create()
    request.client_address = "192.0.2.1"
    request.request_id = "r-1"

    actor = staff_actor(request)

    assert actor == {
        "actor": f"staff:{request.user.pk}",
        "address": "192.0.2.1",
        "request_id": "r-1",
    }


def test_a_command_acts_for_its_login(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "deploy")

    assert command_actor() == {"actor": "command:deploy"}
