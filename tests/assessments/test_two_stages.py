"""Stage 2 asks about the fields that stage 1 found, and settles the answers of stage 1."""

import re
from datetime import timedelta

import pytest
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from assessments.models import Answer, Attempt, ItemBank
from measurement.fields import FIELDS
from tests.assessments.attempts import issue, question_path
from tests.assessments.two_stages import STAGE_1, STAGE_2, answered_until, publish_field_bank
from tests.factories import CourseFactory

SEAM = STAGE_1 + 1
PUZZLES = SEAM + STAGE_2
PREFERENCES = PUZZLES + 10

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture(autouse=True)
def _field_bank(db):
    publish_field_bank()


def stage_1(attempt):
    answers = attempt.answers.filter(position__lte=STAGE_1).order_by("position")
    return list(answers.values_list("choice", flat=True))


@pytest.fixture
def attempt(project, browser):
    """Give the browser's attempt, of which stage 1 is answered."""
    browser.start(issue(project)[1])
    return answered_until(project, SEAM, Attempt.objects.get())


def test_stage_2_asks_twice_about_each_leading_field(attempt, project):
    attempt = answered_until(project, PUZZLES, attempt)

    fields = attempt.leading_fields
    assert fields[0] == "machines"
    assert "computers" in fields
    assert "office" not in fields
    assert len(fields) == 12
    in_order = [field for field in FIELDS if field in fields]
    shown = attempt.answers.filter(position__range=(SEAM, STAGE_1 + STAGE_2)).order_by("position")
    about = list(shown.values_list("item__scale", flat=True))
    assert about == [*in_order, "instructed", *in_order]


@pytest.mark.parametrize("language", ["en", "hi"])
def test_card_tiles_and_parts_count_what_the_bank_asks(project, browser, language):
    layout = ItemBank.objects.current().layout
    puzzles = layout.find("aptitude")
    url = f"{issue(project)[1]}&language={language}"

    text = browser.get(url).text

    card = re.search('property="og:description" content="(.*?)"', text)
    tiles = re.search('<ul class="tiles">(.*?)</ul>', text, re.DOTALL)
    assert card
    assert tiles
    assert numbers_in(card[1])[:2] == [layout.total, layout.minutes]
    assert numbers_in("".join(re.findall("<span>(.*?)</span>", tiles[1])))[:4] == [
        *(layout.total - puzzles.total, layout.minutes - puzzles.minutes),
        *(puzzles.total, puzzles.minutes),
    ]
    assert (layout.total, layout.minutes, puzzles.total) == (80, 13, 10)


def numbers_in(text):
    return [int(number) for number in re.findall(r"\d+", text)]


def test_statements_of_stage_1_may_change_until_stage_2_begins(attempt, browser):
    seam = browser.get(question_path(attempt, SEAM))
    assert "Once you go on, you can&#x27;t change your earlier answers" in seam.text
    assert f'class="back" href="{question_path(attempt, 33)}"' in seam.text

    attempt.record(1, dict.fromkeys(range(1, 9), 1))

    assert stage_1(attempt)[:8] == [1] * 8


def test_from_then_on_a_post_to_stage_1_changes_nothing_and_leads_on(attempt, browser):
    seam = browser.get(question_path(attempt, SEAM))
    browser.go_on(seam)
    before = stage_1(attempt)
    path = question_path(attempt, 1)

    answers = [
        browser.post(path, {f"answer-{n}": value for n in range(1, 9)}) for value in ("5", "9")
    ]
    others = [browser.post(path, {}), browser.post(path, {"begin": "yes"})]
    page = browser.get(path)

    assert [page.status for page in [*answers, *others]] == [303] * 4
    assert {page.location for page in answers} == {question_path(attempt, 9)}
    assert stage_1(attempt) == before
    assert "the next questions were chosen by it" in page.text
    assert page.form.buttons == []
    assert page.text.count("checked") >= 8


def test_a_whole_attempt_recommends_by_fields_and_quotes_the_answers(project):
    for code, fields in (("MEC", ["machines"]), ("OFF", ["office"]), ("CSE", ["computers"])):
        CourseFactory.create(project=project, code=code, name=code, fields=fields)

    attempt = answered_until(project, 100)

    assert attempt.completed_at is not None
    assert [course["code"] for course in attempt.recommendations] == ["MEC", "CSE", "OFF"]
    assert attempt.profile["fields"].keys() == FIELDS.keys()
    first = attempt.recommendations[0]["reasons"][0]
    assert first.items() >= {"code": "loved_statement", "about": "int-mixer", "answer": 5}.items()


# Hasty answers, answers among which no field stands out, and a move to another browser.
CHANGES = [
    (Answer, {"answered_at": F("shown_at")}),
    (Answer, {"choice": 2 + F("position") % 3}),
    (Attempt, {"answers_hidden_until": timezone.now(), "continuations": 1}),
]


@pytest.mark.parametrize("before", [PUZZLES, PREFERENCES])
def test_the_pages_around_the_puzzles_name_the_fields_that_stand_out_but_not_after_a_change(
    attempt, project, browser, before
):
    answered_until(project, before, attempt)
    Answer.objects.update(shown_at=F("shown_at") - timedelta(minutes=2))
    path = question_path(attempt, before)

    page = browser.open(path)
    assert page.name == "section"
    assert "<li>machines</li>" in page.text
    for model, values in CHANGES:
        with transaction.atomic():
            model._default_manager.update(**values)
            assert "<li>machines</li>" not in browser.open(path).text
            transaction.set_rollback(True)


def test_only_the_first_puzzle_of_a_kind_has_an_open_example(attempt, project, browser):
    attempt = answered_until(project, PUZZLES, attempt)
    page = browser.go_on(browser.open(question_path(attempt, PUZZLES)))
    seen = []
    for position in range(PUZZLES, PREFERENCES):
        kind = attempt.answers.get(position=position).item.scale
        folded = re.search(r'<details class="card example"\s*(open)?', page.text)
        assert folded
        assert (folded[1] == "open") == (kind not in seen)
        seen.append(kind)
        page = browser.go_on(page)

    assert len(set(seen)) == 6
