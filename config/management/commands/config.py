import os
import re
from typing import Any

from django.conf import settings

from config.env import TABLE, VERSION, Setting
from partners.management.base import DataCommand

HIDDEN = "(hidden)"


class Command(DataCommand):
    help = (
        "Show every setting with its value and source: the environment, the file .env, the "
        "default, or the demo. Hides secrets and changes nothing. If a setting is missing or "
        "wrong, names it and exits with 1."
    )
    requires_system_checks = []

    def handle(self, *args: Any, json: bool, **options: Any) -> None:
        environment = settings.ENVIRONMENT
        rows = [
            ("VERSION", VERSION, "pyproject.toml"),
            ("MODE", environment.mode, "environment" if "MODE" in os.environ else "default"),
        ]
        for each in TABLE:
            value = shown(each, environment[each.name])
            rows.append((each.name, value, environment.sources[each.name]))
        if json:
            names = ("name", "value", "source")
            self.print_data([dict(zip(names, row, strict=True)) for row in rows])
            return
        for name, value, source in rows:
            self.stdout.write(f"{name:<30} {source:<15} {value}")


def shown(setting: Setting, value: Any) -> Any:
    """Return the value to display. Of a secret URL it keeps scheme, host, port and path."""
    if not setting.is_secret or not value:
        return value
    if not setting.name.endswith("_URL"):
        return HIDDEN
    return re.sub(r"//[^/]*@", f"//{HIDDEN}@", value.partition("?")[0])
