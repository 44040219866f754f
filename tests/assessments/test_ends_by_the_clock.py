"""No attempt ends at a time that is far from the database's clock, as the feed could miss it."""

from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from assessments.models import Attempt
from assessments.models.ended import ClockDiffers, End, database_now
from tests.assessments.attempts import (
    at_last_page,
    how_ended,
    issue,
    last_choices,
    last_page,
    new_browser_token,
    question_path,
    started,
    use,
)
from tests.factories import BY

pytestmark = [
    pytest.mark.usefixtures("bank", "thirty_seconds"),
    pytest.mark.skipif(
        connection.vendor != "postgresql", reason="SQLite has the clock of this machine"
    ),
]


@pytest.fixture
def thirty_seconds(settings):
    settings.CLOCK_TOLERANCE = timedelta(seconds=30)


@pytest.fixture
def attempt(project, thirty_seconds):
    return started(project, clock(hours=-1))


def clock(**ahead):
    """Return the database's time, moved."""
    return database_now(timezone.now()) + timedelta(**ahead)


def complete(attempt, at):
    at_last_page(attempt, attempt.started_at)
    attempt.record(last_page(attempt), last_choices(attempt), at)


def close(attempt, at):
    attempt.close(at=at, by=BY)


def erase(attempt, at):
    attempt.student.erase(at=at, by=BY)


def start_again(attempt, at):
    held = new_browser_token()
    assert attempt.continue_in(held, attempt.started_at)
    link, _ = issue(attempt.project, attempt.started_at)
    use(link, start="again", held=[held], at=at)


each_ending = pytest.mark.parametrize("end", [complete, Attempt.abandon, close, erase, start_again])


@each_ending
@pytest.mark.parametrize(
    ("ahead", "is_stored"), [(-20, True), (20, True), (-32, False), (45, False)]
)
def test_a_time_within_thirty_seconds_is_stored_and_one_further_away_read_again(
    attempt, end, ahead, is_stored
):
    """As if the request had waited for half a minute."""
    at = clock(seconds=ahead)

    end(attempt, at)

    attempt.refresh_from_db()
    ended = attempt.completed_at or attempt.abandoned_at
    assert ended is not None
    assert (ended == at) is is_stored
    assert is_stored or abs(ended - clock()) < timedelta(seconds=10)


@each_ending
@pytest.mark.parametrize("ahead", [-45, 55])
def test_a_server_whose_clock_is_wrong_ends_nothing(attempt, rows, end, ahead):
    def ends():
        found = rows()
        return found["AuditEvent"], [
            (each["id"], each["completed_at"], each["abandoned_at"]) for each in found["Attempt"]
        ]

    before = ends()

    with time_machine.travel(clock(seconds=ahead), tick=True), pytest.raises(ClockDiffers):
        end(attempt, timezone.now())

    assert ends() == before
    assert not attempt.student.links.filter(used_at__gt=attempt.started_at).exists()


@pytest.mark.parametrize(("end", "how"), [(start_again, End.REPLACED), (erase, End.ERASED)])
def test_an_end_that_was_read_again_is_known_by_how_it_came_about(attempt, end, how):
    """These ends are told apart by times that are equal."""
    end(attempt, clock(minutes=-1))

    attempt.refresh_from_db()
    assert how_ended(attempt) == how


def test_a_student_who_finishes_by_a_wrong_clock_is_offered_the_last_page_again(project, browser):
    browser.start(issue(project, clock())[1])
    attempt = at_last_page(Attempt.objects.get())
    page = browser.open(question_path(attempt, last_page(attempt)))
    form = page.form
    chosen = {name: form.offered(name)[0] for name in form.questions}

    with time_machine.travel(clock(minutes=2), tick=True):
        refused = browser.send(page, chosen)

    assert refused.status == 503
    assert chosen.items() <= refused.form.filled.items()
    assert browser.press(refused).name == "result"


def test_an_attempt_that_is_over_is_over_whatever_the_clock_says(attempt):
    attempt.abandon(clock())

    with time_machine.travel(clock(minutes=5)):
        assert attempt.abandon() is False
        attempt.student.erase(by=BY)


def test_a_wrong_clock_does_not_prolong_an_attempt_that_is_over(project):
    attempt = started(project, clock(hours=-30))

    with pytest.raises(ClockDiffers):
        attempt.extend(clock(hours=1), at=clock(hours=-8), by=BY)

    assert attempt.status_at(clock()) == "Abandoned"
