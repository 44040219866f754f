#!/usr/bin/env python3
"""Run a management command. `demo` always starts in demo mode."""

from __future__ import annotations

import os
import sys


def main(arguments: list[str]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if arguments[:1] == ["demo"]:
        os.environ["MODE"] = "demo"
    if asks_for_help(arguments):
        # Help needs no settings, so use those of the tests: they are complete and read no file.
        os.environ["MODE"] = "test"

    from django.core.management import execute_from_command_line
    from django.db import InterfaceError, OperationalError, ProgrammingError

    from config.env import SettingsError

    try:
        execute_from_command_line(sys.argv)
    except SettingsError as error:
        sys.exit(str(error))
    except (InterfaceError, OperationalError, ProgrammingError) as error:
        if "--traceback" in arguments:
            raise
        message = " ".join(str(error).split())
        sys.exit(f"The database: {message} (Add --traceback to see where.)")


def asks_for_help(arguments: list[str]) -> bool:
    if "--" in arguments:
        arguments = arguments[: arguments.index("--")]
    return not arguments or arguments[0] == "help" or not {"-h", "--help"}.isdisjoint(arguments)


if __name__ == "__main__":
    try:
        try:
            main(sys.argv[1:])
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader has closed the pipe, as in `list_tokens | head`. Python flushes again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
