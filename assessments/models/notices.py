"""The notice to which a student agrees before the start."""

from __future__ import annotations

# The version of the notice in templates/student/landing.html, in all languages: a day. Change it
# when the promises or questions there change, not for better wording.
NOTICE_VERSION = "2026-11-23"
