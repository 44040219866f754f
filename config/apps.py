from __future__ import annotations

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """What belongs to no other app; installed for its checks and commands."""

    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401  registers itself
