"""What staff read of an item: as students see it, how it does, and whether to worry."""

from __future__ import annotations

import html
from datetime import UTC, datetime
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from assessments.admin import item_words
from assessments.measurement.dif import Dif
from assessments.measurement.item_findings import FINDINGS
from assessments.measurement.item_statistics import ENOUGH, Figures
from assessments.models import Item, ItemBank, ItemStatistics
from tests.assessments.hindi import in_both_languages
from tests.factories import staff_with

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
LANGUAGES = [("en", "English"), ("hi", "हिन्दी")]

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


def test_the_item_stands_on_its_page_in_every_language(spoken: ItemBank, staff: Client) -> None:
    item = puzzle(spoken)

    shown = page(staff, item)

    for code in ("en", "hi"):
        assert item.content["text"][code] in shown
        assert f'<div class="as-seen" lang="{code}">' in shown
    # the right answer is ticked in both, and nothing can be sent
    assert shown.count("checked") == 2
    assert shown.count('name="answer-en"') == len(item.options)


def test_figures_are_told_with_what_they_mean_and_their_date(bank: ItemBank, staff: Client) -> None:
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


def test_a_statement_has_no_right_answers(bank: ItemBank, staff: Client) -> None:
    statement = bank.item_set.get(code="int-R-01")
    counted(statement, correct=None)

    shown = page(staff, statement)

    assert "Answered correctly" not in shown
    assert "with the other statements of its scale" in shown


def test_what_calls_for_a_look_is_said_first(bank: ItemBank, staff: Client) -> None:
    counted(puzzle(bank), correct=20, discrimination=-0.3)

    shown = page(staff, puzzle(bank))

    assert "This item needs review." in shown
    assert "answer it correctly less often than by guessing" in shown
    assert "Its key may be wrong" in shown


def test_too_few_answers_are_told_as_such(bank: ItemBank, staff: Client) -> None:
    counted(puzzle(bank), shown=60, answered=57, correct=30, discrimination=None)

    assert "not enough answers yet (57 of 200)" in page(staff, puzzle(bank))


def test_before_the_first_count_the_page_says_how_it_is_made(bank: ItemBank, staff: Client) -> None:
    shown = page(staff, puzzle(bank))

    assert "There are no statistics yet." in shown
    assert "refresh_statistics --items" in shown


def test_an_item_in_no_attempt_says_so(bank: ItemBank, staff: Client) -> None:
    counted(
        puzzle(bank), shown=0, answered=0, correct=0, stopped_here=0, median_seconds=None,
        discrimination=None,
    )  # fmt: skip

    shown = page(staff, puzzle(bank))

    assert "None of the counted attempts contained this item" in shown
    assert "no answers yet" in shown


def test_languages_stand_side_by_side(spoken: ItemBank, staff: Client) -> None:
    figures = Figures(300, 300, 200, 0, 40.0, 0.3)
    worse = Figures(220, 220, 60, 1, 55.0, 0.2, Dif(-2.4, 0.3, "C"))
    counted(puzzle(spoken), by_language={"en": figures.to_json(), "hi": worse.to_json()})

    shown = page(staff, puzzle(spoken))

    assert "much harder, or liked less: have the translation checked (-2.4, ± 0.6)" in shown
    assert "27 of 100 (60 of 220)" in shown
    assert "It works differently in one language" in shown


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ({}, "not enough answers yet (0 of 200)"),
        ({"en": (300, None)}, "not enough answers yet (0 of 200)"),
        ({"en": (300, None), "hi": (57, None)}, "not enough answers yet (57 of 200)"),
        (
            {"en": (300, None), "hi": (205, None)},
            "not enough complete attempts yet (200 are needed)",
        ),
        ({"en": (300, None), "hi": (205, "A")}, "no difference"),
        ({"en": (300, None), "hi": (205, "B")}, "somewhat easier, or liked more"),
    ],
)
def test_differences_are_told_in_words(figures: dict[str, tuple[int, Any]], said: str) -> None:
    by_language = {
        name: Figures(n, n, None, 0, 3.0, 0.4, Dif(0.9, 0.2, grade) if grade else None)
        for name, (n, grade) in figures.items()
    }

    _, hindi = item_words.language_rows(by_language, LANGUAGES)

    assert hindi.difference.startswith(said)


def test_every_finding_has_words() -> None:
    assert set(item_words.SHORT) == set(item_words.LONG) == set(FINDINGS)


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


def test_columns_that_would_be_empty_or_alike_are_left_out(
    bank: ItemBank, staff: Client, spoken: ItemBank
) -> None:
    bare = listed(staff)
    counted(puzzle(bank))
    full = listed(staff)
    of_all = listed(staff, bank="all")

    assert 'class="field-text"' in bare
    for column in ("shown", "correct", "time", "look"):
        assert f'class="field-{column}"' not in bare
        assert f'class="field-{column}"' in full
        assert f'class="field-{column}"' not in listed(staff, bank=spoken.pk)
    assert "field-bank" not in full
    assert of_all.count('class="field-bank') == 2 * bank.item_set.count()


def test_the_list_opens_with_the_current_bank(
    bank: ItemBank, staff: Client, spoken: ItemBank
) -> None:
    def codes(**query: Any) -> int:
        return listed(staff, **query).count("apt-series-01")

    assert "2026.1 (current)" in listed(staff)
    assert (codes(), codes(bank=spoken.pk), codes(bank="all")) == (1, 1, 2)
    assert f"/item/{puzzle(spoken).pk}/" not in listed(staff)
    assert f"/item/{puzzle(spoken).pk}/" in listed(staff, bank=spoken.pk)


def test_scales_and_parameters_are_told_in_words(bank: ItemBank, staff: Client) -> None:
    statement = bank.item_set.filter(scale="alone_group", keyed=-1)[0]

    shown = listed(staff, section="preferences")
    assert "studying alone or studying with others" in shown
    assert ">alone_group<" not in shown
    shown = page(staff, statement)
    assert "Agreeing means" in shown
    assert "studying alone" in shown
    shown = page(staff, puzzle(bank))
    assert "Difficulty" in shown
    assert "18 of 100" in shown


@pytest.mark.parametrize(
    ("r", "said"), [(-0.03, "hardly distinguishes"), (-0.3, "key may be wrong")]
)
def test_the_box_and_the_line_beside_it_say_the_same_rule(
    bank: ItemBank, staff: Client, r: float, said: str
) -> None:
    item = puzzle(bank)
    counted(item, answered=400, discrimination=r)

    shown = page(staff, item)

    assert said in shown[shown.index("This item needs review") : shown.index("As students see it")]
    assert "Below -0.10 it is reversed by more than chance" in shown


def test_items_that_need_a_look_can_be_picked(bank: ItemBank, staff: Client) -> None:
    counted(puzzle(bank, 1))
    counted(puzzle(bank, 2), discrimination=0.02)

    shown = listed(staff, look="yes")

    assert "apt-series-02" in shown
    assert "apt-series-01" not in shown
    assert "apt-series-03" in listed(staff, look="no")


@pytest.mark.parametrize("language", ["en", "hi"])
def test_items_are_found_by_their_words(spoken: ItemBank, staff: Client, language: str) -> None:
    item = spoken.item_set.get(code="int-R-02")
    words = item.content["text"][language]

    shown = listed(staff, q=words, bank=spoken.pk)

    assert "int-R-02" in shown
    assert "int-I-01" not in shown


def test_items_are_found_by_what_they_are_about(small_bank: dict[str, Any], staff: Client) -> None:
    data = in_both_languages(small_bank) | {"version": "own-3"}
    item = next(item for item in data["items"] if item["code"] == "apt-series-02")
    item["passage"] = {"en": ["Anmol and Mani share Rs 1,800."], "hi": ["Anmol."]}
    ItemBank.objects.publish(data, actor="command:tests")

    shown = listed(staff, q="mani share")

    assert "apt-series-02" in shown
    assert "apt-series-01" not in shown


def test_what_was_enough_is_what_the_words_say() -> None:
    assert item_words.not_enough(ENOUGH - 1) == "not enough answers yet (199 of 200)"
