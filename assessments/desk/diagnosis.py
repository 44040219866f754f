"""Diagnose a link: say in one sentence what happened, and what to do. Pure, like `timeline`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from assessments.desk.timeline import AttemptFacts, LinkFacts, When, progress

ISSUE, CLOSE, EXTEND = "issue", "close", "extend"


@dataclass(frozen=True)
class Diagnosis:
    """What happened (`said`), what to do (`todo`), and the suggested actions, the best first.

    `code` names the case.
    """

    code: str
    said: str
    todo: str
    actions: tuple[str, ...] = ()


ERASED = Diagnosis(
    "erased",
    "This student was erased. Their identity is gone and their links no longer work.",
    "There is nothing left to do. If the partner asks for a new link, a new student is created.",
)


def diagnose(link: LinkFacts, at: datetime, when: When) -> Diagnosis:
    """Return the diagnosis of a link in any state. `when` formats times."""
    if link.erased_at:
        return ERASED
    return _with_other_attempts(link, _of_link(link, at, when))


def _of_link(link: LinkFacts, at: datetime, when: When) -> Diagnosis:
    attempt = link.attempt
    if attempt is None:
        return _with_notes(link, _unused(link, at, when), when)
    if attempt.ended == "completed":
        return _completed(link, attempt, when)
    found = _ended(attempt, when) if attempt.ended else _running(link, attempt, when)
    return found if attempt.ended == "replaced" else _with_notes(link, found, when)


def _unused(link: LinkFacts, at: datetime, when: When) -> Diagnosis:
    if link.state == "cancelled":
        return _cancelled(link, when)
    if link.state == "closed":
        return _project_closed(link, at, when)
    if link.state == "expired":
        return _expired(link, when)
    goes_on = f", and offers to continue ({_waiting(link)})" if link.waiting else ""
    until = f"It still works: it can be started until {when(link.expires_at)}{goes_on}."
    only_if = "Issue a fresh link only if they have lost it."
    named = f"link #{link.number}"
    opened, robots = link.fetched("opened"), link.fetched("robot")
    if opened:
        return Diagnosis(
            "not-started",
            f"The student opened {named} {when(opened[-1].at)} but did not press Start. {until}",
            f"Ask them to open it again, tick the box and press Start. {only_if}",
            (ISSUE,),
        )
    if robots:
        names = " and ".join(dict.fromkeys(robot.what for robot in robots))
        return Diagnosis(
            "robots-only",
            f"Only {names} fetched {named}; the student has not opened it. {until}",
            f"Ask the student to open it from the original message. {only_if}",
            (ISSUE,),
        )
    return Diagnosis(
        "unopened",
        f"Nobody has opened {named} yet. {until}",
        "Ask the student to open it from the original message, which may not have arrived. "
        f"If they did open a link, it was an older or a truncated one. {only_if}",
        (ISSUE,),
    )


def _project_closed(link: LinkFacts, at: datetime, when: When) -> Diagnosis:
    since = f" since {when(link.project_closed_at)}" if link.project_closed_at else ""
    if link.expires_at <= at:
        afterwards = (
            f"This link has since expired, {when(link.expires_at)}: when the project is open "
            "again, the student needs a fresh link."
        )
    else:
        afterwards = f"If it is, this link works again until it expires, {when(link.expires_at)}."
    return Diagnosis(
        "project-closed",
        f"The project is closed{since}, so its unused links cannot be started.",
        f"Ask the partner whether the project should be reopened. {afterwards}",
    )


def _cancelled(link: LinkFacts, when: When) -> Diagnosis:
    cancelled = f" {when(link.cancelled_at)}" if link.cancelled_at else ""
    by = f", {link.cancelled_by}" if link.cancelled_by else ""
    late = [fetch for fetch in link.fetched("refused") if fetch.what == "cancelled"]
    too_late = f" It was opened afterwards, {when(late[-1].at)}." if late else ""
    return Diagnosis(
        "cancelled",
        f"Link #{link.number} was cancelled{cancelled}{by}. Nobody had started it.{too_late}",
        "It can't be started any more. If the student should take the assessment, issue a fresh "
        "link, or ask the partner to.",
        (ISSUE,),
    )


def _expired(link: LinkFacts, when: When) -> Diagnosis:
    opened, robots, late = (link.fetched(kind) for kind in ("opened", "robot", "refused"))
    if opened:
        code, why = "expired-not-started", f"it was opened {when(opened[-1].at)}, but not started"
    elif robots:
        code, why = "expired-robots-only", "only a robot had fetched it"
    else:
        code, why = "expired-unopened", "nobody had opened it"
    too_late = f" It was opened too late, {when(late[-1].at)}." if late else ""
    goes_on = f" It will offer to continue ({_waiting(link)})." if link.waiting else ""
    return Diagnosis(
        code,
        f"Link #{link.number} expired unused {when(link.expires_at)}: {why}.{too_late}",
        f"Issue a fresh link and send it to the student.{goes_on}",
        (ISSUE,),
    )


def _running(link: LinkFacts, attempt: AttemptFacts, when: When) -> Diagnosis:
    until = f"It can be continued until {when(attempt.finish_by_at)}."
    last = attempt.last_answer_at
    so_far = f"{progress(attempt)}, the last {when(last)}" if last else "no answer yet"
    fresh = (
        "issue a fresh link with the same mobile number: it continues the attempt on any device"
        if attempt.can_move
        else "a fresh link starts a new attempt, because the mobile number of this one does not "
        "count: it is not valid, a placeholder, of more than three students of the project, or a "
        "newer attempt has it too"
    )
    if attempt.opened_by not in {None, link.number}:
        return Diagnosis(
            "moved",
            f"The attempt continued with link #{attempt.opened_by}, "
            f"{when(attempt.uses[-1].at)}. Link #{link.number} is no longer needed. In progress: "
            f"{so_far}. {until}",
            "Ask the student to continue in the browser where they opened link "
            f"#{attempt.opened_by}. If they can't, {fresh}.",
            (ISSUE, EXTEND, CLOSE),
        )
    elsewhere = [fetch for fetch in link.fetched("refused") if fetch.at > attempt.last_seen_at]
    if elsewhere:
        return Diagnosis(
            "other-browser",
            f"The student opened link #{link.number} in another browser {when(elsewhere[-1].at)}, "
            f"where it can't continue. Nothing is lost: {so_far}. {until}",
            "Ask them to open the link in the browser that they started in. If they can't, "
            f"{fresh}.",
            (ISSUE, EXTEND, CLOSE),
        )
    return Diagnosis(
        "in-progress",
        f"The assessment is in progress: {so_far}. {until}",
        "Ask the student to open the same link in the same browser: it continues at the next "
        f"question. If they can't, {fresh}.",
        (EXTEND, ISSUE, CLOSE),
    )


def _ended(attempt: AttemptFacts, when: When) -> Diagnosis:
    at = when(attempt.ended_at or attempt.finish_by_at)
    read = (
        f" The partner first read this outcome {when(attempt.read_at)}." if attempt.read_at else ""
    )
    so_far = progress(attempt)
    anew = "If they still want to take it, issue a fresh link: it starts a new attempt."
    said = {
        "late": f"The student did not finish in time: it ended {at} with {so_far}.",
        "left": f"The student left the assessment {at} with {so_far}.",
        "closed": f"Support closed the attempt {at} with {so_far}. The reason is below.",
        "replaced": f"The student started again with a newer link {at}; this attempt ended with "
        f"{so_far}.",
    }[attempt.ended]
    if attempt.ended == "replaced":
        return Diagnosis("replaced", said + read, "See the student's newer attempt.")
    return Diagnosis(attempt.ended, said + read, anew, (ISSUE,))


def _completed(link: LinkFacts, attempt: AttemptFacts, when: When) -> Diagnosis:
    done = f"The student completed the assessment {when(attempt.ended_at or attempt.finish_by_at)}"
    again = [fetch for fetch in link.fetched("refused") if fetch.what == "finished"]
    seen = (
        " The link was opened again in another browser; the result is visible only in the one "
        "where it was completed."
        if again
        else ""
    )
    if attempt.read_at:
        return Diagnosis(
            "completed-read",
            f"{done}, and the partner first read the outcome {when(attempt.read_at)}.{seen}",
            "There is nothing left to do. If the partner does not show the courses to the "
            "student, ask the partner to check their system.",
        )
    return Diagnosis(
        "completed-unread",
        f"{done}. The partner has not read the outcome yet.{seen}",
        "The student has nothing left to do. The partner reads the outcome by calling "
        "get-assessments-info with the student's e-mail address.",
    )


def _with_notes(link: LinkFacts, found: Diagnosis, when: When) -> Diagnosis:
    """Mention a newer link, to check before issuing another one, and a revoked token."""
    todo, actions = found.todo, found.actions
    if link.newer and found.code != "moved":
        todo = f"The student has a newer link, #{link.newer}: check it first. {todo}"
        actions = () if actions[:1] == (ISSUE,) else actions
    if link.token_revoked_at and link.state in {"unused", "in-use"}:
        todo += (
            f" The access token that asked for the link was revoked {when(link.token_revoked_at)}; "
            "the link still works."
        )
    return replace(found, todo=todo, actions=actions)


def _with_other_attempts(link: LinkFacts, found: Diagnosis) -> Diagnosis:
    """Mention open attempts that this link does not lead to."""
    if not link.others:
        return found
    named = " and ".join(link.others)
    if link.attempt or link.waiting or link.state == "cancelled":
        note = f"The student also has open: {named}."
    else:
        note = (
            f"The student has open: {named}. This link continues it only in the browser that holds "
            "it, because it was started with another mobile number, or with one that does not "
            "count; elsewhere it starts a new attempt."
        )
    return replace(found, todo=f"{found.todo} {note}")


def _waiting(link: LinkFacts) -> str:
    answered, total = link.waiting or (0, 0)
    return f"{answered} of {total} answered"
