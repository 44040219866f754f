"""The values of `Advice`, as the OpenAPI file and the reference page explain them."""

from __future__ import annotations

from typing import NamedTuple


class Advice(NamedTuple):
    """A value of `Advice` or `reason`: what happened, and what a partner can do.

    `Advice` is about a link, `reason` about a token with the right secret that is refused.
    """

    code: str
    meaning: str
    action: str


FRESH = "Ask for a fresh link."
ADVICE = (
    Advice(
        "unopened",
        "Nobody has opened the link yet.",
        "Remind the student. The message may not have arrived.",
    ),
    Advice(
        "robots-only",
        "Only robots fetched it, such as mail scanners and chat previews.",
        "Remind the student. The link still works.",
    ),
    Advice(
        "not-started",
        "The student opened it, but did not press Start.",
        "Ask the student to open it again, tick the box and press Start.",
    ),
    Advice("expired-unopened", "It expired, and nobody had opened it.", FRESH),
    Advice("expired-robots-only", "It expired, and only robots had fetched it.", FRESH),
    Advice("expired-not-started", "It was opened, but expired before Start was pressed.", FRESH),
    Advice("cancelled", "It was cancelled before the start.", FRESH),
    Advice(
        "in-progress",
        "The assessment is in progress.",
        "Ask the student to open the same link in the same browser.",
    ),
    Advice(
        "other-browser",
        "The student opened the link in another browser, where it can't continue.",
        "Ask the student to go back to the first browser, or ask for a fresh link with the same "
        "mobile number.",
    ),
    Advice("moved", "The assessment went on with a newer link.", "Look at the newer link."),
    Advice("late", "The student did not finish in time.", FRESH),
    Advice("left", "The student left the assessment.", FRESH),
    Advice("closed", "Support closed the assessment.", "Ask support, or ask for a fresh link."),
    Advice(
        "replaced",
        "The student started again with a newer link.",
        "Look at the student's newer assessment.",
    ),
    Advice(
        "completed-unread",
        "The student completed the assessment, and you have not read the result yet.",
        "Read the result.",
    ),
    Advice(
        "completed-read",
        "The student completed the assessment, and you have read the result.",
        "Nothing to do.",
    ),
    Advice(
        "project-closed",
        "The project is closed. You can't see this: your calls get 401.",
        "Ask support.",
    ),
)
