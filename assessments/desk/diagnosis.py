"""Diagnose a link: a code for what happened, which both support and partners see.

`api/codes.py` says to partners what a code means, `admin/assessments/_diagnosis.html` to support.
"""

from __future__ import annotations

from dataclasses import dataclass

from assessments.desk.link_history import LinkHistory
from assessments.models.ends import End
from assessments.models.links import LinkState

ISSUE, CLOSE, EXTEND = "issue", "close", "extend"
# What support can do, the best first. In other cases, issue a fresh link.
ACTIONS: dict[str, tuple[str, ...]] = {
    "erased": (),
    "project-closed": (),
    "in-progress": (EXTEND, ISSUE, CLOSE),
    "other-browser": (ISSUE, EXTEND, CLOSE),
    "moved": (ISSUE, EXTEND, CLOSE),
    "replaced": (),
    "completed-read": (),
    "completed-unread": (),
}


@dataclass(frozen=True)
class Diagnosis:
    """What happened, as a code, and the suggested actions, the best first.

    `check_first` is the number of a newer link, to look at before another one is issued.
    """

    code: str
    actions: tuple[str, ...] = (ISSUE,)
    check_first: int | None = None


NO_LINK, ERASED = Diagnosis("no-link"), Diagnosis("erased", ())


def diagnose(history: LinkHistory) -> Diagnosis:
    """Return the diagnosis of a link in any state. A pure function."""
    code = _code(history)
    actions = ACTIONS.get(code, (ISSUE,))
    if not history.newer or not actions or code == "moved":
        return Diagnosis(code, actions)
    return Diagnosis(code, () if actions[0] == ISSUE else actions, check_first=history.newer)


def _code(history: LinkHistory) -> str:
    attempt = history.link.assessment
    if history.erased_at:
        return "erased"
    if attempt and history.ended == End.COMPLETED:
        return "completed-read" if attempt.results_read_at else "completed-unread"
    if attempt and history.ended:
        return str(history.ended.value)
    if attempt and history.moved_to:
        return "moved"
    if attempt:
        return "other-browser" if history.is_elsewhere else "in-progress"
    if history.state == LinkState.CANCELLED:
        return "cancelled"
    if history.state == LinkState.CLOSED:
        return "project-closed"
    how = "robots-only" if history.robots else "unopened"
    if history.opened:
        how = "not-started"
    return f"expired-{how}" if history.state == LinkState.EXPIRED else how
