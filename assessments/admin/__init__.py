"""Admin of students, links, attempts, courses, banks and statistics."""

from __future__ import annotations

from assessments.admin import (  # noqa: F401  # registers them
    attempts,
    banks,
    courses,
    items,
    links,
    refused_calls,
    students,
    webhooks,
)
from assessments.figures import admin  # noqa: F401  # likewise
