"""The README's first command, on a copy of the tree: start, try what it prints, Ctrl-C, again."""

import json
import os
import re
import shutil
import signal
import socket
import sys
import time

import pytest

from tests.support.backend import PartnerBackend, Refused
from tests.support.databases import free_port
from tests.support.programs import Program, run
from tests.support.server import ROOT
from tests.support.student import Student

pytestmark = pytest.mark.slow

NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__", "var", "tests")
STUDENT = "asha.rao@example.com"
# Nothing of the machine's own settings reaches the demo; some things that must not matter do.
ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "DATABASE_URL": "postgres://nobody@127.0.0.1:1/production",
    "SECRET_KEY": "short",
}


class Demo(Program):
    def __init__(self, tree, port):
        super().__init__(tree / f"output-{time.monotonic_ns()}")
        # a terminal of its own: Ctrl-C reaches all its processes
        options = {"cwd": tree, "env": ENVIRONMENT, "start_new_session": True}
        self.run([sys.executable, "manage.py", "demo", "--port", str(port)], **options)
        self.wait_for_port(port)
        self.curl = self.printed(r"^ *(curl .*get-redirect-url.*)$")[0]
        self.link = self.printed(r"(http\S+/assessment\?token=\S+)$")[0]
        [token] = re.findall(r"X-Access-Token: (tok_\w+):(sec_[\w-]+)", self.curl)
        [(base_url, project_id)] = re.findall(r"(http\S+)/(prj_\w+)/assessment", self.link)
        self.backend = PartnerBackend(base_url, project_id, *token)

    def printed(self, pattern):
        return re.findall(pattern, self.logs(), re.MULTILINE)

    def paste_curl(self):
        """Paste the printed curl line into a shell as it stands; return the link that it gets."""
        answer = json.loads(run(["bash", "-c", self.curl]).stdout)
        assert list(answer) == ["redirect-url"]
        return str(answer["redirect-url"])

    def press_ctrl_c(self):
        assert self.process
        os.killpg(self.pid, signal.SIGINT)
        return self.process.wait(30)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    tree = tmp_path_factory.mktemp("clone") / "service"
    shutil.copytree(ROOT, tree, ignore=NOT_COPIED)
    return tree


@pytest.fixture(scope="module")
def starts(tree):
    """Give a first start, which Ctrl-C has ended, and a second one with the data of the first."""
    port, first, second = free_port(), None, None
    try:
        first = Demo(tree, port)
        assert first.paste_curl().startswith(f"http://127.0.0.1:{port}/prj_")
        # as browsers do, for what might be asked next
        with socket.create_connection(("127.0.0.1", port)):
            pressed = time.monotonic()
            assert first.press_ctrl_c() == 0
            assert time.monotonic() - pressed < 10
        assert first.printed("Traceback|Error") == []
        second = Demo(tree, port)
        yield first, second
    finally:
        for demo in (first, second):
            if demo and demo.process and demo.process.poll() is None:
                demo.press_ctrl_c()


def test_a_second_start_revokes_the_old_token_and_keeps_the_data(starts):
    old, new = (demo.backend for demo in starts)

    with pytest.raises(Refused) as refused:
        old.attempts(STUDENT)
    new.attempts(STUDENT)

    assert refused.value.status == 401
    assert (new.project_id, new.base_url) == (old.project_id, old.base_url)
    assert new.token_id != old.token_id
    assert starts[1].paste_curl().startswith(f"{new.base_url}/{new.project_id}/")


def test_the_printed_link_leads_to_a_result(starts, chromium):
    demo = starts[1]
    student = Student(chromium.new_context(), demo.backend.base_url)

    student.start(demo.link)
    student.answer_to_the_end()

    [record] = demo.backend.attempts(STUDENT)
    assert record["Recommendations"] == student.recommended != []
    assert student.complaints == []
    student.context.close()


def test_the_printed_sign_in_opens_the_admin(starts, chromium):
    account = r"(http\S+/admin/)\s+user: (\S+)\s+password: (\S+)"
    [(address, name, password)] = starts[1].printed(account)
    page = chromium.new_context().new_page()

    page.goto(address)
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()

    page.get_by_role("link", name="Projects", exact=True).first.click()
    page.get_by_role("link", name="Sahyadri College", exact=True).wait_for()
    page.context.close()
