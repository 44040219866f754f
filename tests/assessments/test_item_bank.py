"""A published bank never changes, and an attempt stays on the bank that it started with."""

from __future__ import annotations

import copy
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from assessments.models import Item, ItemBank
from assessments.models.banks import Immutable
from partners.models import AuditEvent, Project
from tests.assessments.attempts import answer_until, completed, started

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
COMMAND = "command:tests"

pytestmark = pytest.mark.django_db


@pytest.fixture
def changed(small_bank: dict[str, Any]) -> dict[str, Any]:
    """Give the shipped bank with other texts, keys and norms, as another version."""
    data = copy.deepcopy(small_bank)
    data["version"] = "2027.1"
    for item in data["items"]:
        item["text"] = {"en": f"New: {item['text']['en']}"}
        if "key" in item:
            item["key"] = item["key"] % len(item["options"]) + 1
    for scale in data["norms"]["interests"]:
        data["norms"]["interests"][scale] = {"mean": 2.0, "sd": 0.5}
    return data


def publish(data: dict[str, Any], at: datetime = AT) -> ItemBank:
    bank, _ = ItemBank.objects.publish(data, at=at, actor=COMMAND)
    bank.make_current(at=at, actor=COMMAND)
    return bank


def test_it_holds_what_the_file_says(bank: ItemBank, small_bank: dict[str, Any]) -> None:
    items = list(bank.items.values())

    assert bank.version == small_bank["version"]
    assert [item.code for item in items] == [row["code"] for row in small_bank["items"]]
    assert bank.definition == {k: v for k, v in small_bank.items() if k != "items"}
    for item, row in zip(items, small_bank["items"], strict=True):
        assert item.content["text"] == row["text"]
        assert item.key == row.get("key")
        assert item.scale == row.get("scale", row.get("family"))


def test_content_that_no_column_knows_comes_back_too(small_bank: dict[str, Any]) -> None:
    data = copy.deepcopy(small_bank)
    data["items"][0] |= {"spare": True, "note": {"by": "an editor"}}
    data["reference"] = "students"

    bank = publish(data)

    assert ItemBank.objects.get(pk=bank.pk).to_file() == data


def test_a_spare_is_never_given(small_bank: dict[str, Any], project: Project) -> None:
    data = copy.deepcopy(small_bank)
    data["items"][2]["spare"] = True
    data["sections"][0]["items_given"] = 17
    bank = publish(data)

    attempt = answer_until(started(project, AT), 17, AT)

    given = set(attempt.answers.values_list("item__code", flat=True))
    assert len(given) == 17
    assert data["items"][2]["code"] in bank.by_code.keys() - given


def test_the_same_content_again_changes_nothing(bank: ItemBank, small_bank: dict[str, Any]) -> None:
    reordered = dict(reversed(copy.deepcopy(small_bank).items()))
    events = AuditEvent.objects.count()

    again, is_new = ItemBank.objects.publish(reordered, actor=COMMAND)

    assert again == bank
    assert is_new is False
    assert ItemBank.objects.count() == 1
    assert Item.objects.count() == len(small_bank["items"])
    assert AuditEvent.objects.count() == events


def test_a_published_bank_is_neither_saved_nor_deleted(bank: ItemBank) -> None:
    bank.version = "changed"

    with pytest.raises(Immutable):
        bank.save()
    with pytest.raises(Immutable):
        bank.delete()

    assert ItemBank.objects.get().version != "changed"


def test_without_a_bank_there_is_no_current_one() -> None:
    assert ItemBank.objects.made_current().exists() is False
    with pytest.raises(ItemBank.DoesNotExist):
        ItemBank.objects.current()


def test_an_attempt_stays_on_its_bank(
    bank: ItemBank, project: Project, changed: dict[str, Any]
) -> None:
    """T15: texts, items, keys and norms are those of the start."""
    undisturbed = completed(started(project, AT, email="one@example.com"), AT, choice=2)
    attempt = answer_until(started(project, AT, email="two@example.com"), 26, AT, choice=2)

    newer = publish(changed, AT + timedelta(days=1))
    completed(attempt, AT, choice=2)

    attempt.refresh_from_db()
    assert attempt.bank == bank
    assert not attempt.answers.filter(item__bank=newer).exists()
    assert attempt.profile == undisturbed.profile
