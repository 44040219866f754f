"""The notice to which a student agrees before the start, and what it lets partners be told."""

from __future__ import annotations

# The version of the notice in templates/student/landing.html, in all languages. Change it when the
# promises or questions there change, not for better wording. Attempts store the months promised.
# A version is a day, with a number for a later one of that day, so that versions sort as text.
NOTICE_VERSION = "2026-11-23.2"
# The first one that names more than whether the student finished, how long it took and the courses:
# progress, times, language, whether the answers look careless, course codes and reasons.
TELLS_MORE_SINCE = "2026-11-23.2"


def tells_more(consent_version: str) -> bool:
    """Return whether a partner may be told more than the four fields, start and end."""
    return consent_version >= TELLS_MORE_SINCE
