"""What `manage.py` and gunicorn do with wrong settings, and what `manage.py config` shows."""

import json
import os
import secrets
import sys
from io import StringIO

import pytest
from django.core.management import call_command

from config.env import TABLE, Environment, read
from tests.config.test_settings import COMPLETE
from tests.support.databases import free_port
from tests.support.programs import run

COMMANDS = ["config", "demo", "issue_token", "load_courses", "purge", "reset_second_factor"]
NAMES = {"MODE", "VERSION"} | {setting.name for setting in TABLE}


def python(*arguments, **environment):
    """Run Python with this environment and no other."""
    return run([sys.executable, *arguments], env={"PATH": os.environ["PATH"], **environment})


def settings_with(database):
    return {
        "SECRET_KEY": secrets.token_urlsafe(50),
        "DATABASE_URL": database,
        "ALLOWED_HOSTS": "127.0.0.1",
        "APP_URL": "http://127.0.0.1",
        "SUPPORT_EMAIL": "support@example.com",
    }


def shown(*arguments):
    out = StringIO()
    call_command("config", *arguments, stdout=out)
    return out.getvalue()


def test_config_shows_each_setting_with_its_source_and_no_secret(settings, monkeypatch, tmp_path):
    for name, value in {**COMPLETE, "REDIS_URL": "redis://:h1dden@cache:6379/0"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("SUPPORT_EMAIL")
    (tmp_path / ".env").write_text("SUPPORT_EMAIL=help@example.com\n")
    settings.ENVIRONMENT = read(tmp_path)

    table, rows = shown(), json.loads(shown("--json"))

    found = {row["name"]: row for row in rows}
    assert found.keys() == NAMES
    assert {name: (found[name]["value"], found[name]["source"]) for name in COMPLETE} == {
        "MODE": ("production", "environment"),
        "SECRET_KEY": ("(hidden)", "environment"),
        "DATABASE_URL": ("postgres://(hidden)@db:5432/name", "environment"),
        "ALLOWED_HOSTS": (["assess.example.com", "localhost"], "environment"),
        "APP_URL": ("https://assess.example.com", "environment"),
        "SUPPORT_EMAIL": ("help@example.com", ".env"),
    }
    row = {"name": "LINK_RATE_PER_MINUTE", "value": 300, "source": "default"}
    assert found["LINK_RATE_PER_MINUTE"] == row
    assert "redis://(hidden)@cache:6379/0" in table
    for secret in (COMPLETE["SECRET_KEY"], "p4ssw0rd", "h1dden"):
        assert secret not in table + str(rows)


@pytest.mark.parametrize(
    ("value", "shown_as"),
    [
        ("redis://u:HUNTER2@[::1]:6379/0?password=HUNTER2", "redis://(hidden)@[::1]:6379/0"),
        ("unix:///r.sock?password=HUNTER2", "unix:///r.sock"),
        ("unix://u:HUNTER2@/r.sock", "unix://(hidden)@/r.sock"),
        ("sqlite:////srv/a@b/name.sqlite3", "sqlite:////srv/a@b/name.sqlite3"),
    ],
)
def test_config_shows_no_password_of_an_oddly_written_address(settings, value, shown_as):
    values = {**settings.ENVIRONMENT.values, "REDIS_URL": value}
    settings.ENVIRONMENT = Environment("demo", values, settings.ENVIRONMENT.sources)

    [row] = [row for row in json.loads(shown("--json")) if row["name"] == "REDIS_URL"]

    assert row["value"] == shown_as


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [[], ["--help"], ["help"], *([name, "--help"] for name in COMMANDS)]
)
def test_help_and_the_list_of_commands_need_no_settings(arguments):
    done = python("manage.py", *arguments)

    assert done.returncode == 0, done.stderr
    if len(arguments) < 2:
        assert set(COMMANDS) <= set(done.stdout.split())
    else:
        assert f"usage: manage.py {arguments[0]}" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("command", ["list_tokens", "load_items", "migrate", "purge"])
def test_without_a_database_a_command_says_so_in_one_line(command):
    port = free_port()
    environment = settings_with(f"postgres://u:topsecret@127.0.0.1:{port}/n")

    done = python("manage.py", command, **environment)

    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert f"port {port} failed: Connection refused" in done.stderr
    assert "topsecret" not in done.stderr


@pytest.mark.slow
def test_without_tables_a_command_says_so_in_one_line_or_in_a_traceback(tmp_path):
    environment = settings_with(f"sqlite:///{tmp_path / 'empty.sqlite3'}")

    done = python("manage.py", "list_tokens", **environment)
    traced = python("manage.py", "list_tokens", "--traceback", **environment)

    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "no such table" in done.stderr
    assert traced.returncode == 1
    assert "Traceback" in traced.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("flags", "environment", "says"),
    [
        (["--workers", "2"], {}, ["REDIS_URL"]),
        ([], {"WEB_CONCURRENCY": "2"}, ["REDIS_URL"]),
        ([], {"MODE": "test"}, ["MODE=test"]),
        ([], None, [f"{name}: is not set." for name in COMPLETE if name != "MODE"]),
    ],
)
def test_gunicorn_does_not_start_with_wrong_settings(service, flags, environment, says):
    given = {"MODE": "production"} if environment is None else service.environment | environment

    done = python("-m", "gunicorn", "config.wsgi", "--bind", "127.0.0.1:0", *flags, **given)

    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert not [each for each in says if each not in done.stderr]
