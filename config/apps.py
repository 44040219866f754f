from __future__ import annotations

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """The project's settings and middleware. Installed for its checks and commands."""

    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401  registers itself
