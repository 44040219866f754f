"""A student who can't see pictures gets another puzzle in place of one that uses them."""

import copy
import re
from datetime import timedelta

import pytest
from django.utils import timezone

from assessments.models import Attempt, Item, ItemBank
from assessments.models.answers import NotShown
from assessments.models.ended import AttemptEnded
from tests.assessments.attempts import answer_until, copies, issue, question_path, started
from tests.factories import BY
from tests.support.threads import race_in_rounds

# The first puzzle of the small bank.
FIRST, PUZZLES, ROUNDS = 25, 12, 25
LATER = timezone.now() + timedelta(minutes=5)
JSON = "application/json"
WISH = {"without-pictures": "yes"}
BUTTON = re.compile(r'<button[^>]*form="answers"[^>]*name="without-pictures"')

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def pictures(db, small_bank):
    """Publish the small bank with twice as many series, and with matrices, as current."""
    data = copy.deepcopy({**small_bank, "version": "pictures"})
    data["items"] = [i for i in data["items"] if i.get("family") not in {"matrices", "data"}]
    picture = {"kind": "cell", "paths": {"ink": "M25 25h50v50h-50z"}}
    options = [
        {"value": n, "label": {"en": "ABCDE"[n - 1]}, "figure": picture} for n in range(1, 6)
    ]
    series = [item for item in data["items"] if item.get("family") == "series"]
    for number, item in enumerate(series):
        drawn = {"family": "matrices", "options": options, "order": 200 + number}
        data["items"] += [
            {**item, "code": f"{item['code']}-more", "order": 100 + number},
            {**item, "code": f"apt-matrices-{number}", **drawn},
        ]
    words = {name: {"en": name} for name in ("title", "answer", "explanation")}
    section = next(each for each in data["sections"] if each["code"] == "aptitude")
    section["examples"] = [
        {"family": "matrices", "text": series[0]["text"], "options": options, **words}
    ]
    data["facets"] = {"numerical": [], "abstract": ["matrices", "series"], "verbal": ["patterns"]}
    bank, _ = ItemBank.objects.publish(data, by=BY)
    bank.make_current(by=BY)
    return bank


def show_pictures(attempt, position=FIRST):
    """Answer the puzzles before a position, which then shows a picture puzzle, a new one."""
    answer_until(attempt, FIRST - 1)
    attempt.begin_section(FIRST)
    for each in range(FIRST, position):
        attempt.record(each, {each: 1})
    give(attempt, position, "matrices")
    return attempt


def give(attempt, position, family):
    """Put a puzzle of a family, not shown before, at a position."""
    shown = attempt.answers.values("item")
    items = Item.objects.filter(bank=attempt.bank, scale=family).exclude(pk__in=shown)
    attempt.answers.current().filter(position=position).update(item=items[0])


@pytest.fixture
def attempt(project, browser):
    """Give an attempt, held by `browser`, whose first puzzle has pictures."""
    browser.start(issue(project)[1])
    return show_pictures(Attempt.objects.get())


def replaced(attempt, at=LATER):
    """Replace the puzzle at the first position; return the old and the new one."""
    attempt.replace_puzzle(FIRST, at)
    old, new = attempt.answers.filter(position=FIRST).order_by("pk").select_related("item__bank")
    return old, new


@pytest.mark.sqlite
def test_another_puzzle_takes_its_place(attempt):
    [before] = attempt.read_answers().page(FIRST)

    old, new = replaced(attempt)

    assert (old.pk, old.item, old.choice, old.replaced_at) == (before.pk, before.item, None, LATER)
    assert (new.shown_at, new.choice, new.replaced_at) == (LATER, None, None)
    # Of the same facet, so that its estimate rests on as many puzzles.
    assert (new.item.scale, new.item.uses_pictures) == ("series", False)
    answers = attempt.read_answers()
    assert [answer.pk for answer in answers.page(FIRST)] == [new.pk]
    assert (answers.answered_count, answers.resume_position) == (FIRST - 1, FIRST)


def has_too_few_others(attempt):
    ItemBank.cached.cache_clear()  # which knows by now that there are enough
    bank = attempt.cached_bank
    others = [code for code in bank.scoring.aptitude if not bank.by_code[code].uses_pictures]
    for code in others[PUZZLES - 1 :]:
        del bank.scoring.aptitude[code]
    return FIRST


def is_without_pictures(attempt):
    attempt.record(FIRST, {FIRST: 1})
    give(attempt, FIRST + 1, "patterns")
    return FIRST + 1


@pytest.mark.parametrize(
    "prepare",
    [
        lambda attempt: attempt.record(FIRST, {FIRST: 0}) and FIRST,
        lambda attempt: replaced(attempt) and FIRST,
        is_without_pictures,
        lambda attempt: 1,
        has_too_few_others,
    ],
    ids=["answered", "replaced", "without pictures", "a statement", "a bank with too few others"],
)
def test_any_other_puzzle_stays(attempt, prepare):
    position = prepare(attempt)
    before = list(attempt.answers.order_by("pk").values())

    attempt.replace_puzzle(position, LATER + timedelta(seconds=1))

    assert list(attempt.answers.order_by("pk").values()) == before


def test_a_puzzle_not_shown_and_an_ended_attempt_are_refused(attempt):
    before = list(attempt.answers.order_by("pk").values())

    with pytest.raises(NotShown):
        attempt.replace_puzzle(FIRST + 1, LATER)
    attempt.abandon()
    with pytest.raises(AttemptEnded):
        attempt.replace_puzzle(FIRST, LATER)

    assert list(attempt.answers.order_by("pk").values()) == before


REPLACED, OTHER = ("matrices", None, True), ("series", None, False)


def families(attempt):
    """Return each puzzle's family and choice, and whether it was replaced."""
    puzzles = attempt.answers.filter(position__gte=FIRST).order_by("position", "pk")
    values = puzzles.values_list("item__scale", "choice", "replaced_at")
    return [(family, choice, replaced_at is not None) for family, choice, replaced_at in values]


@pytest.mark.sqlite
def test_one_press_brings_another_puzzle(attempt, browser):
    path = question_path(attempt, FIRST)
    puzzle = browser.get(path)
    assert BUTTON.search(puzzle.text)

    answer = browser.send(puzzle, WISH)
    page = browser.follow(answer)

    assert (answer.status, answer.location, page.status) == (303, path, 200)
    assert "0 of 12 answered" in page.text
    assert families(attempt) == [REPLACED, OTHER]
    # Sent again, also by the script, the wish leads there too; a stale tab's answer is not taken.
    for again in ({**WISH, "answer": "3"}, {"answer": "1"}):
        stale = browser.send(puzzle, again)
        assert (stale.status, stale.location) == (303, path)
        assert browser.send(puzzle, again, HTTP_ACCEPT=JSON).response.json() == {"next": path}
    # Its draft has a name of its own, so the script ticks nothing here.
    assert 'data-answers=""' in puzzle.text
    assert 'data-answers="-2"' in page.text
    empty = browser.press(page)
    assert empty.status == 400
    assert 'id="answer-error"' in empty.text
    for shown in (page, empty):
        assert not BUTTON.search(shown.text)
    assert families(attempt) == [REPLACED, OTHER]
    assert browser.press(empty, {"answer": "1"}).place == f"/{FIRST + 1}"
    assert families(attempt)[:2] == [REPLACED, ("series", 1, False)]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("against", ["seven presses", "an answer"])
def test_pressed_at_once_with_other_tabs_one_puzzle_or_the_answer_counts(project, against):
    """An answer to the pictures is never stored for the puzzle that came instead."""
    attempts = copies(show_pictures(started(project)), ROUNDS)

    def press(number):
        """Return the item shown afterwards, negative if it takes the place of the pictures."""
        attempt = Attempt.objects.get(pk=attempts[number].pk)
        attempt.replace_puzzle(FIRST, timezone.now())
        answers = attempt.read_answers()
        return answers.page(FIRST)[0].item.pk * (-1 if answers.avoid_pictures else 1)

    def answer(number):
        try:
            Attempt.objects.get(pk=attempts[number].pk).record(FIRST, {FIRST: 1})
        except NotShown:
            return False
        return True

    outcomes = race_in_rounds(
        [press] * 8 if against == "seven presses" else [press, answer], ROUNDS
    )

    for attempt, (pressed, *others) in zip(attempts, outcomes, strict=True):
        if against == "seven presses":
            assert {*others} == {pressed}
        else:
            assert others == [pressed > 0]
        first, second = families(attempt)
        if pressed < 0:
            assert (first, second) == (REPLACED, OTHER)
        else:
            assert (first, second[1:]) == (("matrices", 1, False), (None, False))
