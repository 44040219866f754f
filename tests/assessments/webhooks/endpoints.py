"""Endpoints for tests."""

from assessments.models import WebhookEndpoint
from tests.factories import BY

URL = "https://hooks.example.com/assess"


def set_up(project, url=URL, at=None):
    return WebhookEndpoint.objects.set_up(project, url, at=at, by=BY)
