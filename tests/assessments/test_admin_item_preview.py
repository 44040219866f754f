"""Staff look at items as students see them, with the key."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from assessments.models import Item, ItemBank
from tests.assessments.hindi import in_both_languages
from tests.assessments.page_states import FIGURES
from tests.factories import staff_with

pytestmark = pytest.mark.django_db

CELLS = [{"kind": "cell", "cell": {"shape": shape}} for shape in ("star", "cross", "circle")]


@pytest.fixture
def bank(small_bank: dict[str, Any]) -> ItemBank:
    """Give the small bank with figures, a spare and an instructed statement in it."""
    data = copy.deepcopy(small_bank) | {"version": "own-1"}
    first, *others = [item for item in data["items"] if item.get("family") == "series"]
    first |= {"template": "by_turns", "radicals": {"steps": 2}, "seconds": 45}
    first |= {"passage": {"en": ["About <b>cups</b>."]}, "figure": FIGURES["table"]}
    others[0]["figure"] = FIGURES["matrix"]
    others[0]["options"] = [
        {"value": number, "label": {"en": "ABC"[number - 1]}, "figure": cell}
        for number, cell in enumerate(CELLS, start=1)
    ]
    others[1]["figure"] = FIGURES["bars"]
    data["items"][0]["spare"] = True
    data["items"][1] |= {"scale": "instructed", "expected": 4}
    bank, _ = ItemBank.objects.publish(data, actor="command:tests")
    return bank


@pytest.fixture
def staff() -> Client:
    client = Client()
    client.force_login(staff_with("assessments.view_item", "assessments.view_itembank"))
    return client


def series(bank: ItemBank, number: int) -> Item:
    return bank.item_set.get(code=f"apt-series-0{number}")


def preview(client: Client, item: Item) -> Any:
    return client.get(reverse("admin:assessments_item_preview", args=[item.pk]))


def test_an_item_looks_as_students_see_it(bank: ItemBank, staff: Client) -> None:
    page = preview(staff, series(bank, 1))

    html = page.content.decode()
    assert page.status_code == 200
    assert "student.css" in html
    assert "About &lt;b&gt;cups&lt;/b&gt;." in html
    assert "<caption>Cups sold</caption>" in html
    assert html.count('type="radio"') == len(series(bank, 1).options)
    assert html.count("checked") == 1  # the key
    assert "<form" not in html
    assert "<button" not in html


def test_staff_read_items_in_each_language_of_the_bank(
    small_bank: dict[str, Any], staff: Client
) -> None:
    data = in_both_languages(small_bank) | {"version": "own-2"}
    bank, _ = ItemBank.objects.publish(data, actor="command:tests")
    item = series(bank, 1)
    words = item.content["text"]

    page = preview(staff, item)
    in_english = page.content.decode()
    address = f"{page.request['PATH_INFO']}?language=hi"
    in_hindi = staff.get(address).content.decode()

    assert f'href="{address}"' in in_english
    assert words["en"] in in_english
    assert words["hi"] not in in_english
    assert words["hi"] in in_hindi
    assert '<html lang="hi"' in in_hindi
