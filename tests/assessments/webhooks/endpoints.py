"""Endpoints for tests."""

from assessments.models import WebhookEndpoint

WHO = "command:tests"
URL = "https://hooks.example.com/assess"


def set_up(project, url=URL, at=None):
    return WebhookEndpoint.objects.set_up(project, url, at=at, actor=WHO)
