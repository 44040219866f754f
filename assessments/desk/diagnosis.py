"""Diagnose a link: a code for what happened, which both support and partners see.

`api/codes.py` says to partners what a code means, `admin/assessments/_diagnosis.html` to support.
"""

from __future__ import annotations

from assessments.desk.link_history import LinkHistory
from assessments.models.ends import End
from assessments.models.links import LinkState

NO_LINK, ERASED = "no-link", "erased"


def diagnose(history: LinkHistory) -> str:
    """Return the diagnosis of a link in any state. A pure function."""
    attempt = history.link.assessment
    if history.erased_at:
        return ERASED
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
