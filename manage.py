#!/usr/bin/env python3
"""Run a management command; `demo` starts in demo mode whatever the environment says."""

from __future__ import annotations

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:2] == ["demo"]:
        os.environ["MODE"] = "demo"

    from django.core.management import execute_from_command_line

    from config.env import SettingsError

    try:
        execute_from_command_line(sys.argv)
    except SettingsError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
