from __future__ import annotations

import json
import os
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.env import TABLE, VERSION, Environment, Setting, SettingsError

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
        rows = [
            {
                "name": setting.name,
                "value": _shown(setting, environment[setting.name]),
                "source": environment.sources[setting.name],
                "help": setting.help,
            }
            for setting in TABLE
        ]
        mode_from = "environment" if "MODE" in os.environ else "default"
        told = [
            ("VERSION", VERSION, "pyproject.toml", "Of the service."),
            ("MODE", environment.mode, mode_from, "production, demo or test."),
        ]
        rows = [{"name": n, "value": v, "source": s, "help": h} for n, v, s, h in told] + rows
        if as_json:
            self.stdout.write(json.dumps(rows, indent=2))
            return
        widths = [max(len(str(row[key])) for row in rows) for key in ("name", "value", "source")]
        for row in rows:
            cells = (row["name"], str(row["value"]), row["source"])
            line = "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
            self.stdout.write(f"{line}  {row['help']}")


def _shown(setting: Setting, value: Any) -> Any:
    """Return the value to display. Hides secrets; a URL keeps scheme, host, port and name."""
    if not setting.secret or not value:
        return value
    return _shown_address(value) if setting.name.endswith("_URL") else HIDDEN


def _shown_address(value: str) -> str:
    """Return a URL without its credentials, or hide all of it if it cannot be parsed safely."""
    try:
        url = urlsplit(value)
        port = f":{url.port}" if url.port else ""
    except ValueError:
        return HIDDEN
    local = url.scheme in ("sqlite", "unix")
    if "@" in f"{url.path}{url.query}{url.fragment}" or not (url.hostname or local):
        return HIDDEN
    login = f"{HIDDEN}@" if "@" in url.netloc else ""
    host = url.hostname or ""
    return f"{url.scheme}://{login}{f'[{host}]' if ':' in host else host}{port}{url.path}"
