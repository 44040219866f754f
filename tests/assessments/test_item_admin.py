"""What staff read of an item: as students see it, how it does, and whether to worry."""

from __future__ import annotations

import html
from datetime import UTC, datetime
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from assessments.models import Item, ItemBank, ItemStatistics
from tests.assessments.hindi import in_both_languages
from tests.assessments.two_stages import publish_field_bank
from tests.factories import staff_with

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff() -> Client:
    client = Client()
    client.force_login(staff_with("assessments.view_item", "assessments.view_itembank"))
    return client


@pytest.fixture
def spoken(small_bank: dict[str, Any]) -> ItemBank:
    """Give a bank in English and Hindi."""
    data = in_both_languages(small_bank) | {"version": "own-2"}
    return ItemBank.objects.publish(data, actor="command:tests")[0]


def counted(item: Item, **figures: Any) -> ItemStatistics:
    usual: dict[str, Any] = {
        "attempts": 900, "shown": 500, "answered": 498, "correct": 300, "stopped_here": 2,
        "median_seconds": 41.2, "discrimination": 0.31,
    }  # fmt: skip
    return ItemStatistics.objects.create(item=item, counted_at=AT, **usual | figures)


def listed(client: Client, **query: Any) -> str:
    return text(client.get(reverse("admin:assessments_item_changelist"), query))


def page(client: Client, item: Item) -> str:
    return text(client.get(reverse("admin:assessments_item_change", args=[item.pk])))


def text(response: HttpResponse) -> str:
    assert response.status_code == 200
    return " ".join(html.unescape(response.content.decode()).split())


def puzzle(bank: ItemBank, number: int = 1) -> Item:
    return bank.item_set.get(code=f"apt-series-0{number}")


def test_the_item_is_on_its_page_in_every_language(spoken: ItemBank, staff: Client) -> None:
    item = puzzle(spoken)

    shown = page(staff, item)

    for code in ("en", "hi"):
        assert item.content["text"][code] in shown
        assert f'<div class="as-seen" lang="{code}">' in shown
    # the right answer is ticked in both, and nothing can be sent
    assert shown.count("checked") == 2
    assert shown.count('name="answer-en"') == len(item.options)


def test_figures_are_shown_with_their_meaning_and_date(bank: ItemBank, staff: Client) -> None:
    counted(puzzle(bank))

    shown = page(staff, puzzle(bank))

    assert "Counted 21 Nov 2026, 09:30 UTC over the latest 900 attempts on bank 2026.1" in shown
    assert "in 500 of 900 attempts" in shown
    assert "60 of 100 (300 of 498)" in shown
    assert "41 s" in shown
    assert "0.31" in shown
    assert "0 of 100 (2 of 500)" in shown
    assert "Worry at 18 of 100 and below, which is what guessing gives." in shown
    assert "The statistics of this item are unremarkable." in shown


def test_what_calls_for_a_look_is_said_first(bank: ItemBank, staff: Client) -> None:
    counted(puzzle(bank), correct=20, discrimination=-0.3)

    shown = page(staff, puzzle(bank))

    assert "This item needs review." in shown
    assert "answer it correctly less often than by guessing" in shown
    assert "Its key may be wrong" in shown


def test_a_list_shows_figures_without_a_question_a_row(
    bank: ItemBank, staff: Client, django_assert_num_queries: Any
) -> None:
    counted(puzzle(bank))
    listed(staff)
    with django_assert_num_queries(11):
        shown = listed(staff, section="aptitude")
    for number in range(2, 7):
        counted(puzzle(bank, number), correct=10, discrimination=None)
    with django_assert_num_queries(11):
        more = listed(staff, section="aptitude")

    assert '<td class="field-correct">60 %</td>' in shown
    assert more.count("below guessing") == 5


def test_items_that_need_a_look_can_be_picked(bank: ItemBank, staff: Client) -> None:
    counted(puzzle(bank, 1))
    counted(puzzle(bank, 2), discrimination=0.02)

    shown = listed(staff, look="yes")

    assert "apt-series-02" in shown
    assert "apt-series-01" not in shown
    assert "apt-series-03" in listed(staff, look="no")


@pytest.mark.parametrize("language", ["en", "hi"])
def test_items_are_found_by_their_words(spoken: ItemBank, staff: Client, language: str) -> None:
    item = spoken.item_set.get(code="int-phone")
    words = item.content["text"][language]

    shown = listed(staff, q=words, bank=spoken.pk)

    assert "int-phone" in shown
    assert "int-pond" not in shown


def test_a_statement_of_stage_1_names_its_fields(staff: Client) -> None:
    bank = publish_field_bank()
    item = bank.item_set.get(code="int-plants")
    counted(item, correct=None)

    shown = page(staff, item)

    assert '<div class="readonly">biology, farming and nature</div>' in shown
    assert '<div class="readonly">Interests</div>' in shown
    assert "Every attempt contains every statement except the spares." in shown


def test_a_statement_of_stage_2_is_shown_as_one(staff: Client) -> None:
    bank = publish_field_bank()
    item = bank.item_set.get(code="int-cows")
    counted(item, correct=None)

    shown = page(staff, item)

    assert '<div class="readonly">Interests, stage 2</div>' in shown
    assert '<div class="readonly">farming and nature</div>' in shown
    assert "Stage 2 asks each student about the fields that suit them best" in shown
    assert "the other statements about its field, of both stages" in shown
    listing = listed(staff, section="fields")
    assert "int-cows" in listing
    assert "int-vegetables" not in listing
    assert ">Interests, stage 2</a>" in listing.replace("> ", ">").replace(" <", "<")
