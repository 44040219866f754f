"""Requests of test projects, which raise no alert: config/metrics.py leaves them out."""

from __future__ import annotations

from typing import Any

from partners.models import Project

MARK = "assess.is_test"


def mark(meta: dict[str, Any], project: Project) -> None:
    """Mark a request, by its META, if it is about a test project. Do so as soon as it is known."""
    if project.is_test:
        meta[MARK] = True
