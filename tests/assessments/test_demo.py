"""The demo: a start without any setting, and a second one with the data of the first."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from assessments.models import AssessmentLink, Course
from config.management.commands import demo
from partners.models import Partner, Project
from tests.support.browser import Browser
from tokens import crypto
from tokens.models import AccessToken

pytestmark = pytest.mark.sqlite

NEEDED = ("config", "partners", "tokens", "assessments", "staff", "templates", "static")


@dataclass(frozen=True)
class Told:
    """What the demo printed."""

    text: str

    @property
    def link(self) -> str:
        return self._found(r"http://\S+/assessment\?token=\S+")

    @property
    def password(self) -> str:
        return self._found(r"(?<=password: )\S+")

    @property
    def curl_lines(self) -> list[list[str]]:
        return [shlex.split(line) for line in re.findall(r"^\s*(curl .*)$", self.text, re.M)]

    @property
    def credential(self) -> str:
        return self._found(r"tok_\w{16}:sec_\w{49}")

    def _found(self, pattern: str) -> str:
        match = re.search(pattern, self.text)
        assert match, f"{pattern} is not in\n{self.text}"
        return match[0]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a copy of what a clone has, without data."""
    folder = tmp_path_factory.mktemp("clone")
    for name in NEEDED:
        shutil.copytree(
            django_settings.BASE_DIR / name,
            folder / name,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    shutil.copy(django_settings.BASE_DIR / "manage.py", folder)
    return folder


@pytest.fixture(scope="module")
def runs(copy: Path) -> list[Told]:
    """Give what two starts printed, one after the other, in an environment of somebody's own."""
    environment = {
        "PATH": os.environ["PATH"],
        "DATABASE_URL": "postgres://production.example/precious",
        "REDIS_URL": "redis://production.example",
        "SECRET_KEY": "the one of production",
    }
    told = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "manage.py", "demo", "--no-serve"],
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        told.append(Told(done.stdout))
    return told


@pytest.fixture
def rows(copy: Path, runs: list[Told]) -> Iterator[Any]:
    """Give a way to ask the demo's database after both starts."""
    connection = sqlite3.connect(copy / "var" / "demo.sqlite3")
    yield lambda sql: connection.execute(sql).fetchall()
    connection.close()


def test_it_prints_what_to_click_and_a_line_to_paste(runs: list[Told]) -> None:
    for told in runs:
        assert told.link.startswith("http://127.0.0.1:8000/prj_")
        assert "http://127.0.0.1:8000/admin/" in told.text
        for line in told.curl_lines:
            assert line[0] == "curl"
            body = json.loads(line[line.index("-d") + 1])
            assert f"X-Access-Token: {told.credential}" in line
            assert "Content-Type: application/json" in line
            assert body["projectId"] in told.link
        paths = [line[2].rpartition("/")[2] for line in told.curl_lines]
        assert paths == ["get-redirect-url", "get-assessments-info"]


def test_twice_it_makes_one_of_everything(rows: Any) -> None:
    assert rows("select count(*) from partners_partner") == [(1,)]
    assert rows("select count(*) from partners_project") == [(1,)]
    assert rows("select count(*) from assessments_course where is_active") == [(24,)]
    assert rows("select count(*) from assessments_itembank") == [(1,)]
    assert rows("select username, is_superuser from auth_user") == [("demo", 1)]


def test_each_start_issues_a_link_and_a_token_and_revokes_the_last(
    runs: list[Told], rows: Any
) -> None:
    first, second = (told.credential.partition(":")[0] for told in runs)
    revoked = dict(rows("select token_id, revoked_at is not null from tokens_accesstoken"))

    assert revoked[first] == 1
    assert revoked[second] == 0
    assert sum(not gone for gone in revoked.values()) == 1
    assert rows("select count(*) from assessments_assessmentlink") == [(2,)]
    assert runs[0].link != runs[1].link
    assert runs[0].password != runs[1].password


def test_the_printed_pair_is_the_stored_one(runs: list[Told], rows: Any) -> None:
    token_id, _, secret = runs[1].credential.partition(":")

    digests = dict(rows("select token_id, secret_digest from tokens_accesstoken"))

    assert crypto.matches(secret, digests[token_id])


def test_everything_stays_in_one_folder(copy: Path, runs: list[Told]) -> None:
    key = copy / "var" / "demo-secret-key"

    assert sorted(path.name for path in copy.iterdir()) == sorted([*NEEDED, "manage.py", "var"])
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert len(key.read_text()) >= 50


@pytest.fixture
def in_demo_mode(db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MODE = "demo"
    settings.APP_URL = settings.APP_URL  # put back after the test, as the command sets it
    monkeypatch.setenv("APP_URL", "")


def start(*options: str) -> Told:
    out = io.StringIO()
    call_command("demo", "--no-serve", *options, stdout=out, stderr=io.StringIO(), no_color=True)
    return Told(out.getvalue())


@pytest.mark.usefixtures("in_demo_mode")
def test_what_it_prints_works(settings: Settings) -> None:
    start()
    told = start("--port", "8123")

    settings.ALLOWED_HOSTS = ["127.0.0.1", "testserver"]
    page = Browser().start(told.link.replace("http://127.0.0.1:8123", ""))
    line = told.curl_lines[0]
    name, _, credential = line[line.index("X-Access-Token: " + told.credential)].partition(": ")
    called = Client().post(
        "/partner/get-redirect-url",
        line[line.index("-d") + 1],
        "application/json",
        headers={name: credential},
    )

    assert page.name == "section"
    assert called.status_code == 200
    assert called.json()["redirect-url"].startswith("http://127.0.0.1:8123/prj_")
    assert Client().login(username="demo", password=told.password)
    assert Partner.objects.count() == Project.objects.count() == User.objects.count() == 1
    assert Course.objects.active().count() == 24
    assert AccessToken.objects.live().count() == 1
    assert AssessmentLink.objects.count() == 3


@pytest.mark.usefixtures("in_demo_mode")
def test_a_password_that_was_changed_is_made_anew() -> None:
    start()
    user = User.objects.get()
    user.is_active = False
    user.set_password("something else entirely")
    user.save()

    told = start()

    assert Client().login(username="demo", password=told.password)


@pytest.mark.usefixtures("in_demo_mode")
def test_tokens_that_one_issued_oneself_live_on() -> None:
    start()
    own, _ = AccessToken.objects.issue(Project.objects.get(), label="mine", actor="command:tests")

    start()

    own.refresh_from_db()
    assert own.is_live()


@pytest.mark.django_db
def test_it_never_touches_another_database() -> None:
    with pytest.raises(CommandError, match=r"manage\.py demo"):
        call_command("demo", "--no-serve")

    assert not Partner.objects.exists()


@pytest.mark.usefixtures("in_demo_mode")
def test_a_port_that_is_taken_is_said_before_anything_is_made() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()

        with pytest.raises(CommandError, match=r"can't be used.*--port"):
            call_command("demo", "--port", str(taken.getsockname()[1]))

    assert not Partner.objects.exists()


@pytest.mark.parametrize(
    ("environment", "options", "port"),
    [
        ("8125", [], 8125),
        ("8125", ["--port", "8126"], 8126),
        ("0", [], 8000),
        ("", [], 8000),
    ],
)
@pytest.mark.usefixtures("in_demo_mode")
def test_the_port_of_the_environment_is_taken_unless_one_is_given(
    monkeypatch: pytest.MonkeyPatch, environment: str, options: list[str], port: int
) -> None:
    monkeypatch.setenv("PORT", environment)

    assert start(*options).link.startswith(f"http://127.0.0.1:{port}/prj_")


def test_a_port_of_the_environment_that_is_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "http")

    with pytest.raises(CommandError, match="“http” is not a port number"):
        call_command("demo", "--no-serve")


@pytest.mark.parametrize("port", [-1, 70_000])
@pytest.mark.usefixtures("in_demo_mode")
def test_a_port_that_is_none(port: int) -> None:
    with pytest.raises(CommandError, match="can't be used"):
        call_command("demo", port=port)


@pytest.mark.usefixtures("in_demo_mode")
def test_it_becomes_the_server_that_ships(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda program, arguments: started.append(arguments))
    monkeypatch.setattr(os, "chdir", lambda folder: None)
    monkeypatch.setattr(demo, "refuse_if_taken", lambda port: None)
    out = io.StringIO()

    call_command("demo", "--port", "8124", stdout=out, stderr=io.StringIO(), no_color=True)

    (arguments,) = started
    assert arguments[1:] == ["-m", "gunicorn", "config.wsgi", "--bind", "127.0.0.1:8124"]
    assert "Serving on http://127.0.0.1:8124" in out.getvalue()
    assert os.environ["APP_URL"] == "http://127.0.0.1:8124"
