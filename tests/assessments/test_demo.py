"""The demo: a start without any setting, and a second one with the data of the first."""

from __future__ import annotations

import io
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from assessments.models import AssessmentLink, Course
from partners.models import Partner, Project
from tests.support.browser import Browser
from tokens.models import AccessToken

pytestmark = pytest.mark.sqlite


@dataclass(frozen=True)
class Output:
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


@pytest.fixture
def in_demo_mode(db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MODE = "demo"
    settings.APP_URL = settings.APP_URL  # put back after the test, as the command sets it
    monkeypatch.setenv("APP_URL", "")


def start(*options: str) -> Output:
    out = io.StringIO()
    call_command("demo", "--no-serve", *options, stdout=out, stderr=io.StringIO(), no_color=True)
    return Output(out.getvalue())


@pytest.mark.usefixtures("in_demo_mode")
def test_what_it_prints_works(settings: Settings) -> None:
    start()
    output = start("--port", "8123")

    settings.ALLOWED_HOSTS = ["127.0.0.1", "testserver"]
    page = Browser().start(output.link.replace("http://127.0.0.1:8123", ""))
    line = output.curl_lines[0]
    name, _, credential = line[line.index("X-Access-Token: " + output.credential)].partition(": ")
    called = Client().post(
        "/partner/get-redirect-url",
        line[line.index("-d") + 1],
        "application/json",
        headers={name: credential},
    )

    assert page.asks_subjects
    assert called.status_code == 200
    assert called.json()["redirect-url"].startswith("http://127.0.0.1:8123/prj_")
    assert Client().login(username="demo", password=output.password)
    assert Partner.objects.count() == User.objects.count() == 1
    assert list(Project.objects.order_by("pk").values_list("is_test", flat=True)) == [False, True]
    assert Course.objects.active().count() == 2 * 24
    assert AccessToken.objects.live().count() == 2
    assert AssessmentLink.objects.count() == 3


@pytest.mark.usefixtures("in_demo_mode")
def test_the_lines_of_the_test_project_give_a_completed_result_at_once() -> None:
    def paste(line: list[str]) -> Any:
        path = line[2].partition("//")[2].partition("/")[2]
        headers = dict(each.split(": ", 1) for each in line if ": tok_" in each)
        body = line[line.index("-d") + 1]
        return Client().post(f"/{path}", body, "application/json", headers=headers).json()

    *_, link, results = start().curl_lines

    answer, [record] = paste(link), paste(results)

    assert "tok_test_" in str(link)
    assert list(answer) == ["redirect-url"]
    assert record["Status"] == "Completed"
    assert len(record["Recommendations"]) == 5


@pytest.mark.usefixtures("in_demo_mode")
def test_it_says_how_to_send_webhooks() -> None:
    [line] = re.findall(r"^ +MODE=demo (.*)$", start().text, re.M)

    python, *command = shlex.split(line)
    assert Path(python).is_file()
    assert command == ["manage.py", "deliver_webhooks"]


@pytest.mark.slow
@pytest.mark.usefixtures("in_demo_mode")
def test_tokens_that_one_issued_oneself_live_on() -> None:
    start()
    own, _ = AccessToken.objects.issue(Project.objects.first(), label="mine", actor="command:tests")

    start()

    own.refresh_from_db()
    assert own.is_live()


@pytest.mark.django_db
def test_it_never_touches_another_database() -> None:
    with pytest.raises(CommandError, match=r"manage\.py demo"):
        call_command("demo", "--no-serve")

    assert not Partner.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("environment", "options", "port"),
    [("8125", [], 8125), ("8125", ["--port", "8126"], 8126), ("", [], 8000)],
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


@pytest.mark.usefixtures("in_demo_mode")
def test_a_port_that_is_none() -> None:
    with pytest.raises(CommandError, match="can't be used"):
        call_command("demo", port=70_000)
