from __future__ import annotations

import json
import os
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.env import TABLE, VERSION, Environment, Setting, SettingsError, host_of

HIDDEN = "(hidden)"


class Command(BaseCommand):
    help = (
        "Show every setting, its value, and where it came from: the environment, the file .env, "
        "the default, or the demo. Secrets are hidden. Exits with status 1 if a setting is "
        "missing or wrong, and names it. Changes nothing."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.show(settings.ENVIRONMENT, as_json=options["json"])
        except SettingsError as error:
            if error.environment:
                self.show(error.environment, as_json=options["json"])
            raise CommandError(str(error)) from error

    def show(self, environment: Environment, *, as_json: bool) -> None:
        mode_from = "environment" if "MODE" in os.environ else "default"
        cells = [
            ("VERSION", VERSION, "pyproject.toml", "Of the service."),
            ("MODE", environment.mode, mode_from, "production, demo or test."),
        ]
        for each in TABLE:
            value = _shown(each, environment[each.name])
            cells.append((each.name, value, environment.sources[each.name], each.help))
        if as_json:
            rows = [
                dict(zip(("name", "value", "source", "help"), row, strict=True)) for row in cells
            ]
            self.stdout.write(json.dumps(rows, indent=2))
            return
        name_width, value_width, source_width = (
            max(len(str(row[column])) for row in cells) for column in range(3)
        )
        for name, value, source, about in cells:
            self.stdout.write(
                f"{name:<{name_width}}  {value!s:<{value_width}}  {source:<{source_width}}  {about}"
            )


def _shown(setting: Setting, value: Any) -> Any:
    """Return the value to display. Hides secrets; a URL keeps scheme, host, port and name."""
    if not setting.is_secret or not value:
        return value
    return _without_login(value) if setting.name.endswith("_URL") else HIDDEN


def _without_login(address: str) -> str:
    """Return a URL without its credentials, or hide all of it if it cannot be parsed safely."""
    try:
        url = urlsplit(address)
        port = f":{url.port}" if url.port else ""
    except ValueError:
        return HIDDEN
    is_local = url.scheme in ("sqlite", "unix")
    if "@" in f"{url.path}{url.query}{url.fragment}" or not (url.hostname or is_local):
        return HIDDEN
    login = f"{HIDDEN}@" if "@" in url.netloc else ""
    return f"{url.scheme}://{login}{host_of(address)}{port}{url.path}"
