"""A fresh link of a student with an open attempt: continue it, here or there, or start again."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from assessments.models import Answer, AssessmentLink, Attempt
from assessments.models.ended import ContinuedElsewhere, End
from assessments.models.identity import secret_digest
from assessments.models.links import NOTICE_VERSION, OfferChanged, OfferedAttempt
from tests.assessments.attempts import (
    answer_until,
    how_ended,
    inside,
    issue,
    marked_completed,
    new_browser_token,
    question_path,
    started,
    use,
)
from tests.factories import BY, StudentFactory
from tests.support.browser import Browser

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
LATER = AT + timedelta(hours=1)
STRANGERS = {"mobile": "+91 91234 56789"}

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]


@pytest.fixture
def holder():
    """Give the token of the browser in which `earlier` was begun."""
    return new_browser_token()


@pytest.fixture
def earlier(bank, project, holder):
    """Give an attempt with twelve answers, in a browser of its own."""
    return answer_until(use(issue(project, at=AT)[0], holder, at=AT), 12, AT)


@pytest.fixture
def fresh(earlier, project):
    return issue(project, at=LATER)[0]


def row(attempt):
    stored = Attempt.objects.values().get(pk=attempt.pk)
    return stored | {"answers": list(attempt.answers.order_by("pk").values())}


def test_a_first_start_makes_an_attempt(bank, project):
    project.finish_by_hours = 30
    project.save()
    link, _ = issue(project, at=AT)
    browser_token = new_browser_token()

    attempt = link.start(browser_token, language="en", at=LATER)

    stored = Attempt.objects.values().get()
    link.refresh_from_db()
    assert attempt == link.attempt
    assert link.used_at == LATER
    expected = {
        **{"student_id": link.student_id, "project_id": project.pk, "bank_id": bank.pk},
        **{"language": "en", "browser_digest": secret_digest(browser_token)},
        **{"started_at": LATER, "consented_at": LATER, "consent_version": f"{NOTICE_VERSION} en"},
        **{"finish_by_at": LATER + timedelta(hours=30), "completed_at": None, "abandoned_at": None},
        **{"continuations": 0, "answers_hidden_until": None},
        "retention_months": project.retention_months,
    }
    assert stored.items() >= expected.items()
    assert not attempt.answers.exists()
    assert attempt.assessment_id.startswith("asm_")
    assert len(attempt.assessment_id) == 20


@pytest.mark.parametrize("start", ["continue", ""])
@pytest.mark.parametrize("is_held", [False, True])
def test_to_continue_moves_the_attempt_and_hides_answers_where_it_was_not_held(
    earlier, fresh, holder, start, is_held
):
    before, browser_token = row(earlier), new_browser_token()

    attempt = use(fresh, browser_token, start=start, held=[holder] if is_held else (), at=LATER)

    fresh.refresh_from_db()
    earlier.refresh_from_db()
    assert attempt == earlier == fresh.attempt
    assert attempt.is_in_browser(browser_token)
    assert row(earlier) == before | {
        "browser_digest": secret_digest(browser_token),
        "continuations": 1,
        "answers_hidden_until": None if is_held else LATER,
    }
    assert Attempt.objects.count() == 1
    assert len(earlier.read_answers().visible(7)) == (6 if is_held else 0)
    assert len(earlier.read_answers().page(7)) == 6


def test_an_answer_of_a_clock_that_is_ahead_is_hidden_too(earlier, fresh):
    ahead = LATER + timedelta(seconds=5)
    earlier.record(13, dict.fromkeys(range(13, 19), 3), ahead)

    attempt = use(fresh, at=LATER)

    assert attempt.answers_hidden_until == ahead
    assert attempt.read_answers().visible(13) == []


def test_the_name_of_a_continued_attempt_is_that_of_the_link_which_continued_it(earlier, project):
    attempt = use(issue(project, at=LATER, name="Bina Rao")[0], at=LATER)

    assert attempt == earlier
    assert attempt.given_name == "Bina"


@pytest.mark.parametrize(
    ("details", "is_offered"),
    [
        *(({"mobile": mobile}, True) for mobile in (
            "9876543201", "09876543201", "+919876543201", "98765-43201", "(+91) 98765 43201"
        )),
        *(({"mobile": mobile}, False) for mobile in ("9876543211", "+1 987 654 3210", "123456")),
        ({"email": "brother@example.com"}, False),
    ],
)  # fmt: skip
def test_the_attempt_begun_with_the_same_number_is_continued_in_any_browser(
    earlier, project, details, is_offered
):
    link, before = issue(project, at=LATER, **details)[0], row(earlier)

    offered = link.attempt_to_continue(at=LATER)
    attempt = use(link, at=LATER)

    assert offered == (earlier if is_offered else None)
    assert (attempt == earlier) is is_offered
    assert (row(earlier) == before) is not is_offered


def test_not_even_its_browser_is_offered_an_attempt_of_another_student_or_project(
    earlier, project, other_project, holder
):
    for link, _ in (
        issue(project, at=LATER, email="brother@example.com"),
        issue(other_project, at=LATER),
    ):
        assert link.attempt_to_continue([holder], LATER) is None


def test_the_browsers_own_attempt_goes_before_a_newer_one_of_the_same_number(
    earlier, fresh, holder, project
):
    newer = use(issue(project, at=LATER)[0], start="again", at=LATER)

    elsewhere, here = (
        fresh.start_options(new_browser_token(), held, LATER) for held in ([], [holder])
    )
    assert (elsewhere.offered, elsewhere.is_held) == (newer, False)
    assert (here.offered, here.is_held) == (earlier, True)


@pytest.mark.parametrize(
    ("others", "is_renamed", "is_offered"), [(2, False, True), (3, False, False), (3, True, False)]
)
def test_a_number_of_more_than_three_students_of_the_project_continues_nothing(
    fresh, project, others, is_renamed, is_offered
):
    """The link's number decides, not a newer one given for the same address."""
    StudentFactory.create_batch(others, project=project, mobile="+919876543201")
    StudentFactory.create_batch(4, mobile="+919876543201")
    if is_renamed:
        issue(project, at=LATER, **STRANGERS)

    assert (fresh.attempt_to_continue(at=LATER) is not None) is is_offered


def test_a_placeholder_of_both_continues_nothing(bank, project):
    for mobile in (
        *("0000000000", "1234567890", "123456", "9999999999", "+91 77777-77777", "9876543210"),
    ):
        own = {"mobile": mobile, "email": f"{mobile[-6:]}@example.com"}
        use(issue(project, at=AT, **own)[0], at=AT)
        assert issue(project, at=LATER, **own)[0].attempt_to_continue(at=LATER) is None


def test_a_number_that_only_continued_it_does_not_count(earlier, project, holder):
    assert use(issue(project, at=LATER, **STRANGERS)[0], held=[holder], at=LATER) == earlier

    assert issue(project, at=LATER, **STRANGERS)[0].attempt_to_continue(at=LATER) is None


def test_a_link_by_staff_carries_the_number_of_the_open_attempt(earlier, project):
    """Somebody else may have asked for a link with another number since."""
    issue(project, at=LATER, **STRANGERS)

    link, _ = AssessmentLink.objects.issue_by_staff(earlier.student, by=BY, at=LATER)

    assert link.mobile == "+91 98765 43201"
    assert link.attempt_to_continue(at=LATER) == earlier


@pytest.mark.parametrize("end", ["late", "completed", "left"])
def test_an_attempt_that_has_ended_is_not_offered_and_a_new_one_starts(earlier, fresh, end):
    at = earlier.finish_by_at if end == "late" else LATER
    offered = fresh.attempt_to_continue(at=at - timedelta(milliseconds=1))
    if end == "completed":
        marked_completed(earlier, LATER)
    elif end == "left":
        earlier.abandon(LATER)
    before = row(earlier)

    assert offered == earlier
    assert fresh.attempt_to_continue(at=at) is None
    assert use(fresh, at=at) != earlier
    assert row(earlier) == before
    assert Attempt.objects.count() == 2


def test_to_start_again_where_it_is_held_ends_the_earlier_attempt(earlier, fresh, holder):
    before = row(earlier)

    attempt = use(fresh, start="again", held=[holder], at=LATER)

    fresh.refresh_from_db()
    assert attempt == fresh.attempt != earlier
    assert row(earlier) == before | {"abandoned_at": LATER}
    assert attempt.is_open(LATER)
    assert how_ended(earlier) == End.REPLACED
    assert how_ended(attempt, LATER) is None


def test_to_start_again_by_the_number_alone_leaves_the_other_open(earlier, fresh):
    before = row(earlier)

    attempt = use(fresh, start="again", at=LATER)

    assert attempt != earlier
    assert row(earlier) == before
    assert Attempt.objects.open(LATER).count() == 2


def test_what_the_page_offered_must_be_what_is_offered_now(earlier, fresh, project, rows):
    offered = OfferedAttempt(earlier.assessment_id, "0")
    use(issue(project, at=LATER)[0], offered_on_page=offered, at=LATER)
    before = rows()

    unknown = OfferedAttempt("asm_0000000000000000", "1")
    for offered_on_page in (offered, OfferedAttempt(), unknown):
        for start in ("", "continue", "again"):
            with pytest.raises(OfferChanged):
                use(fresh, offered_on_page=offered_on_page, start=start, at=LATER)

    assert rows() == before
    offered = OfferedAttempt(earlier.assessment_id, "1")
    assert use(fresh, offered_on_page=offered, at=LATER) == earlier


@pytest.mark.parametrize("is_offered", [False, True])
def test_an_attempt_that_ended_is_not_continued_and_the_link_stays_unused(
    earlier, fresh, rows, monkeypatch, is_offered
):
    """`is_offered`: it was open when it was looked for, and had ended when it was to be moved."""
    if is_offered:
        monkeypatch.setattr(AssessmentLink, "attempt_to_continue", lambda *_: earlier)
    earlier.abandon(LATER)
    before = rows()

    with pytest.raises(OfferChanged):
        use(fresh, start="" if is_offered else "continue", at=LATER)

    assert rows() == before


TICKED = re.compile(r"<input[^>]*type=\"radio\"[^>]*\schecked")


@pytest.fixture
def old_browser(bank, project):
    """Give the browser in which two pages were answered, and half of the third."""
    browser = Browser()
    page = browser.start(issue(project)[1])
    for _ in range(3):
        page = browser.go_on(page, choice=2)
    half = {name: page.form.offered(name)[2] for name in page.form.questions[:3]}
    assert browser.press(page, half).status == 400
    return browser


@pytest.fixture
def moved(old_browser, project, browser):
    """Continue in `browser`; give the page that follows."""
    return browser.start(issue(project)[1], start="continue")


def choices():
    return dict(Answer.objects.values_list("position", "choice"))


def test_a_page_half_filled_comes_back_with_what_is_open_which_can_be_answered(moved, browser):
    """What is sent for the others, by a forged form, changes nothing."""
    assert moved.place == "/13"
    assert "15 of 18 answered" in moved.text
    assert "16 to 18 of 18" in moved.text
    assert not TICKED.search(moved.text)
    assert moved.form.questions == ["answer-16", "answer-17", "answer-18"]

    page = browser.press(moved, {f"answer-{position}": "1" for position in range(13, 19)})

    assert page.place == "/19"
    assert [choices()[position] for position in range(13, 19)] == [3, 3, 3, 1, 1, 1]


@pytest.mark.parametrize("position", [1, 7])
def test_the_pages_before_are_neither_shown_nor_changed(moved, browser, position):
    before, address = choices(), question_path(Attempt.objects.get(), position)
    sent = {f"answer-{each}": "5" for each in range(position, position + 6)}

    shown = browser.open(address)
    posted = [
        browser.post(address, {**moved.form.filled, **fields})
        for fields in (sent, {"begin": "yes"})
    ]

    assert shown.place == "/13"
    assert [page.status for page in posted] == [303, 303]
    assert posted[0].location == question_path(Attempt.objects.get(), 13)
    assert choices() == before


def test_the_old_browser_stops_and_shows_nothing_after_a_move_back_either(
    old_browser, browser, project
):
    home, before = inside("attempt", Attempt.objects.get()), choices()
    old_page = old_browser.open(home)
    page = browser.start(issue(project)[1])
    stopped = old_browser.open(home)
    answered = old_browser.send(old_page, dict.fromkeys(old_page.form.questions, "1"))

    for refused in (stopped, answered):
        assert (refused.status, refused.name) == (403, "error-403")
        assert "a new link with the same mobile number" in refused.text
    assert choices() == before
    browser.answer(page)

    page = old_browser.start(issue(project)[1], start="continue")

    assert page.place == "/19"
    for position in (1, 7, 13):
        assert old_browser.open(question_path(Attempt.objects.get(), position)).place == "/19"


def test_an_answer_of_the_old_browser_on_its_way_is_refused(bank, project):
    attempt = answer_until(started(project), 6)
    before, stale = choices(), [Attempt.objects.get() for _ in range(3)]
    assert attempt.continue_in("0" * 64, timezone.now())

    with pytest.raises(ContinuedElsewhere):
        stale[0].record(7, dict.fromkeys(range(7, 13), 1))
    with pytest.raises(ContinuedElsewhere):
        stale[1].begin_section(1)
    with pytest.raises(ContinuedElsewhere):
        stale[2].choose_stream("arts")

    assert choices() == before
    assert Attempt.objects.get().stream == ""
