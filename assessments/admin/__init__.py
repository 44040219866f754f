"""The back office of links, attempts, courses and banks; a module per idea."""

from __future__ import annotations

from assessments.admin import (  # noqa: F401  # registers them
    attempts,
    banks,
    courses,
    dashboards,
    items,
    links,
    students,
)
