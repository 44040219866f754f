"""`manage.py` without settings, without a database, and with a reader that leaves."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from config.env import TABLE
from tests.support.databases import free_port
from tests.support.server import ROOT

COMMANDS = ["config", "demo", "issue_token", "load_courses", "purge", "reset_second_factor"]


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command with this environment and no other."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


def settings_with(database: str) -> dict[str, str]:
    return {
        "SECRET_KEY": secrets.token_urlsafe(50),
        "DATABASE_URL": database,
        "ALLOWED_HOSTS": "127.0.0.1",
        "APP_URL": "http://127.0.0.1",
        "SUPPORT_EMAIL": "support@example.com",
    }


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_help_needs_no_settings(command: str) -> None:
    done = manage(command, "--help")

    assert done.returncode == 0, done.stderr
    assert f"usage: manage.py {command}" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [[], ["--help"], ["help"]])
def test_the_list_of_commands_needs_no_settings(arguments: list[str]) -> None:
    done = manage(*arguments)

    assert done.returncode == 0
    assert set(COMMANDS) <= set(done.stdout.split())


def test_help_that_is_a_value_does_not_change_the_settings() -> None:
    done = manage("list_tokens", "--", "--help")

    assert done.returncode == 1
    assert "SECRET_KEY: is not set." in done.stderr


def test_config_shows_what_is_missing_and_what_is_wrong() -> None:
    done = manage("config", "--json", SECRET_KEY="topsecret", APP_URL="https://127.0.0.1")

    rows = {row["name"]: row for row in json.loads(done.stdout)}
    assert done.returncode == 1
    assert set(rows) == {"MODE"} | {setting.name for setting in TABLE}
    assert (rows["DATABASE_URL"]["value"], rows["DATABASE_URL"]["source"]) == ("", "not set")
    assert (rows["SECRET_KEY"]["value"], rows["SECRET_KEY"]["source"]) == ("", "wrong")
    assert rows["APP_URL"]["source"] == "environment"
    assert rows["LINK_RATE_PER_MINUTE"]["value"] == 300
    assert "DATABASE_URL: is not set." in done.stderr
    assert "topsecret" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", [["list_tokens"], ["load_items"], ["migrate"], ["purge"]])
def test_without_a_database_a_command_says_so_in_one_line(command: list[str]) -> None:
    port = free_port()
    environment = settings_with(f"postgres://u:topsecret@127.0.0.1:{port}/n")

    done = manage(*command, **environment)

    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert f"port {port} failed: Connection refused" in done.stderr
    assert "Traceback" not in done.stderr
    assert "topsecret" not in done.stderr


def test_without_tables_a_command_says_so_in_one_line(tmp_path: Path) -> None:
    done = manage("list_tokens", **settings_with(f"sqlite:///{tmp_path / 'empty.sqlite3'}"))

    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "no such table" in done.stderr


def test_a_traceback_is_shown_on_request(tmp_path: Path) -> None:
    environment = settings_with(f"sqlite:///{tmp_path / 'empty.sqlite3'}")

    done = manage("list_tokens", "--traceback", **environment)

    assert done.returncode == 1
    assert "Traceback" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["config"], ["config", "--json"], ["demo", "--help"]])
def test_a_reader_that_leaves_ends_a_command_quietly(arguments: list[str]) -> None:
    process = subprocess.Popen(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **settings_with("sqlite:///nothing")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stderr

    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()

    assert process.wait(60) == 1
    assert said == ""
