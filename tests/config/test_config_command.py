"""`manage.py config`: every setting, its value, where it came from; no secret."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django import Settings

from config.env import TABLE, Environment, read
from tests.config.test_environment import COMPLETE


@pytest.fixture
def in_production(settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in COMPLETE.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("SUPPORT_EMAIL")
    monkeypatch.setenv("REDIS_URL", "redis://:h1dden@cache:6379/0")
    (tmp_path / ".env").write_text("SUPPORT_EMAIL=help@example.com\n")
    settings.ENVIRONMENT = read(tmp_path)


def shown(*arguments: str) -> str:
    out = StringIO()
    call_command("config", *arguments, stdout=out)
    return out.getvalue()


def rows() -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in json.loads(shown("--json"))}


@pytest.mark.usefixtures("in_production")
def test_every_setting_is_shown_with_its_source() -> None:
    found = rows()

    assert set(found) == {"MODE"} | {setting.name for setting in TABLE}
    assert found["MODE"]["value"] == "production"
    assert (found["APP_URL"]["value"], found["APP_URL"]["source"]) == (
        "https://assess.example.com",
        "environment",
    )
    assert found["SUPPORT_EMAIL"]["source"] == ".env"
    assert found["LINK_RATE_PER_MINUTE"] == {
        "name": "LINK_RATE_PER_MINUTE",
        "value": 300,
        "source": "default",
        "help": "Link calls that a project may make in a minute.",
    }


@pytest.mark.usefixtures("in_production")
@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_no_secret_is_shown(arguments: tuple[str, ...]) -> None:
    text = shown(*arguments)

    assert COMPLETE["SECRET_KEY"] not in text
    assert "p4ssw0rd" not in text
    assert "h1dden" not in text
    assert "(hidden)@db:5432/name" in text
    assert "(hidden)@cache:6379/0" in text


@pytest.mark.parametrize(
    ("value", "shown_as"),
    [
        ("redis://:ab/HUNTER2@h:6379/0", "(hidden)"),
        ("redis://u:12/HUNTER2@h:6379/0", "(hidden)"),
        ("redis://:HUNTER2#x@h:6379/0", "(hidden)"),
        ("redis://:HUNTER2[@h:6379/0", "(hidden)"),
        ("redis://:12/HUNTER2", "(hidden)"),
        ("redis://u:HUNTER2@[::1]:6379/0?password=HUNTER2", "redis://(hidden)@[::1]:6379/0"),
        ("redis://h:6379/0", "redis://h:6379/0"),
        ("unix:///r.sock?password=HUNTER2", "unix:///r.sock"),
        ("sqlite:////srv/name.sqlite3", "sqlite:////srv/name.sqlite3"),
    ],
)
def test_an_oddly_written_address_is_not_shown(
    settings: Settings, value: str, shown_as: str
) -> None:
    values = {**settings.ENVIRONMENT.values, "REDIS_URL": value}
    settings.ENVIRONMENT = Environment("demo", values, settings.ENVIRONMENT.sources)

    assert rows()["REDIS_URL"]["value"] == shown_as
