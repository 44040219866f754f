"""System checks of our own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register
from django.db import DatabaseError

from assessments.models import WebhookEndpoint


@register(Tags.security, deploy=True)
def a_proxy_ends_https(**kwargs: Any) -> list[CheckMessage]:
    if not settings.SECURE_COOKIES or settings.TRUSTED_PROXY_COUNT:
        return []
    return [
        Warning(
            "APP_URL is an https address, but TRUSTED_PROXY_COUNT is 0.",
            hint="Behind a proxy all requests count as http: pages redirect to themselves, and "
            "calls get https_required. Set the number of proxies in front.",
            id="config.W003",
        )
    ]


@register(Tags.database)
def webhooks_have_a_key(
    databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Warn if a project has webhooks, but there is no key to sign them with.

    Runs with `migrate` and `check --database default`.
    """
    if settings.WEBHOOK_KEY or not databases:
        return []
    try:
        if not WebhookEndpoint.objects.on().exists():
            return []
    except DatabaseError:
        # The first migration is still to come, or there is no database.
        return []
    return [
        Warning(
            "There are webhooks, but there is no WEBHOOK_KEY.",
            hint="Set the key that they were set up with. Another one changes all secrets.",
            id="config.W002",
        )
    ]
