"""What is said of a link in every state, and the line of what happened to it. No database."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from assessments.models.ends import End
from assessments.models.links import LinkState
from assessments.support.diagnosis import diagnose
from assessments.support.timeline import (
    AttemptFacts,
    Fetch,
    LinkFacts,
    StaffAction,
    Use,
    events,
)

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
LATER = NOON + 100 * HOUR


def when(at: datetime) -> str:
    """Write a moment as the hours since noon."""
    return f"+{(at - NOON) / HOUR:g}h"


UNUSED = LinkFacts(
    number=7,
    state="unused",
    issued_at=NOON,
    issued_by="by access token tok_1",
    expires_at=NOON + 72 * HOUR,
)
ROBOT = Fetch(NOON + HOUR, "robot", "WhatsApp preview")
OPENED = Fetch(NOON + 2 * HOUR, "opened")
RUNNING = AttemptFacts(
    assessment_id="asm_1",
    started_at=NOON + 3 * HOUR,
    finish_by_at=NOON + 27 * HOUR,
    total=44,
    answered=14,
    last_answer_at=NOON + 4 * HOUR,
    uses=(Use(7, NOON + 3 * HOUR),),
    sections=(("Interests", NOON + 3 * HOUR),),
)
IN_USE = replace(UNUSED, state="in-use", used_at=NOON + 3 * HOUR, attempt=RUNNING)
MOVED = replace(RUNNING, uses=(*RUNNING.uses, Use(9, NOON + 5 * HOUR)))


def ended(how: str, state: str = "ended", read: int | None = None) -> LinkFacts:
    read_at = NOON + read * HOUR if read else None
    attempt = replace(RUNNING, ended=how, ended_at=NOON + 6 * HOUR, read_at=read_at)
    return replace(IN_USE, state=state, attempt=attempt)


EXPIRED = replace(UNUSED, state="expired")
CANCELLED = replace(
    UNUSED, state="cancelled", cancelled_at=NOON + 5 * HOUR, cancelled_by="by anna: wrong address"
)
CLOSED = replace(UNUSED, state="closed", project_closed_at=NOON + HOUR)
ELSEWHERE = Fetch(NOON + 5 * HOUR, "refused", "in-use")
LATE = Fetch(NOON + 80 * HOUR, "refused", "expired")

CASES = [
    (UNUSED, "unopened", "Nobody has opened link #7 yet. It still works", "issue"),
    (replace(UNUSED, fetches=(ROBOT,)), "robots-only",
     "Only WhatsApp preview fetched link #7", "issue"),
    (replace(UNUSED, fetches=(ROBOT, OPENED)), "not-started",
     "The student opened link #7 +2h but did not press Start", "issue"),
    (EXPIRED, "expired-unopened", "expired unused +72h: nobody had opened it", "issue"),
    (replace(EXPIRED, fetches=(ROBOT,)), "expired-robots-only", "only a robot", "issue"),
    (replace(EXPIRED, fetches=(OPENED,)), "expired-not-started", "opened +2h, but not started",
     "issue"),
    (replace(EXPIRED, fetches=(LATE,)), "expired-unopened", "opened too late, +80h", "issue"),
    (CANCELLED, "cancelled",
     "Link #7 was cancelled +5h, by anna: wrong address. Nobody had started it.", "issue"),
    (replace(CANCELLED, fetches=(ROBOT, replace(LATE, what="cancelled"))), "cancelled",
     "Nobody had started it. It was opened afterwards, +80h.", "issue"),
    (CLOSED, "project-closed", "The project is closed since +1h", ""),
    (IN_USE, "in-progress", "14 of 44 answered, the last +4h. It can be continued until +27h",
     "extend issue close"),
    (replace(IN_USE, attempt=replace(RUNNING, answered=0, last_answer_at=None)), "in-progress",
     "no answer yet", "extend issue close"),
    (replace(IN_USE, fetches=(ELSEWHERE,)), "other-browser",
     "in another browser +5h, where it can't continue. Nothing is lost: 14 of 44",
     "issue extend close"),
    (replace(IN_USE, fetches=(replace(ELSEWHERE, at=NOON + 3.5 * HOUR),)), "in-progress",
     "The assessment is in progress", "extend issue close"),
    (replace(IN_USE, attempt=MOVED), "moved", "continued with link #9, +5h",
     "issue extend close"),
    (ended("left"), "left", "The student left the assessment +6h with 14 of 44", "issue"),
    (ended("replaced"), "replaced", "started again with a newer link +6h", ""),
    (ended("late"), "late", "did not finish in time: it ended +6h with 14 of 44", "issue"),
    (ended("closed"), "closed", "Support closed the attempt +6h with 14 of 44", "issue"),
    (replace(ended("erased"), erased_at=NOON + 6 * HOUR), "erased",
     "This student was erased. Their identity is gone", ""),
    (ended("left", read=9), "left", "The partner first read this outcome +9h", "issue"),
    (ended("completed", "finished"), "completed-unread",
     "completed the assessment +6h. The partner has not read the outcome yet", ""),
    (ended("completed", "finished", 8), "completed-read",
     "completed the assessment +6h, and the partner first read the outcome +8h", ""),
]  # fmt: skip


@pytest.mark.parametrize(("facts", "code", "said", "acts"), CASES)
def test_one_sentence_says_what_happened_and_one_what_to_do(
    facts: LinkFacts, code: str, said: str, acts: str
) -> None:
    found = diagnose(facts, LATER, when)

    assert found.code == code
    assert said in found.said
    assert found.todo.endswith(".")
    assert " ".join(found.actions) == acts


def test_every_state_of_a_link_and_every_end_has_its_sentence() -> None:
    states = {facts.state for facts, *_ in CASES}
    ends = {facts.attempt.ended for facts, *_ in CASES if facts.attempt}

    assert states == set(LinkState.values)
    assert ends == {"", *End.values}


@pytest.mark.parametrize("facts", [UNUSED, IN_USE])
def test_a_revoked_token_is_said_to_end_no_link(facts: LinkFacts) -> None:
    found = diagnose(replace(facts, token_revoked_at=NOON + 4 * HOUR), LATER, when)

    assert "was revoked +4h; the link still works" in found.todo


@pytest.mark.parametrize("facts", [IN_USE, replace(IN_USE, fetches=(ELSEWHERE,))])
def test_a_fresh_link_is_said_to_continue_only_what_it_can(facts: LinkFacts) -> None:
    movable = diagnose(facts, LATER, when)
    bound = diagnose(replace(facts, attempt=replace(RUNNING, can_move=False)), LATER, when)

    assert "with the same mobile number: it continues the attempt on any device" in movable.todo
    assert "a fresh link starts a new attempt, because the mobile number of this" in bound.todo


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (UNUSED, "The student has open: asm_2. This link continues it only in the browser"),
        (IN_USE, "The student also has open: asm_2."),
    ],
)
def test_other_open_attempts_of_the_student_are_named(facts: LinkFacts, said: str) -> None:
    found = diagnose(replace(facts, others=("asm_2",)), LATER, when)

    assert said in found.todo
    assert "asm_2" not in diagnose(facts, LATER, when).todo


def test_a_newer_link_is_pointed_at_first() -> None:
    found = diagnose(replace(EXPIRED, newer=9), LATER, when)

    assert found.todo.startswith("The student has a newer link, #9: check it first.")


def test_a_closed_project_s_link_is_promised_only_until_it_expires() -> None:
    before = diagnose(CLOSED, NOON + 71 * HOUR, when)
    after = diagnose(CLOSED, NOON + 72 * HOUR, when)

    assert before.todo.endswith("If it is, this link works again until it expires, +72h.")
    assert "works again" not in after.todo
    assert after.todo.endswith(
        "This link has since expired, +72h: when the project is open again, the student needs "
        "a fresh link."
    )


def entries(facts: LinkFacts) -> list[tuple[str, str, str]]:
    return [(when(each.at), each.said, each.detail) for each in events(facts, LATER)]


def test_a_whole_story_is_in_its_order() -> None:
    attempt = replace(
        MOVED,
        actions=(StaffAction(NOON + 4.5 * HOUR, "assessment.extended", "anna", "exam week"),),
        ended="left",
        ended_at=NOON + 6 * HOUR,
        read_at=NOON + 8 * HOUR,
    )
    facts = replace(
        IN_USE,
        state="ended",
        attempt=attempt,
        fetches=(ROBOT, OPENED, Fetch(NOON + 3.2 * HOUR, "opened"), ELSEWHERE),
        token_revoked_at=NOON + 7 * HOUR,
    )

    assert entries(facts) == [
        ("+0h", "Issued", "by access token tok_1"),
        ("+1h", "Fetched by WhatsApp preview", "this does not use the link"),
        ("+2h", "Opened", ""),
        ("+3h", "Started", "asm_1, with this link"),
        ("+3h", "Reached “Interests”", ""),
        ("+3.2h", "Opened again in the same browser", ""),
        ("+4h", "Last answer", "14 of 44 answered"),
        ("+4.5h", "More time given", "anna: exam week"),
        ("+5h", "Opened in another browser, where it can't continue", ""),
        ("+5h", "Continued", "with link #9"),
        ("+6h", "Left by the student", "14 of 44 answered"),
        (
            "+7h",
            "The access token that asked for it was revoked",
            "links already issued still work",
        ),
        ("+8h", "Outcome first read by the partner", ""),
    ]


def test_a_closing_by_support_appears_once_with_actor_and_reason() -> None:
    act = StaffAction(NOON + 6 * HOUR, "assessment.closed", "anna", "wrong college")
    facts = ended("closed")
    assert facts.attempt
    facts = replace(facts, attempt=replace(facts.attempt, actions=(act,)))

    last = [said for said in entries(facts) if said[0] == "+6h"]

    assert last == [("+6h", "Closed by support", "anna: wrong college")]


def test_a_cancelled_link_does_not_expire_and_works_no_more() -> None:
    facts = replace(CANCELLED, token_revoked_at=NOON + 5 * HOUR)

    assert entries(facts) == [
        ("+0h", "Issued", "by access token tok_1"),
        ("+5h", "The access token that asked for it was revoked", ""),
        ("+5h", "Cancelled", "by anna: wrong address"),
    ]


def test_an_erasure_names_the_attempt_that_it_ended() -> None:
    erased = replace(ended("erased"), erased_at=NOON + 6 * HOUR)

    assert entries(erased)[-1] == ("+6h", "Erased", "this ended the attempt, 14 of 44 answered")
