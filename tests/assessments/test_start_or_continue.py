"""A fresh link of a student whose attempt is still open: continue it, or start again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from assessments.models import Assessment, AssessmentLink, ItemBank
from assessments.models.ends import End, Status
from assessments.models.links import (
    NOTICE_VERSION,
    LinkState,
    LinkUnavailable,
    NothingToContinue,
    Offer,
    Seen,
)
from partners.models import Project
from tests.assessments.attempts import (
    answer_until,
    completed,
    how_ended,
    issue,
    new_browser_token,
    use,
)

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
LATER = AT + timedelta(hours=1)

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]


@pytest.fixture
def holder() -> str:
    """Give the token of the browser in which `earlier` was begun."""
    return new_browser_token()


@pytest.fixture
def earlier(bank: ItemBank, project: Project, holder: str) -> Assessment:
    """Give an attempt with twelve answers, in a browser of its own."""
    link, _ = issue(project, at=AT)
    return answer_until(use(link, holder, at=AT), 12, AT)


@pytest.fixture
def fresh(earlier: Assessment, project: Project) -> AssessmentLink:
    link, _ = issue(project, at=LATER)
    return link


def test_a_first_start_makes_an_attempt(bank: ItemBank, project: Project) -> None:
    project.finish_by_hours = 30
    project.save()
    link, _ = issue(project, at=AT)
    browser_token = new_browser_token()

    attempt = link.start(browser_token, language="en", at=LATER)

    row = Assessment.objects.get()
    link.refresh_from_db()
    assert row == attempt == link.assessment
    assert row.student == link.student
    assert row.bank == bank
    assert row.language == "en"
    assert row.started_at == row.consented_at == link.used_at == LATER
    assert row.consent_version == NOTICE_VERSION
    assert row.finish_by_at == LATER + timedelta(hours=30)
    assert row.is_in_browser(browser_token)
    assert browser_token not in row.browser_digest
    assert row.status_at(LATER) == Status.IN_PROGRESS
    assert not row.answers.exists()
    assert row.assessment_id.startswith("asm_")
    assert len(row.assessment_id) == 20


@pytest.mark.parametrize("choice", ["continue", ""])
def test_to_continue_moves_the_attempt_to_this_browser(
    earlier: Assessment, fresh: AssessmentLink, choice: str
) -> None:
    digest, answers = earlier.browser_digest, list(earlier.answers.values())
    browser_token = new_browser_token()

    attempt = use(fresh, browser_token, start=choice, at=LATER)

    assert attempt.is_in_browser(browser_token)
    earlier.refresh_from_db()
    fresh.refresh_from_db()
    assert attempt == earlier == fresh.assessment
    assert earlier.is_in_browser(browser_token)
    assert earlier.browser_digest != digest
    assert earlier.started_at == AT
    assert earlier.finish_by_at == AT + timedelta(hours=24)
    assert list(earlier.answers.values()) == answers
    assert Assessment.objects.count() == 1
    assert earlier.links.count() == 2
    assert (earlier.moves, earlier.moved_at) == (1, LATER)
    assert earlier.read_answers().shown(7) == []
    assert len(earlier.read_answers().page(7)) == 6


def test_to_continue_where_it_is_held_hides_nothing(
    earlier: Assessment, fresh: AssessmentLink, holder: str
) -> None:
    attempt = use(fresh, held=holder, at=LATER)

    attempt.refresh_from_db()
    assert attempt == earlier
    assert (attempt.moves, attempt.moved_at) == (1, None)
    assert not attempt.is_in_browser(holder)
    assert len(attempt.read_answers().shown(7)) == 6


def test_the_browsers_own_attempt_goes_before_one_of_the_same_number(
    earlier: Assessment, fresh: AssessmentLink, holder: str, project: Project
) -> None:
    newer = use(issue(project, at=LATER)[0], start="again", at=LATER)

    by_number, own = fresh.attempt_to_continue("", LATER), fresh.attempt_to_continue(holder, LATER)

    assert by_number == Offer(newer, is_held=False)
    assert own == Offer(earlier, is_held=True)


def test_the_token_of_another_students_attempt_opens_none(
    earlier: Assessment, project: Project, holder: str
) -> None:
    link, _ = issue(project, at=LATER, email="brother@example.com")

    assert link.attempt_to_continue(holder, LATER) is None


@pytest.mark.parametrize(
    "mobile", ["9876543210", "09876543210", "+919876543210", "98765-43210", "(+91) 98765 43210"]
)
def test_a_number_is_the_same_in_any_spelling(
    earlier: Assessment, project: Project, mobile: str
) -> None:
    link, _ = issue(project, at=LATER, mobile=mobile)

    assert link.attempt_to_continue(at=LATER) == Offer(earlier, is_held=False)


@pytest.mark.parametrize("mobile", ["9876543211", "+1 987 654 3210", "123456"])
def test_another_number_continues_nothing(
    earlier: Assessment, project: Project, mobile: str
) -> None:
    link, _ = issue(project, at=LATER, mobile=mobile)

    attempt = use(link, at=LATER)

    assert attempt != earlier
    earlier.refresh_from_db()
    assert earlier.is_open(LATER)
    assert (earlier.moves, earlier.moved_at) == (0, None)


def test_a_number_that_only_continued_it_does_not_count(
    earlier: Assessment, project: Project, holder: str
) -> None:
    strangers = {"mobile": "+91 91234 56789"}
    use(issue(project, at=LATER, **strangers)[0], held=holder, at=LATER)

    link, _ = issue(project, at=LATER, **strangers)

    assert link.attempt_to_continue(at=LATER) is None


def test_a_link_by_staff_carries_the_number_of_the_open_attempt(
    earlier: Assessment, project: Project
) -> None:
    """Somebody else may have asked for a link with another number since."""
    issue(project, at=LATER, mobile="+91 91234 56789")

    link, _ = AssessmentLink.objects.issue_by_staff(earlier.student, actor="staff:1", at=LATER)

    assert link.mobile == "+91 98765 43210"
    assert link.attempt_to_continue(at=LATER) == Offer(earlier, is_held=False)


def test_what_the_page_offered_must_be_what_is_offered_now(
    earlier: Assessment, fresh: AssessmentLink, project: Project
) -> None:
    offered = Seen(earlier.assessment_id, "0")
    use(issue(project, at=LATER)[0], seen=offered, at=LATER)
    before = Assessment.objects.values().get()

    for seen in (offered, Seen(), Seen("asm_0000000000000000", "1")):
        for start in ("", "continue", "again"):
            with pytest.raises(NothingToContinue):
                use(fresh, seen=seen, start=start, at=LATER)

    fresh.refresh_from_db()
    assert fresh.used_at is None
    assert Assessment.objects.values().get() == before
    assert use(fresh, seen=Seen(earlier.assessment_id, "1"), at=LATER) == earlier


def test_an_answer_of_a_clock_that_is_ahead_is_hidden_too(
    earlier: Assessment, fresh: AssessmentLink
) -> None:
    ahead = LATER + timedelta(seconds=5)
    earlier.record(13, dict.fromkeys(range(13, 19), 3), ahead)

    attempt = use(fresh, at=LATER)

    assert attempt.moved_at == ahead
    assert attempt.read_answers().shown(13) == []


def test_to_start_again_where_it_is_held_ends_the_earlier_attempt(
    earlier: Assessment, fresh: AssessmentLink, holder: str
) -> None:
    attempt = use(fresh, start="again", held=holder, at=LATER)

    earlier.refresh_from_db()
    fresh.refresh_from_db()
    assert attempt != earlier
    assert fresh.assessment == attempt
    assert earlier.abandoned_at == LATER
    assert earlier.status_at(LATER) == Status.ABANDONED
    assert attempt.is_open(LATER)
    assert earlier.answers.given().count() == 12
    assert how_ended(earlier) == End.REPLACED
    assert how_ended(attempt, LATER) is None


def test_to_start_again_by_the_number_alone_leaves_the_other(
    earlier: Assessment, fresh: AssessmentLink
) -> None:
    before = Assessment.objects.values().get()

    attempt = use(fresh, start="again", at=LATER)

    assert attempt != earlier
    assert attempt.is_open(LATER)
    assert Assessment.objects.values().get(pk=earlier.pk) == before
    assert Assessment.objects.open(LATER).count() == 2


def test_nothing_to_continue_leaves_the_link_unused(
    earlier: Assessment, fresh: AssessmentLink
) -> None:
    earlier.abandon(LATER)

    with pytest.raises(NothingToContinue):
        use(fresh, start="continue", at=LATER)

    fresh.refresh_from_db()
    assert fresh.used_at is None
    assert fresh.assessment is None
    assert Assessment.objects.count() == 1


def test_an_attempt_that_ends_meanwhile_is_not_continued(
    earlier: Assessment, fresh: AssessmentLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was open when it was looked for, and had ended when it was to be moved."""
    offer = Offer(earlier, is_held=False)
    monkeypatch.setattr(AssessmentLink, "attempt_to_continue", lambda *_: offer)
    earlier.abandon(LATER)

    with pytest.raises(NothingToContinue):
        use(fresh, start="", at=LATER)

    fresh.refresh_from_db()
    assert fresh.used_at is None


def test_a_link_that_is_used_meanwhile_is_refused_by_the_update(
    bank: ItemBank, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was read before, the row count of the one conditional update decides."""
    link, _ = issue(project, at=AT)
    first = use(link, at=AT)
    stale = AssessmentLink.objects.get(pk=link.pk)
    monkeypatch.setattr(AssessmentLink, "state_at", lambda link, at: LinkState.UNUSED)

    with pytest.raises(LinkUnavailable) as refused:
        use(stale, start="again", at=AT)

    assert refused.value.state == LinkState.IN_USE
    link.refresh_from_db()
    first.refresh_from_db()
    assert link.assessment == first
    assert first.is_open(AT)
    assert Assessment.objects.count() == 1


def test_past_its_finish_by_an_attempt_is_not_offered(
    earlier: Assessment, fresh: AssessmentLink
) -> None:
    at = earlier.finish_by_at
    offered = fresh.attempt_to_continue(at=at - timedelta(milliseconds=1))
    assert offered == Offer(earlier, is_held=False)

    attempt = use(fresh, at=at)

    assert attempt != earlier
    earlier.refresh_from_db()
    assert earlier.abandoned_at is None
    assert earlier.status_at(at) == Status.ABANDONED


def test_after_a_completed_attempt_a_fresh_link_starts_a_new_one(
    earlier: Assessment, fresh: AssessmentLink
) -> None:
    completed(earlier, LATER)

    attempt = use(fresh, at=LATER)

    assert attempt != earlier
    earlier.refresh_from_db()
    assert earlier.completed_at == LATER
    assert Assessment.objects.count() == 2


def test_an_open_attempt_of_another_student_or_project_is_not_offered(
    earlier: Assessment, project: Project, other_project: Project
) -> None:
    for link, _ in (
        issue(project, at=LATER, email="brother@example.com"),
        issue(other_project, at=LATER),
    ):
        assert use(link, at=LATER) != earlier
        earlier.refresh_from_db()
        assert earlier.is_open(LATER)


def test_the_name_of_a_continued_attempt_is_that_of_the_link(
    earlier: Assessment, project: Project
) -> None:
    """A name given with another link is not told to the browser that used this one."""
    link, _ = issue(project, at=LATER, name="Bina Rao")

    attempt = use(link, at=LATER)

    assert attempt.given_name == "Bina"
