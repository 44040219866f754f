"""The sample receivers of webhooks take a signed event once, and refuse every other one."""

from __future__ import annotations

import base64
import json
import os
import shutil
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assessments.webhooks.sender import headers_of
from config import reference
from partners.public_ids import new_public_id
from tests.support.databases import free_port
from tests.support.programs import Program

SECRET, OTHER = (
    f"whsec_{base64.b64encode(key).decode()}"
    for key in (b"a key of a test, of 32 characters", b"the next key")
)
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

    def send(self, body: bytes, headers: dict[str, str]) -> int:
        """Send an event and return the status of the answer."""
        request = urllib.request.Request(self.url, body, headers, method="POST")
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


def signed(body: bytes, at: float, secret: str = SECRET) -> dict[str, str]:
    """Return the headers of an event, as the deliverer signs it."""
    event_id, moment = new_public_id("msg"), datetime.fromtimestamp(at, UTC)
    return headers_of(event_id, body.decode(), [secret], moment)


def test_a_signed_event_is_taken_once(receiver: Receiver) -> None:
    body = EVENT.replace(b"asm_xxxxxxxxxxxxxxxx", b"asm_once")
    headers = signed(body, time.time())

    assert receiver.send(body, headers) in {200, 204}
    assert receiver.send(body, headers) in {200, 204}
    assert receiver.logs().count("asm_once") == 1


def test_either_signature_is_enough_while_the_secret_changes(receiver: Receiver) -> None:
    headers = headers_of("msg_both", EVENT.decode(), [OTHER, SECRET], datetime.now(UTC))

    assert receiver.send(EVENT, headers) in {200, 204}


def test_every_other_event_is_refused(receiver: Receiver) -> None:
    now = time.time()
    good = signed(EVENT, now)

    assert receiver.send(EVENT.replace(b"Completed", b"Abandoned"), good) == 400
    assert receiver.send(EVENT, signed(EVENT, now, OTHER)) == 400
    assert receiver.send(EVENT, signed(EVENT, now - 3600)) == 400
    assert receiver.send(EVENT, signed(EVENT, now + 3600)) == 400
    assert receiver.send(EVENT, {**good, "webhook-id": "msg_other"}) == 400
    assert receiver.send(EVENT, {}) == 400
