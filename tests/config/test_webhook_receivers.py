"""The sample receivers of webhooks take a signed event once, and refuse every other one."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import secrets
import shutil
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import reference
from tests.support.databases import free_port
from tests.support.programs import Program

KEY = b"a key of a test, of 32 characters"
SECRET = f"whsec_{base64.b64encode(KEY).decode()}"
COMMANDS = {
    "webhook_receiver.py": [sys.executable, "webhook_receiver.py"],
    "webhook_receiver.mjs": ["node", "webhook_receiver.mjs"],
    "webhook_receiver.php": ["php", "-S", "127.0.0.1:{port}", "webhook_receiver.php"],
}
DATA = {"AssessmentId": "asm_xxxxxxxxxxxxxxxx", "Status": "Completed"}
EVENT = json.dumps({"type": "assessment.completed", "data": DATA}).encode()


class Receiver(Program):
    def __init__(self, port: int, log: Path) -> None:
        super().__init__(log)
        self.url = f"http://127.0.0.1:{port}/webhooks"

    def send(self, body: bytes, **headers: str) -> int:
        """Send an event and return the status of the answer."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.url, body, named, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return int(response.status)
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code


# Node and PHP are no part of the tests' environment: their receivers run where there is one.
@pytest.fixture(
    params=[name for name in COMMANDS if shutil.which(COMMANDS[name][0])], scope="module"
)
def receiver(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Receiver]:
    folder, port = tmp_path_factory.mktemp("receiver"), free_port()
    shutil.copy(reference.EXAMPLES / request.param, folder)
    command = [part.format(port=port) for part in COMMANDS[request.param]]
    receiver = Receiver(port, folder / "log")
    environment = {"WEBHOOK_SECRET": SECRET, "PORT": str(port), "TMPDIR": str(folder)}
    receiver.run(command, cwd=folder, env={"PATH": os.environ["PATH"], **environment})
    receiver.wait_for_port(port)
    yield receiver
    receiver.stop()


def signed(body: bytes, at: float, key: bytes = KEY) -> dict[str, str]:
    """Return the headers of an event, as Standard Webhooks has them."""
    name, moment = f"msg_{secrets.token_hex(8)}", str(int(at))
    made = hmac.new(key, f"{name}.{moment}.".encode() + body, hashlib.sha256).digest()
    signature = f"v1,{base64.b64encode(made).decode()}"
    return {"webhook_id": name, "webhook_timestamp": moment, "webhook_signature": signature}


def test_a_signed_event_is_taken_once(receiver: Receiver) -> None:
    body = json.dumps({"type": "assessment.completed", "data": {"AssessmentId": "asm_once"}})
    headers = signed(body.encode(), time.time())

    assert receiver.send(body.encode(), **headers) in {200, 204}
    assert receiver.send(body.encode(), **headers) in {200, 204}
    assert receiver.logs().count("asm_once") == 1


def test_either_signature_is_enough_while_the_secret_changes(receiver: Receiver) -> None:
    headers = signed(EVENT, time.time())
    other = signed(EVENT, time.time(), b"the next key")["webhook_signature"]
    headers["webhook_signature"] = f"{other} {headers['webhook_signature']}"

    assert receiver.send(EVENT, **headers) in {200, 204}


def test_every_other_event_is_refused(receiver: Receiver) -> None:
    now = time.time()
    good = signed(EVENT, now)

    assert receiver.send(EVENT.replace(b"Completed", b"Abandoned"), **good) == 400
    assert receiver.send(EVENT, **signed(EVENT, now, b"another key")) == 400
    assert receiver.send(EVENT, **signed(EVENT, now - 3600)) == 400
    assert receiver.send(EVENT, **signed(EVENT, now + 3600)) == 400
    assert receiver.send(EVENT, **{**good, "webhook_id": "msg_other"}) == 400
    assert receiver.send(EVENT) == 400
