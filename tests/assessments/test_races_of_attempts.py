"""Two requests for one attempt at the same moment: which outcomes are allowed, and what stays."""

import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from itertools import permutations

import pytest
from django.utils import timezone

from assessments.models import Attempt
from assessments.models.answers import NotShown
from assessments.models.ended import AttemptEnded, ContinuedElsewhere
from tests.assessments.attempts import answer_until, copies, last_choices, last_page, started
from tests.assessments.two_stages import STAGE_1, answered_until, choice_of, publish_field_bank
from tests.factories import CourseFactory
from tests.support.threads import race_in_rounds

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("bank"),
]

Act = Callable[[Attempt, int], str]
ROUNDS = 25
SEAM = STAGE_1 + 1
LAST_PAGE_OF_STAGE_1 = 33
# Seconds by which the choice of subjects comes later, round by round: first before the finish, then
# after it.
STEP = 0.0002


def on(attempts, act):
    """Act on an attempt a round, read anew as another process would."""

    def run(number):
        try:
            return act(Attempt.objects.get(pk=attempts[number].pk), number)
        except AttemptEnded:
            return "ended"
        except ContinuedElsewhere:
            return "moved away"
        except NotShown:
            return "not shown"

    return run


def finish(attempt, number, choice=1):
    attempt.record(last_page(attempt), last_choices(attempt, choice))
    return "completed"


def leave(attempt, number):
    return "left" if attempt.abandon() else "ended"


def answer(attempt, number):
    attempt.record(7, dict.fromkeys(range(7, 13), 2))
    return "stored" if attempt.continuations == 0 else "stored after the move"


def continue_elsewhere(seconds):
    """Move to another browser, by a request whose clock differs."""

    def move(attempt, number):
        at = timezone.now() + timedelta(seconds=seconds)
        return "moved" if attempt.continue_in(f"{number:064}", at) else "ended"

    return move


# Answers before, rounds, acts, and the outcomes that are allowed, in the order of the acts.
RACES = {
    "finish and leave": (
        *(40, 4 * ROUNDS, [finish, leave]),
        {("completed", "ended"), ("ended", "left")},
    ),
    "finish in four tabs": (
        *(40, ROUNDS, [partial(finish, choice=choice) for choice in (1, 3, 3, 5)]),
        set(permutations(["completed", "ended", "ended", "ended"])),
    ),
    "finish and continue elsewhere": (
        *(40, ROUNDS, [finish, continue_elsewhere(1)]),
        # The second: moved before the old browser's page was read.
        {("completed", "ended"), ("completed", "moved"), ("moved away", "moved")},
    ),
    "answer and leave": (6, ROUNDS, [answer, leave], {("stored", "left"), ("ended", "left")}),
    "answer and continue elsewhere": (
        # A slow request: its time is earlier than that of the answer.
        *(6, ROUNDS, [answer, continue_elsewhere(-1)]),
        {("stored", "moved"), ("stored after the move", "moved"), ("moved away", "moved")},
    ),
}


@pytest.mark.parametrize(("answered", "rounds", "acts", "allowed"), RACES.values(), ids=RACES)
def test_one_of_the_requests_wins_and_no_half_of_the_other_is_stored(
    project, answered, rounds, acts, allowed
):
    CourseFactory.create(project=project)
    attempts = copies(answer_until(started(project), answered), rounds)

    outcomes = race_in_rounds([on(attempts, act) for act in acts], rounds)

    assert {tuple(outcome) for outcome in outcomes} <= allowed
    for number, (attempt, outcome) in enumerate(zip(attempts, outcomes, strict=True)):
        attempt.refresh_from_db()
        answers = attempt.read_answers()
        is_completed, is_moved = "completed" in outcome, "moved" in outcome
        more = 4 if is_completed else 6 if outcome[0].startswith("stored") else 0
        assert answers.answered_count == answered + more
        assert (attempt.completed_at is not None) is is_completed
        assert bool(attempt.profile and attempt.recommendations) is is_completed
        assert (attempt.abandoned_at is not None) is ("left" in outcome)
        assert attempt.continuations == is_moved
        assert attempt.is_in_browser(f"{number:064}") is is_moved
        if outcome == ["stored", "moved"]:
            assert answers.visible(7) == []


def test_tabs_that_answer_different_pages_are_all_kept(project):
    attempts = copies(answer_until(started(project), 12), 10)

    def record(first, choice):
        page = dict.fromkeys(range(first, first + 6), choice)
        return lambda attempt, number: str(attempt.record(first, page).next_position)

    race_in_rounds([on(attempts, record(*each)) for each in ((1, 5), (7, 4), (13, 3))], 10)

    for attempt in attempts:
        choices = attempt.answers.order_by("position").values_list("choice", flat=True)
        assert list(choices) == [5] * 6 + [4] * 6 + [3] * 6


def test_other_subjects_count_whole_or_are_refused_when_the_attempt_finishes(project):
    publish_field_bank()
    CourseFactory.create(
        project=project, code="MEC", fields=["machines"], required_streams=["science-maths"]
    )
    CourseFactory.create(project=project, code="ART", fields=["art"])
    first = started(project)
    last = last_page(first)
    first.choose_stream("science-maths")
    first = answered_until(project, last, first)
    choices = {each.position: choice_of(each.item) for each in first.read_answers().page(last)}
    attempts = copies(first, 2 * ROUNDS)

    def finish(attempt, number):
        time.sleep(max(0, ROUNDS - number) * STEP)
        attempt.record(last, choices)
        return "completed"

    def choose(attempt, number):
        time.sleep(max(0, number - ROUNDS) * STEP)
        attempt.choose_stream("arts")
        return "chosen"

    outcomes = race_in_rounds([on(attempts, finish), on(attempts, choose)], 2 * ROUNDS)

    counted = Counter(outcome for _, outcome in outcomes)
    assert min(counted["chosen"], counted["ended"]) >= 2  # both sides won some
    for attempt, (finished, chosen) in zip(attempts, outcomes, strict=True):
        attempt.refresh_from_db()
        assert finished == "completed"
        assert attempt.stream == ("arts" if chosen == "chosen" else "science-maths")
        recommended = {each["code"] for each in attempt.recommendations or []}
        assert recommended == ({"ART"} if chosen == "chosen" else {"ART", "MEC"})
        assert attempt.rescore() == (attempt.profile, attempt.recommendations)


def begin_stage_2(attempt, number):
    attempt.begin_section(SEAM)
    return "begun"


def change_stage_1(choice):
    """Post the last page of stage 1 again, with other answers."""

    def change(attempt, number):
        choices = dict.fromkeys(range(LAST_PAGE_OF_STAGE_1, SEAM), choice)
        attempt.record(LAST_PAGE_OF_STAGE_1, choices)
        return "changed"

    return change


@pytest.mark.parametrize(
    "acts",
    [[begin_stage_2] * 4, [begin_stage_2, change_stage_1(1), change_stage_1(5)]],
    ids=["four tabs begin", "begin, change stage 1 twice"],
)
def test_stage_2_is_chosen_once_by_the_answers_that_are_stored(project, times, acts):
    publish_field_bank()
    attempts = [answered_until(project, SEAM) for _ in range(10 * times)]

    outcomes = race_in_rounds([on(attempts, act) for act in acts], len(attempts))

    assert {begun for begun, *_ in outcomes} == {"begun"}
    assert "ended" not in str(outcomes)
    for attempt in attempts:
        attempt.refresh_from_db()
        choices = attempt.read_answers().choices(attempt.cached_bank.layout.sections[0])
        assert attempt.leading_fields == attempt.cached_bank.leading_fields(choices)
        shown = attempt.answers.filter(position__gte=SEAM)
        assert shown.count() == 7
        fields = set(shown.values_list("item__scale", flat=True)) - {"instructed"}
        assert fields  # of the first page
        assert fields <= set(attempt.leading_fields or [])
