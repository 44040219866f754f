"""Endpoints for tests."""

from __future__ import annotations

from datetime import datetime

from assessments.models import WebhookEndpoint
from partners.models import Project

WHO = "command:tests"
URL = "https://hooks.example.com/assess"


def set_up(project: Project, url: str = URL, at: datetime | None = None) -> WebhookEndpoint:
    """Set up a project's endpoint, as staff would."""
    return WebhookEndpoint.objects.set_up(project, url, at=at, actor=WHO)
