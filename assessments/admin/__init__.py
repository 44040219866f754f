"""The back office of links, attempts, courses and banks; a module per idea."""

from __future__ import annotations

from assessments.admin import attempts, courses, items, students  # noqa: F401  # registers them
