"""Banks in the back office: their state, making one current, retiring one."""

from __future__ import annotations

import copy
import html
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from assessments.models import ItemBank
from partners.models import AuditEvent, Project
from tests.assessments.attempts import started
from tests.factories import staff_with

COMMAND = "command:tests"
VIEW = ("assessments.view_item", "assessments.view_itembank")
PUBLISH = (*VIEW, "assessments.publish_itembank")

pytestmark = pytest.mark.django_db


@pytest.fixture
def other(bank: ItemBank, small_bank: dict[str, Any]) -> ItemBank:
    """Give a second bank, with another key."""
    data = copy.deepcopy(small_bank) | {"version": "own-1"}
    puzzle = next(item for item in data["items"] if item["code"] == "apt-series-01")
    puzzle["key"] = puzzle["key"] % 3 + 1
    return ItemBank.objects.publish(data, actor=COMMAND)[0]


def staff(*rights: str) -> Client:
    client = Client()
    client.force_login(staff_with(*rights))
    return client


def url(name: str, *args: Any) -> str:
    return reverse(f"admin:assessments_itembank_{name}", args=args)


def text(response: HttpResponse) -> str:
    assert response.status_code == 200
    return html.unescape(response.content.decode())


def act(client: Client, name: str, bank: ItemBank, reason: str = "Pilot is over") -> Any:
    return client.post(url(name, bank.pk), {"reason": reason}, follow=True)


def test_the_list_says_which_is_current_and_which_is_retired(
    bank: ItemBank, other: ItemBank, small_bank: dict[str, Any]
) -> None:
    third, _ = ItemBank.objects.publish({**small_bank, "version": "own-2"}, actor=COMMAND)
    third.retire(actor=COMMAND)

    listed = text(staff(*VIEW).get(url("changelist")))

    for words in ("never used", "retired", f">{len(bank.items)}<", "English", "shipped with"):
        assert words in listed
    assert listed.count('class="state live"') == 1


def test_a_bank_is_made_current_after_a_reason(
    bank: ItemBank, project: Project, other: ItemBank
) -> None:
    client = staff(*PUBLISH)

    client.get(url("make_current", other.pk))
    assert ItemBank.objects.current() == bank

    act(client, "make_current", other)

    assert ItemBank.objects.current() == other
    assert started(project).bank == other
    event = AuditEvent.objects.about(other).get(action="bank.made_current")
    assert event.reason == "Pilot is over"
    assert event.actor.startswith("staff:")


def test_a_bank_is_retired_after_a_reason(
    bank: ItemBank, project: Project, other: ItemBank
) -> None:
    client = staff(*PUBLISH)
    started(project)
    act(client, "make_current", other)

    asked = text(client.get(url("retire", bank.pk)))
    done = text(act(client, "retire", bank))

    bank.refresh_from_db()
    assert "This cannot be undone" in asked
    assert bank.is_retired
    assert url("make_current", bank.pk) not in done
    assert AuditEvent.objects.about(bank).get(action="bank.retired").reason == "Pilot is over"


@pytest.mark.parametrize("act_name", ["make_current", "retire"])
def test_without_a_reason_nothing_is_done(bank: ItemBank, other: ItemBank, act_name: str) -> None:
    shown = text(act(staff(*PUBLISH), act_name, other, reason=" "))

    other.refresh_from_db()
    assert "This field is required." in shown
    assert (other.retired_at, other.made_current_at) == (None, None)


def test_a_bank_made_current_meanwhile_is_not_retired(
    bank: ItemBank, other: ItemBank, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bank is made current after the page was shown and before it is retired."""
    real = ItemBank.retire

    def slow(self: ItemBank, **kwargs: Any) -> bool:
        ItemBank.objects.get(pk=self.pk).make_current(actor="staff:2")
        return real(self, **kwargs)

    monkeypatch.setattr(ItemBank, "retire", slow)

    shown = text(act(staff(*PUBLISH), "retire", other))

    other.refresh_from_db()
    assert "Bank own-1 is the current one. Make another bank current first" in shown
    assert not other.is_retired
