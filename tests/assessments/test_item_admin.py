"""What staff read of an item, and how they find it."""

from __future__ import annotations

import html
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from assessments.models import Item, ItemBank
from tests.assessments.two_stages import publish_field_bank
from tests.factories import staff_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff() -> Client:
    client = Client()
    client.force_login(staff_with("assessments.view_item", "assessments.view_itembank"))
    return client


@pytest.fixture
def shipped() -> ItemBank:
    return publish_field_bank()


def listed(client: Client, **query: Any) -> str:
    return text(client.get(reverse("admin:assessments_item_changelist"), query))


def page(client: Client, item: Item) -> str:
    return text(client.get(reverse("admin:assessments_item_change", args=[item.pk])))


def text(response: HttpResponse) -> str:
    assert response.status_code == 200
    return " ".join(html.unescape(response.content.decode()).split())


@pytest.mark.parametrize("language", ["en", "hi"])
def test_items_are_found_by_their_words(shipped: ItemBank, staff: Client, language: str) -> None:
    item, other = shipped.item_set.filter(section="interests")[:2]

    shown = listed(staff, q=item.content["text"][language])

    assert f">{item.code}<" in shown
    assert f">{other.code}<" not in shown


def test_items_are_listed_by_bank_section_and_scale(shipped: ItemBank, staff: Client) -> None:
    shown = listed(staff, bank__id__exact=shipped.pk, section__exact="fields", scale="nature")

    assert ">int-cows<" in shown
    assert ">int-vegetables<" not in shown


@pytest.mark.parametrize(
    ("code", "values"),
    [
        ("int-plants", ["Interests", "biology, farming and nature"]),
        ("int-cows", ["Interests, stage 2", "farming and nature"]),
        ("apt-series-01", ["Aptitude", "series"]),
    ],
)
def test_a_page_shows_what_an_item_measures(
    shipped: ItemBank, staff: Client, code: str, values: list[str]
) -> None:
    shown = page(staff, shipped.item_set.get(code=code))

    for value in values:
        assert f'<div class="readonly">{value}</div>' in shown
    assert reverse("admin:assessments_item_preview", args=[shipped.item_set.get(code=code).pk]) in (
        shown
    )


def test_a_list_asks_no_question_a_row(
    shipped: ItemBank, staff: Client, django_assert_max_num_queries: Any
) -> None:
    listed(staff)
    with django_assert_max_num_queries(12):
        listed(staff)
