"""The values of `Advice`, each with what happened to a link and what the partner can do."""

from __future__ import annotations

FRESH = "Ask for a fresh link."
ADVICE = {
    "unopened": (
        "Nobody has opened the link yet.",
        "Remind the student. The message may not have arrived.",
    ),
    "robots-only": (
        "Only robots fetched it, such as mail scanners and chat previews.",
        "Remind the student. The link still works.",
    ),
    "not-started": (
        "As far as we can tell, the student opened it, but did not press Start. A mail scanner "
        "that pretends to be a browser looks the same.",
        "Ask the student to open it again, tick the box and press Start.",
    ),
    "expired-unopened": ("It expired, and nobody had opened it.", FRESH),
    "expired-robots-only": ("It expired, and only robots had fetched it.", FRESH),
    "expired-not-started": (
        "As far as we can tell, the student opened it, but it expired before Start was pressed.",
        FRESH,
    ),
    "cancelled": ("It was cancelled before the start.", FRESH),
    "in-progress": (
        "The attempt is in progress.",
        "Ask the student to open the same link in the same browser.",
    ),
    "other-browser": (
        "As far as we can tell, the student opened the link in another browser, where it can't "
        "continue.",
        "Ask the student to go back to the first browser, or ask for a fresh link with the same "
        "mobile number.",
    ),
    "moved": ("The attempt continued with a newer link.", "Look at the newer link."),
    "late": ("The student did not finish in time.", FRESH),
    "left": ("The student left the attempt.", FRESH),
    "closed": ("Support closed the attempt.", "Ask support, or ask for a fresh link."),
    "replaced": (
        "The student started again with a newer link.",
        "Look at the student's newer attempt.",
    ),
    "completed-unread": (
        "The student completed the attempt, and you have not read the result yet.",
        "Read the result.",
    ),
    "completed-read": (
        "The student completed the attempt, and you have read the result.",
        "Nothing to do.",
    ),
    "project-closed": (
        "The project is closed. You can't see this: your calls get 401.",
        "Ask support.",
    ),
}
