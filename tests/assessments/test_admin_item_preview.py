"""Staff look at items as students see them, with the key and what an item was made from."""

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


def sheet(client: Client, bank: ItemBank, scale: str) -> Any:
    return client.get(reverse("admin:assessments_itembank_sheet", args=[bank.pk, scale]))


def test_an_item_looks_as_students_see_it(bank: ItemBank, staff: Client) -> None:
    page = preview(staff, series(bank, 1))

    html = page.content.decode()
    assert page.status_code == 200
    assert "student.css" in html
    assert "About &lt;b&gt;cups&lt;/b&gt;." in html
    assert "<caption>Cups sold</caption>" in html
    assert html.count('type="radio"') == len(series(bank, 1).options)
    assert "<form" not in html
    assert "<button" not in html


def test_staff_read_the_key_and_what_made_the_item(bank: ItemBank, staff: Client) -> None:
    item = series(bank, 1)

    html = preview(staff, item).content.decode()

    assert f"key {item.key}, a {item.a}, b {item.b}, c {item.c}, by_turns, steps 2, 45 s" in html
    assert html.count("checked") == 1


@pytest.mark.parametrize("number", [2, 3])
def test_drawings_are_shown(bank: ItemBank, staff: Client, number: int) -> None:
    html = preview(staff, series(bank, number)).content.decode()

    assert 'class="drawing ' in html
    assert html.count('class="drawing cell"') == (3 if number == 2 else 0)


def test_a_sheet_has_all_items_of_a_family(bank: ItemBank, staff: Client) -> None:
    html = sheet(staff, bank, "series").content.decode()

    assert html.count("<fieldset") == 6
    for number in range(1, 7):
        assert f"<b>apt-series-0{number}</b>" in html


@pytest.mark.parametrize(
    ("scale", "said"),
    [
        ("realistic", "spare, not used"),
        ("instructed", "expects answer 4"),
        ("alone_group", "keyed -1"),
        ("patterns", "key "),
    ],
)
def test_there_are_sheets_of_statements_too(
    bank: ItemBank, staff: Client, scale: str, said: str
) -> None:
    assert said in sheet(staff, bank, scale).content.decode()


def test_staff_read_items_in_each_language_of_the_bank(
    small_bank: dict[str, Any], staff: Client
) -> None:
    data = in_both_languages(small_bank) | {"version": "own-2"}
    bank, _ = ItemBank.objects.publish(data, actor="command:tests")
    item = series(bank, 1)
    words = item.content["text"]

    for page in (preview(staff, item), sheet(staff, bank, "series")):
        in_english = page.content.decode()
        address = f"{page.request['PATH_INFO']}?language=hi"
        in_hindi = staff.get(address).content.decode()

        assert f'href="{address}"' in in_english
        assert words["en"] in in_english
        assert words["hi"] not in in_english
        assert words["hi"] in in_hindi
        assert '<html lang="hi"' in in_hindi


def test_of_a_bank_in_one_language_there_is_none_to_choose(bank: ItemBank, staff: Client) -> None:
    item = series(bank, 1)

    page = staff.get(f"{reverse('admin:assessments_item_preview', args=[item.pk])}?language=hi")

    assert "hreflang" not in page.content.decode()
    assert item.content["text"]["en"] in page.content.decode()


def test_pages_lead_to_previews_and_sheets(bank: ItemBank, staff: Client) -> None:
    item = series(bank, 1)

    of_item = staff.get(reverse("admin:assessments_item_change", args=[item.pk])).content.decode()
    of_bank = staff.get(reverse("admin:assessments_itembank_change", args=[bank.pk]))

    assert reverse("admin:assessments_item_preview", args=[item.pk]) in of_item
    assert "by_turns, steps 2, 45 s" in of_item
    for scale in ("series", "patterns", "realistic", "online_classroom"):
        address = reverse("admin:assessments_itembank_sheet", args=[bank.pk, scale])
        assert address in of_bank.content.decode()


def test_items_are_listed_by_family(bank: ItemBank, staff: Client) -> None:
    listed = staff.get(reverse("admin:assessments_item_changelist"), {"scale": "series"})

    html = listed.content.decode()
    assert "apt-series-01" in html
    assert "apt-patterns-01" not in html


@pytest.mark.parametrize(
    "rights", [(), ("assessments.view_itembank",), ("assessments.view_assessment",)]
)
def test_without_the_right_to_view_items_nothing_is_shown(
    bank: ItemBank, rights: tuple[str, ...]
) -> None:
    client = Client()
    client.force_login(staff_with(*rights))

    pages = [preview(client, series(bank, 1)), sheet(client, bank, "series")]

    assert [page.status_code for page in pages] == [403, 403]


def test_a_stranger_is_sent_to_sign_in(bank: ItemBank) -> None:
    for page in (preview(Client(), series(bank, 1)), sheet(Client(), bank, "series")):
        assert page.status_code == 302
        assert "/login/" in page.headers["Location"]


def test_what_is_not_there_is_a_404(bank: ItemBank, staff: Client) -> None:
    gone = Item(pk=10**9)

    assert preview(staff, gone).status_code == 404
    assert sheet(staff, bank, "riddles").status_code == 404
    assert sheet(staff, ItemBank(pk=10**9), "series").status_code == 404


def test_the_policy_stays_strict(bank: ItemBank, staff: Client) -> None:
    page = sheet(staff, bank, "series")

    assert "unsafe" not in page.headers["Content-Security-Policy"]
    assert "style=" not in page.content.decode()
