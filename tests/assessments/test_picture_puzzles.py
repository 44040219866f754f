"""A student who can't see pictures gets another puzzle in place of one that uses them."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from assessments.models import (
    Assessment,
    AssessmentLink,
    Item,
    ItemBank,
    recent,
)
from assessments.models.answers import NotShown
from assessments.models.ends import AttemptEnded
from assessments.support import link_history
from partners.models import Project
from tests.assessments.picture_puzzles import (
    FIRST,
    PUZZLES,
    at_picture_puzzle,
    finish,
    publish_picture_bank,
    replaced,
)
from tests.assessments.two_stages import publish_field_bank
from tests.factories import CourseFactory

LATER = timezone.now() + timedelta(minutes=5)

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def pictures(db: None, small_bank: dict[str, Any]) -> ItemBank:
    return publish_picture_bank(small_bank)


@pytest.fixture
def attempt(project: Project) -> Assessment:
    return at_picture_puzzle(project)


def rows(attempt: Assessment) -> list[dict[str, object]]:
    return list(attempt.answers.order_by("pk").values())


@pytest.mark.sqlite
def test_another_puzzle_takes_its_place(attempt: Assessment) -> None:
    [before] = attempt.read_answers().page(FIRST)

    old, new = replaced(attempt, FIRST, LATER)

    assert (old.pk, old.item, old.choice, old.replaced_at) == (before.pk, before.item, None, LATER)
    assert (new.shown_at, new.choice, new.replaced_at) == (LATER, None, None)
    # Of the same facet, so that its estimate rests on as many puzzles.
    assert (new.item.scale, new.item.uses_pictures) == ("series", False)
    answers = attempt.read_answers()
    assert [answer.pk for answer in answers.page(FIRST)] == [new.pk]
    assert (answers.answered_count, answers.resume_position) == (FIRST - 1, FIRST)


@pytest.mark.parametrize("is_answered", [True, False])
def test_an_answered_or_replaced_puzzle_stays(attempt: Assessment, is_answered: bool) -> None:
    if is_answered:
        attempt.record(FIRST, {FIRST: 0})
    else:
        replaced(attempt, FIRST, LATER)
    before = rows(attempt)

    attempt.replace_puzzle(FIRST, LATER + timedelta(seconds=1))

    assert rows(attempt) == before


def test_a_puzzle_without_pictures_stays(attempt: Assessment) -> None:
    attempt.record(FIRST, {FIRST: 1})
    words = Item.objects.filter(bank=attempt.bank, scale="patterns")[3]
    attempt.answers.filter(position=FIRST + 1).update(item=words)
    before = rows(attempt)

    attempt.replace_puzzle(FIRST + 1, LATER)
    attempt.replace_puzzle(1, LATER)

    assert rows(attempt) == before


def test_a_puzzle_not_shown_and_an_ended_attempt_are_refused(attempt: Assessment) -> None:
    before = rows(attempt)

    with pytest.raises(NotShown):
        attempt.replace_puzzle(FIRST + 1, LATER)
    attempt.abandon()
    with pytest.raises(AttemptEnded):
        attempt.replace_puzzle(FIRST, LATER)

    assert rows(attempt) == before


def test_a_bank_with_too_few_others_keeps_its_picture_puzzles(attempt: Assessment) -> None:
    bank = attempt.content
    others = [pk for pk, item in bank.items.items() if item.is_aptitude and not item.uses_pictures]
    for pk in others[PUZZLES - 1 :]:
        del bank._candidates[pk]
    before = rows(attempt)

    attempt.replace_puzzle(FIRST, LATER)

    assert rows(attempt) == before


@pytest.mark.sqlite
@pytest.mark.parametrize("position", [FIRST, FIRST + 3])
def test_the_rest_has_no_pictures_and_is_scored_as_usual(project: Project, position: int) -> None:
    CourseFactory.create(project=project)
    attempt = at_picture_puzzle(project, position)
    attempt.replace_puzzle(position, timezone.now())

    finish(attempt, position)

    current = attempt.answers.current().filter(position__gte=position)
    assert not current.filter(item__scale="matrices").exists()
    assert attempt.answers.count() == attempt.content.layout.total + 1
    assert attempt.rescore() == (attempt.profile, attempt.recommendations)


def test_the_facet_keeps_its_share(project: Project) -> None:
    attempt = at_picture_puzzle(project)
    attempt.replace_puzzle(FIRST, timezone.now())

    finish(attempt, FIRST)

    current = attempt.answers.current().filter(item__section="aptitude")
    families = Counter(current.values_list("item__scale", flat=True))
    assert families == {"series": 8, "patterns": 4}


def test_a_result_does_not_depend_on_the_replaced_row(project: Project) -> None:
    attempt = at_picture_puzzle(project)
    attempt.replace_puzzle(FIRST, timezone.now())
    finish(attempt, FIRST)
    before = attempt.rescore()

    attempt.answers.exclude(replaced_at=None).delete()

    assert attempt.rescore() == before


def test_an_answer_to_the_puzzle_before_is_not_stored(attempt: Assessment) -> None:
    """A tab still showed the pictures."""
    replaced(attempt, FIRST, LATER)
    before = rows(attempt)

    with pytest.raises(NotShown):
        attempt.record(FIRST, {FIRST: 1}, LATER)
    assert rows(attempt) == before

    recorded = attempt.record(FIRST, {FIRST: 1}, LATER, is_replacement=True)
    assert recorded.next_position == FIRST + 1


# --- readers of answers


def test_it_counts_as_not_given(attempt: Assessment, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exposure leaves it out."""
    monkeypatch.setattr(recent, "FEWEST", 1)
    old, new = replaced(attempt, FIRST, timezone.now())
    attempt.record(FIRST, {FIRST: 1}, is_replacement=True)

    shares = recent.count(attempt.content).exposure

    assert old.item.code not in shares
    assert shares[new.item.code] == 1


def test_staff_see_the_progress_without_it(attempt: Assessment) -> None:
    replaced(attempt, FIRST, LATER)

    link = AssessmentLink.objects.select_related("student__project").get(assessment=attempt)
    facts = link_history.of_link(link, LATER).attempt

    assert facts
    assert (facts.answered, facts.total) == (FIRST - 1, attempt.content.layout.total)
    assert facts.sections[-1] == (attempt.content.layout.find("aptitude").title["en"], LATER)
    [listed] = Assessment.objects.with_answered()
    assert listed.answered == FIRST - 1  # type: ignore[attr-defined]  # annotated


# --- the bank that ships


def test_every_other_puzzle_of_the_shipped_bank_can_be_read() -> None:
    """Answers are words, and the text of a chart names each value."""
    bank = publish_field_bank()
    assert bank.has_enough_without_pictures
    assert bank._stand_ins == {"matrices": ["series"]}
    readable = [
        item
        for item in bank.offered["aptitude"].values()
        if not item.uses_pictures and item.content.get("figure", {}).get("kind", "table") != "table"
    ]
    assert len(readable) > 20
    for item in readable:
        figure = item.content["figure"]
        assert figure["kind"] == "bars", item
        for language, said in figure["alt"].items():
            numbers = [str(bar["value"]) for bar in figure["bars"]]
            assert [number for number in numbers if f": {number}" not in said] == [], item
            assert figure["caption"][language] in said
