"""Admin of students, links, attempts, courses, banks and statistics."""

from __future__ import annotations

from assessments.admin import (  # noqa: F401  # registers them
    attempts,
    banks,
    courses,
    dashboards,
    items,
    links,
    refused_calls,
    students,
    webhooks,
)
