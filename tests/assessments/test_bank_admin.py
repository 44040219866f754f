"""Banks and items in the admin: lists, making current, retiring, items as students see them."""

import copy
import html

import pytest
from django.urls import reverse

from assessments.models import ItemBank
from partners.models import AuditEvent
from tests.assessments.attempts import started
from tests.assessments.page_states import FIGURES
from tests.factories import BY

VIEW = ("assessments.view_item", "assessments.view_itembank")

pytestmark = pytest.mark.django_db


@pytest.fixture
def other(bank, small_bank):
    data = copy.deepcopy(small_bank) | {"version": "own-1"}
    puzzle = next(item for item in data["items"] if item["code"] == "apt-series-01")
    puzzle["key"] = puzzle["key"] % 3 + 1
    return ItemBank.objects.publish(data, by=BY)[0]


def url(name, *args):
    return reverse(f"admin:assessments_{name}", args=args)


def text(response):
    assert response.status_code == 200
    return " ".join(html.unescape(response.content.decode()).split())


def act(client, name, bank, reason="Pilot is over"):
    address = url(f"itembank_{name}", bank.pk)
    return text(client.post(address, {"reason": reason}, follow=True))


def test_a_bank_is_made_current_and_the_old_one_retired_after_a_reason(bank, project, other, staff):
    publisher = staff(*VIEW, "assessments.publish_itembank")
    publisher.get(url("itembank_make_current", other.pk))
    assert ItemBank.objects.current() == bank

    act(publisher, "make_current", other)
    assert ItemBank.objects.current() == other
    assert started(project).bank == other

    assert "cannot be undone" in text(publisher.get(url("itembank_retire", bank.pk)))
    done = act(publisher, "retire", bank)
    bank.refresh_from_db()
    assert bank.is_retired
    assert url("itembank_make_current", bank.pk) not in done

    for row, action in ((other, "bank.made_current"), (bank, "bank.retired")):
        event = AuditEvent.objects.about(row).latest("pk")
        assert (event.action, event.reason) == (action, "Pilot is over")
        assert event.actor.startswith("staff:")


def test_a_bank_made_current_meanwhile_is_not_retired(other, staff, monkeypatch):
    publisher = staff(*VIEW, "assessments.publish_itembank")
    real = ItemBank.retire

    def retire_late(self, **kwargs):
        ItemBank.objects.get(pk=self.pk).make_current(by=BY)
        return real(self, **kwargs)

    monkeypatch.setattr(ItemBank, "retire", retire_late)

    assert "Make another bank current first" in act(publisher, "retire", other)
    other.refresh_from_db()
    assert not other.is_retired


def test_an_item_looks_as_students_see_it_with_the_key(small_bank, staff):
    viewer = staff(*VIEW)
    data = copy.deepcopy(small_bank) | {"version": "own-1"}
    item = next(item for item in data["items"] if item.get("family") == "series")
    item |= {"passage": {"en": ["About <b>cups</b>."]}, "figure": FIGURES["table"]}
    bank, _ = ItemBank.objects.publish(data, by=BY)
    row = bank.item_set.get(code=item["code"])

    assert url("item_preview", row.pk) in text(viewer.get(url("item_change", row.pk)))
    page = viewer.get(url("item_preview", row.pk)).content.decode()

    assert "student.css" in page
    assert "About &lt;b&gt;cups&lt;/b&gt;." in page
    assert "<caption>Cups sold</caption>" in page
    assert page.count('type="radio"') == len(row.options)
    assert page.count("checked") == 1  # the key
    assert "<form" not in page
    assert "<button" not in page
