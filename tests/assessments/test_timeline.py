"""What is said of a link in every state, and the line of what happened to it. No database."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from assessments.desk.diagnosis import diagnose
from assessments.desk.timeline import AttemptFacts, Fetch, LinkFacts, StaffAction, Use, events

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
LATER = NOON + 100 * HOUR


def when(at):
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


ENDED = replace(RUNNING, ended_at=NOON + 6 * HOUR)


def ended(how, state="ended", read=None):
    read_at = NOON + read * HOUR if read else None
    attempt = replace(ENDED, ended=how, read_at=read_at)
    return replace(IN_USE, state=state, attempt=attempt)


EXPIRED = replace(UNUSED, state="expired")
CANCELLED = replace(
    UNUSED, state="cancelled", cancelled_at=NOON + 5 * HOUR, cancelled_by="by anna: wrong address"
)
CLOSED = replace(UNUSED, state="closed", project_closed_at=NOON + HOUR)
ELSEWHERE = Fetch(NOON + 5 * HOUR, "refused", "in-use")
LATE = Fetch(NOON + 80 * HOUR, "refused", "expired")

CASES = [
    (UNUSED, "unopened", "Nobody has opened link #7 yet", "issue"),
    (replace(UNUSED, fetches=(ROBOT,)), "robots-only",
     "Only WhatsApp preview fetched link #7", "issue"),
    (replace(UNUSED, fetches=(ROBOT, OPENED)), "not-started",
     "opened link #7 +2h but did not press Start", "issue"),
    (EXPIRED, "expired-unopened", "expired unused +72h: nobody", "issue"),
    (replace(EXPIRED, fetches=(ROBOT,)), "expired-robots-only", "only a robot", "issue"),
    (replace(EXPIRED, fetches=(OPENED,)), "expired-not-started",
     "opened +2h, but not started", "issue"),
    (replace(EXPIRED, fetches=(LATE,)), "expired-unopened", "opened too late, +80h", "issue"),
    (CANCELLED, "cancelled", "was cancelled +5h, by anna: wrong address. Nobody", "issue"),
    (replace(CANCELLED, fetches=(ROBOT, replace(LATE, what="cancelled"))), "cancelled",
     "It was opened afterwards, +80h.", "issue"),
    (CLOSED, "project-closed", "The project is closed since +1h", ""),
    (IN_USE, "in-progress",
     "14 of 44 answered, the last +4h. It can be continued until +27h", "extend issue close"),
    (replace(IN_USE, attempt=replace(RUNNING, answered=0, last_answer_at=None)), "in-progress",
     "no answer yet", "extend issue close"),
    (replace(IN_USE, fetches=(ELSEWHERE,)), "other-browser",
     "in another browser +5h", "issue extend close"),
    (replace(IN_USE, fetches=(replace(ELSEWHERE, at=NOON + 3.5 * HOUR),)), "in-progress",
     "The assessment is in progress", "extend issue close"),
    (replace(IN_USE, attempt=MOVED), "moved", "continued with link #9, +5h", "issue extend close"),
    (ended("left"), "left", "left the assessment +6h with 14 of 44", "issue"),
    (ended("replaced"), "replaced", "started again with a newer link +6h", ""),
    (ended("late"), "late", "did not finish in time: it ended +6h with 14 of 44", "issue"),
    (ended("closed"), "closed", "Support closed the attempt +6h with 14 of 44", "issue"),
    (replace(ended("erased"), erased_at=NOON + 6 * HOUR), "erased", "This student was erased", ""),
    (ended("left", read=9), "left", "The partner first read this outcome +9h", "issue"),
    (ended("completed", "finished"), "completed-unread",
     "+6h. The partner has not read the outcome", ""),
    (ended("completed", "finished", 8), "completed-read",
     "the partner first read the outcome +8h", ""),
]  # fmt: skip


@pytest.mark.parametrize(("facts", "code", "said", "acts"), CASES)
def test_what_happened_and_what_to_do(facts, code, said, acts):
    found = diagnose(facts, LATER, when)

    assert found.code == code
    assert said in found.said
    assert found.todo.endswith(".")
    assert " ".join(found.actions) == acts


REVOKED = "was revoked +4h; the link still works"
MOVABLE = "with the same mobile number: it continues the attempt on any device"
BOUND = "a fresh link starts a new attempt, because the mobile number of this"
IN_OTHER = replace(IN_USE, fetches=(ELSEWHERE,))
STAYS = replace(RUNNING, can_move=False)


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (replace(UNUSED, token_revoked_at=NOON + 4 * HOUR), REVOKED),
        (replace(IN_USE, token_revoked_at=NOON + 4 * HOUR), REVOKED),
        *((IN_USE, MOVABLE), (IN_OTHER, MOVABLE)),
        *((replace(IN_USE, attempt=STAYS), BOUND), (replace(IN_OTHER, attempt=STAYS), BOUND)),
        (replace(UNUSED, others=("asm_2",)), "The student has open: asm_2. This link continues it"),
        (replace(IN_USE, others=("asm_2",)), "The student also has open: asm_2."),
        (replace(EXPIRED, newer=9), "The student has a newer link, #9: check it first."),
    ],
)
def test_what_to_do_depends_on_tokens_numbers_and_other_links(facts, said):
    assert said in diagnose(facts, LATER, when).todo


REVOKED_TOKEN = "The access token that asked for it was revoked"


def entries(facts):
    return [(when(each.at), each.said, each.detail) for each in events(facts, LATER)]


def test_the_whole_timeline_is_in_its_order():
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
        ("+7h", REVOKED_TOKEN, "links already issued still work"),
        ("+8h", "Outcome first read by the partner", ""),
    ]
