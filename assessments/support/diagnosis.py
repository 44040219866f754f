"""What happened to a link in one sentence, and what to do about it. Pure, as the timeline is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from assessments.support.timeline import AttemptFacts, LinkFacts, When, progress

ISSUE, CLOSE, EXTEND = "issue", "close", "extend"


@dataclass(frozen=True)
class Verdict:
    """`said` answers what happened, `todo` what to do; `acts` are the buttons, the first first.

    `code` names the case, for tests and for whoever counts them.
    """

    code: str
    said: str
    todo: str
    acts: tuple[str, ...] = ()


ERASED = Verdict(
    "erased",
    "This student was erased: who it was is not known any more, and no link of theirs opens.",
    "Nothing is left to do. A new call of the partner makes a new student.",
)


def verdict(link: LinkFacts, at: datetime, when: When) -> Verdict:
    """Return what is to be said of a link at a moment, whatever state it is in."""
    attempt = link.attempt
    if link.erased_at:
        return ERASED
    if attempt is None:
        return _with_notes(link, _unused(link, at, when), when)
    if attempt.ended == "completed":
        return _completed(link, attempt, when)
    if attempt.ended == "replaced":
        return _ended(attempt, when)
    if attempt.ended:
        return _with_notes(link, _ended(attempt, when), when)
    return _with_notes(link, _running(link, attempt, when), when)


def _unused(link: LinkFacts, at: datetime, when: When) -> Verdict:
    if link.state == "closed":
        return _project_closed(link, at, when)
    if link.state == "expired":
        return _expired(link, when)
    goes_on = f", and offers to continue ({_waiting(link)})" if link.waiting else ""
    until = f"It is not used up: it can be started until {when(link.expires_at)}{goes_on}."
    only_if = "Only if they have lost it, issue a fresh link."
    named = f"link #{link.number}"
    opened, robots = link.fetched("opened"), link.fetched("robot")
    if opened:
        return Verdict(
            "not-started",
            f"The student opened {named} {when(opened[-1].at)} but did not press Start. {until}",
            f"Ask them to open it again, tick the box and press Start. {only_if}",
            (ISSUE,),
        )
    if robots:
        names = " and ".join(dict.fromkeys(robot.what for robot in robots))
        return Verdict(
            "robots-only",
            f"Only {names} fetched {named}; the student has not opened it. {until}",
            f"Ask the student to open it from the message that it came in. {only_if}",
            (ISSUE,),
        )
    return Verdict(
        "unopened",
        f"Nobody has opened {named} yet. {until}",
        "Ask the student to open it from the message that it came in, which may not have arrived. "
        f"If they did open one, it was an older link or a cut-off one. {only_if}",
        (ISSUE,),
    )


def _project_closed(link: LinkFacts, at: datetime, when: When) -> Verdict:
    since = f" since {when(link.project_closed_at)}" if link.project_closed_at else ""
    if link.expires_at <= at:
        afterwards = (
            f"This link has expired meanwhile, {when(link.expires_at)}: once the project is open "
            "again, the student needs a fresh link."
        )
    else:
        afterwards = f"Once it is, this link works again until it expires, {when(link.expires_at)}."
    return Verdict(
        "project-closed",
        f"The project is closed{since}: none of its unused links can be started.",
        f"Ask the partner whether it is to be reopened. {afterwards}",
    )


def _expired(link: LinkFacts, when: When) -> Verdict:
    opened, robots, late = (link.fetched(kind) for kind in ("opened", "robot", "refused"))
    if opened:
        code, why = "expired-not-started", f"it was opened {when(opened[-1].at)}, but not started"
    elif robots:
        code, why = "expired-robots-only", "only a robot had fetched it"
    else:
        code, why = "expired-unopened", "nobody had opened it"
    too_late = f" It was opened too late, {when(late[-1].at)}." if late else ""
    goes_on = f" It will offer to continue ({_waiting(link)})." if link.waiting else ""
    return Verdict(
        code,
        f"Link #{link.number} expired unused {when(link.expires_at)}: {why}.{too_late}",
        f"Issue a fresh link and hand it to the student.{goes_on}",
        (ISSUE,),
    )


def _running(link: LinkFacts, attempt: AttemptFacts, when: When) -> Verdict:
    until = f"It can be continued until {when(attempt.finish_by_at)}."
    last = attempt.last_answer_at
    so_far = f"{progress(attempt)}, the last {when(last)}" if last else "no answer yet"
    fresh = "issue a fresh link: it offers to continue there, on any device"
    if attempt.opened_by not in {None, link.number}:
        return Verdict(
            "moved",
            f"Link #{link.number} has done its work: the attempt went on with link "
            f"#{attempt.opened_by} on another device, {when(attempt.uses[-1].at)}. In progress: "
            f"{so_far}. {until}",
            f"Ask the student to go on in the browser where link #{attempt.opened_by} was opened. "
            f"If it is not at hand, {fresh}.",
            (ISSUE, EXTEND, CLOSE),
        )
    elsewhere = [fetch for fetch in link.fetched("refused") if fetch.at > attempt.last_seen_at]
    if elsewhere:
        return Verdict(
            "other-browser",
            f"The student opened link #{link.number} in another browser {when(elsewhere[-1].at)}, "
            f"where it can't go on. Nothing is lost: {so_far}. {until}",
            "Ask them to open the link in the browser that they started in. If they can't, "
            f"{fresh}.",
            (ISSUE, EXTEND, CLOSE),
        )
    return Verdict(
        "in-progress",
        f"The student is in the middle of it: {so_far}. {until}",
        "Ask them to open the same link in the same browser: it goes on at the next question. "
        f"If that browser is not at hand, {fresh}.",
        (EXTEND, ISSUE, CLOSE),
    )


def _ended(attempt: AttemptFacts, when: When) -> Verdict:
    at = when(attempt.ended_at or attempt.finish_by_at)
    read = f" The partner has read that, first {when(attempt.read_at)}." if attempt.read_at else ""
    so_far = progress(attempt)
    anew = "If they want to take it after all, issue a fresh link: it starts a new attempt."
    said = {
        "late": f"The student did not finish in time: it ended {at} with {so_far}.",
        "left": f"The student left the assessment {at} with {so_far}.",
        "closed": f"Support closed the attempt {at} with {so_far}. Why, stands below.",
        "replaced": f"The student started again with a newer link {at}; this attempt ended with "
        f"{so_far}.",
    }[attempt.ended]
    if attempt.ended == "replaced":
        return Verdict("replaced", said + read, "Look at the student's newer attempt instead.")
    return Verdict(attempt.ended, said + read, anew, (ISSUE,))


def _completed(link: LinkFacts, attempt: AttemptFacts, when: When) -> Verdict:
    done = f"The student completed the assessment {when(attempt.ended_at or attempt.finish_by_at)}"
    again = [fetch for fetch in link.fetched("refused") if fetch.what == "finished"]
    seen = (
        " The link was opened again elsewhere; the result can be seen only in the browser that "
        "it was finished in."
        if again
        else ""
    )
    if attempt.read_at:
        return Verdict(
            "completed-read",
            f"{done}, and the partner first read the outcome {when(attempt.read_at)}.{seen}",
            "Nothing is left to do here. If the student does not see the courses at the partner, "
            "the partner has to look on their side.",
        )
    return Verdict(
        "completed-unread",
        f"{done}. The partner has not read the outcome yet.{seen}",
        "Nothing is left to do for the student. The partner reads the outcome by calling "
        "get-assessments-info with the student's e-mail address.",
    )


def _with_notes(link: LinkFacts, found: Verdict, when: When) -> Verdict:
    """Add what else bears on a link: above all a newer one, before which none is issued."""
    todo, acts = found.todo, found.acts
    if link.newer and found.code != "moved":
        todo = f"The student has a newer link, #{link.newer}: look there first. {todo}"
        acts = () if acts[:1] == (ISSUE,) else acts
    if link.token_revoked_at and link.state in {"unused", "in-use"}:
        todo += (
            f" The access token that asked for the link was revoked {when(link.token_revoked_at)}; "
            "the link works regardless."
        )
    return replace(found, todo=todo, acts=acts)


def _waiting(link: LinkFacts) -> str:
    answered, total = link.waiting or (0, 0)
    return f"{answered} of {total} answered"
