"""Admin of students, links, attempts, courses, items, banks, figures and webhooks."""

from __future__ import annotations

from assessments.admin import (  # noqa: F401  # registers them
    attempts,
    banks,
    courses,
    items,
    links,
    refused_calls,
    students,
)
from assessments.figures import admin  # noqa: F401  # likewise
from assessments.webhooks import admin as webhooks  # noqa: F401  # likewise
