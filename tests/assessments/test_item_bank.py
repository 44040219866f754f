"""A published bank never changes, an attempt stays on its bank, retiring is for ever; the admin."""

import copy
import html
from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from assessments.models import ItemBank
from partners.models import AuditEvent, Refused
from tests.assessments.attempts import answer_until, completed, started
from tests.assessments.page_figures import FIGURES
from tests.factories import BY
from tests.support.threads import race

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)

pytestmark = pytest.mark.django_db


def published(data, **changes):
    return ItemBank.objects.publish(copy.deepcopy(data) | changes, by=BY)[0]


def test_it_holds_what_the_file_says_also_what_no_column_knows(small_bank):
    data = copy.deepcopy(small_bank) | {"reference": "students"}
    data["items"][0] |= {"seconds": 7, "note": {"by": "an editor"}}

    bank = ItemBank.objects.get(pk=published(data).pk)

    assert bank.to_file() == data
    assert bank.version == data["version"]
    assert bank.definition == {name: part for name, part in data.items() if name != "items"}
    assert [
        (item.code, item.content["text"], item.key, item.scale) for item in bank.items.values()
    ] == [
        (row["code"], row["text"], row.get("key"), row.get("scale", row.get("family")))
        for row in data["items"]
    ]


def test_a_published_bank_is_neither_saved_nor_deleted(bank, rows):
    before = rows()
    bank.version = "changed"

    with pytest.raises(ValidationError):
        bank.save()
    with pytest.raises(ValidationError):
        bank.delete()

    assert rows() == before


def test_an_attempt_stays_on_its_bank(bank, project, small_bank):
    """Texts, items, keys and norms are those of the start."""
    undisturbed = completed(started(project, AT, email="one@example.com"), AT, choice=2)
    attempt = answer_until(started(project, AT, email="two@example.com"), 26, AT, choice=2)
    changed = copy.deepcopy(small_bank) | {"version": "2027.1"}
    for item in changed["items"]:
        item["text"] = {"en": f"New: {item['text']['en']}"}
        if "key" in item:
            item["key"] = item["key"] % len(item["options"]) + 1
    for scale in changed["norms"]["interests"]:
        changed["norms"]["interests"][scale] = {"mean": 2.0, "sd": 0.5}

    newer = published(changed)
    newer.make_current(at=AT + timedelta(days=1), by=BY)
    completed(attempt, AT, choice=2)

    attempt.refresh_from_db()
    assert attempt.bank == bank
    assert not attempt.answers.filter(item__bank=newer).exists()
    assert attempt.profile == undisturbed.profile


def test_a_retired_bank_stays_and_is_never_made_current_again(bank, small_bank):
    other = published(small_bank, version="own-1")
    other.retire(reason="A typo", at=AT, by=BY)

    with pytest.raises(Refused, match="retired and can't be made current again"):
        other.make_current(by=BY)

    other.refresh_from_db()
    assert (other.retired_at, other.made_current_at) == (AT, None)
    assert ItemBank.objects.current() == bank
    event = AuditEvent.objects.about(other).get(action="bank.retired")
    assert (event.at, event.reason, event.actor) == (AT, "A typo", BY.name)


def test_the_current_bank_is_never_retired(bank, rows):
    before = rows()

    with pytest.raises(Refused, match="Make another bank current first"):
        bank.retire(by=BY)

    assert rows() == before


@pytest.mark.django_db(transaction=True)
def test_if_making_current_and_retiring_race_exactly_one_succeeds(small_bank):
    """Never is a retired bank the current one, nor is there none."""
    published(small_bank, version="base").make_current(by=BY)
    for number in range(15):
        bank = published(small_bank, version=f"own-{number}")
        mine, theirs = (ItemBank.objects.get(pk=bank.pk) for _ in range(2))

        made, retired = race(
            [
                lambda: mine.make_current(by=BY),  # noqa: B023  ends in its turn
                lambda: theirs.retire(by=BY),  # noqa: B023  ends in its turn
            ]
        )

        bank.refresh_from_db()
        if bank.is_retired:
            assert retired is None
            assert isinstance(made, Refused)
            assert ItemBank.objects.current() != bank
        else:
            assert made is None
            assert isinstance(retired, Refused)
            assert ItemBank.objects.current() == bank
        assert not ItemBank.objects.current().is_retired
        events = AuditEvent.objects.about(bank).exclude(action="bank.published")
        assert events.count() == 1


VIEW = ("assessments.view_item", "assessments.view_itembank")


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
