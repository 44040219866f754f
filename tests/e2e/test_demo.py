"""The README's first command, on a copy of the tree: start, try what it prints, Ctrl-C, again."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.backend import PartnerBackend, Refused
from tests.support.databases import free_port
from tests.support.server import ROOT
from tests.support.student import Student

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__", "var", "tests")
STUDENT = "asha.rao@example.com"
# Nothing of the machine's own settings reaches the demo; some things that must not matter do.
ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "DATABASE_URL": "postgres://nobody@127.0.0.1:1/production",
    "SECRET_KEY": "short",
}


@dataclass
class Demo:
    """One start of the demo, by what it prints."""

    process: subprocess.Popen[bytes]
    output: Path
    port: int

    @classmethod
    def start(cls, tree: Path, port: int) -> Demo:
        """Start it and return when it serves."""
        output = tree / f"output-{time.monotonic_ns()}"
        with output.open("wb") as file:
            process = subprocess.Popen(
                [sys.executable, "manage.py", "demo", "--port", str(port)],
                cwd=tree,
                env=ENVIRONMENT,
                stdout=file,
                stderr=file,
                start_new_session=True,  # a terminal of its own: Ctrl-C reaches all its processes
            )
        demo = cls(process, output, port)
        end = time.monotonic() + 60
        while not demo.serves():
            assert process.poll() is None, demo.printed
            assert time.monotonic() < end, demo.printed
            time.sleep(0.1)
        return demo

    def serves(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def press_ctrl_c(self) -> int:
        """Do what a terminal does, and return the exit status."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(30)

    @property
    def printed(self) -> str:
        return self.output.read_text()

    @property
    def curl_line(self) -> str:
        return str(re.findall(r"^ *(curl .*get-redirect-url.*)$", self.printed, re.M)[0])

    @property
    def link(self) -> str:
        return str(re.findall(r"^ *(http\S+/assessment\?token=\S+)$", self.printed, re.M)[0])

    @property
    def backend(self) -> PartnerBackend:
        """A partner's backend with the credential of the curl line."""
        token_id, secret = re.findall(r"X-Access-Token: (tok_\w+):(sec_[\w-]+)", self.curl_line)[0]
        base_url, project_id = re.findall(r"(http\S+)/(prj_\w+)/assessment", self.link)[0]
        return PartnerBackend(base_url, project_id, token_id, secret)


@dataclass(frozen=True)
class Twice:
    """A first start that has ended, and a second one with the data of the first."""

    tree: Path
    first: Demo
    first_answer: str
    first_status: int
    seconds_to_end: float
    second: Demo


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twice]:
    tree = tmp_path_factory.mktemp("clone") / "service"
    shutil.copytree(ROOT, tree, ignore=NOT_COPIED)
    port = free_port()
    started = []
    try:
        started.append(first := Demo.start(tree, port))
        answer = paste(first.curl_line)
        # as browsers do, for what might be asked next
        with socket.create_connection(("127.0.0.1", port)):
            pressed = time.monotonic()
            status = first.press_ctrl_c()
            seconds = time.monotonic() - pressed
        started.append(second := Demo.start(tree, port))
        yield Twice(tree, first, answer, status, seconds, second)
    finally:
        for one in started:
            if one.process.poll() is None:
                one.press_ctrl_c()


def paste(line: str) -> str:
    """Return what a line prints that is pasted into a shell as it stands."""
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    return done.stdout


def manage(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=tree,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_the_curl_line_works_unchanged(demo: Twice) -> None:
    answers = [json.loads(answer) for answer in (demo.first_answer, paste(demo.second.curl_line))]

    for answer in answers:
        assert list(answer) == ["redirect-url"]
        assert answer["redirect-url"].startswith(f"http://127.0.0.1:{demo.second.port}/prj_")


def test_ctrl_c_ends_it_soon_and_without_a_traceback(demo: Twice) -> None:
    assert demo.first_status == 0
    assert demo.seconds_to_end < 10
    assert "Traceback" not in demo.first.printed
    assert "Error" not in demo.first.printed


def test_a_second_start_revokes_the_old_token_and_keeps_the_data(demo: Twice) -> None:
    old, new = demo.first.backend, demo.second.backend

    with pytest.raises(Refused) as refused:
        old.assessments(STUDENT)
    new.assessments(STUDENT)

    assert refused.value.status == 401
    assert new.project_id == old.project_id
    assert new.token_id != old.token_id


def test_the_printed_link_leads_to_a_result(demo: Twice, chromium: Browser) -> None:
    student = Student(chromium.new_context(), demo.second.backend.base_url)

    student.start(demo.second.link)
    student.answer_to_the_end()

    [record] = demo.second.backend.assessments(STUDENT)
    assert record["Recommendations"] == student.recommended != []
    assert student.complaints() == []
    student.context.close()


def test_everything_stays_in_one_folder(demo: Twice) -> None:
    copied = {path.name for path in ROOT.iterdir()} - NOT_COPIED(str(ROOT), os.listdir(ROOT))
    key = demo.tree / "var" / "demo-secret-key"

    made = {path.name for path in demo.tree.iterdir()} - copied - {"__pycache__"}
    assert {name for name in made if not name.startswith("output-")} == {"var"}
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert len(key.read_text()) >= 50


def test_the_printed_sign_in_opens_the_admin(demo: Twice, chromium: Browser) -> None:
    [(address, name, password)] = re.findall(
        r"(http\S+/admin/)\s+user: (\S+)\s+password: (\S+)", demo.second.printed
    )
    context = chromium.new_context()
    page = context.new_page()

    page.goto(address)
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()

    page.get_by_role("link", name="Projects", exact=True).first.click()
    page.get_by_role("link", name="Sahyadri College", exact=True).wait_for()
    context.close()


def test_a_taken_port_is_named_and_nothing_is_changed(demo: Twice) -> None:
    done = manage(demo.tree, "demo", "--port", str(demo.second.port))

    assert done.returncode == 1
    assert done.stdout == ""
    assert f"Port {demo.second.port} can't be used" in done.stderr
    assert "--port" in done.stderr
    assert "Traceback" not in done.stderr
    assert demo.second.backend.assessments("nobody@example.com") == []
