"""The project's settings and middleware, installed for its commands and a system check."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        register(https_needs_a_proxy, Tags.security, deploy=True)


def https_needs_a_proxy(**kwargs: Any) -> list[CheckMessage]:
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
