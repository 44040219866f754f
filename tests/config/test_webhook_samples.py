"""The receivers of webhooks in the reference take a signed event once, and refuse any other."""

import base64
import hmac
import json
import os
import shutil
import time
import urllib.error
import urllib.request
from datetime import UTC, datetime

import pytest
from standardwebhooks import Webhook

from assessments.webhooks.sender import headers_of
from tests.config.samples import EXAMPLES, INTERPRETERS, SUFFIXES
from tests.support.databases import free_port
from tests.support.programs import Program

pytestmark = pytest.mark.slow

SECRET, OTHER = (
    f"whsec_{base64.b64encode(key).decode()}"
    for key in (b"a key of a test, of 32 characters", b"the next key")
)
EVENT = (
    b'{"type": "assessment.completed", "data": {"AssessmentId": "asm_x", "Status": "Completed"}}'
)


class Receiver(Program):
    url = ""

    def send(self, body, headers):
        request = urllib.request.Request(self.url, body, headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return int(response.status)
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code


@pytest.fixture(params=SUFFIXES, scope="module")
def receiver(request, tmp_path_factory):
    folder, port = tmp_path_factory.mktemp("receiver"), free_port()
    name = f"webhook_receiver.{request.param}"
    shutil.copy(EXAMPLES / name, folder)
    server = ["-S", f"127.0.0.1:{port}"] if request.param == "php" else []
    receiver = Receiver(folder / "log")
    receiver.url = f"http://127.0.0.1:{port}/webhooks"
    environment = {"WEBHOOK_SECRET": SECRET, "PORT": str(port), "TMPDIR": str(folder)}
    receiver.run(
        [INTERPRETERS[request.param], *server, name],
        cwd=folder,
        env={"PATH": os.environ["PATH"], **environment},
    )
    receiver.wait_for_port(port)
    yield receiver
    receiver.stop()


def signed(name, *secrets, later=0, body=EVENT):
    moment = datetime.fromtimestamp(time.time() + later, UTC)
    return headers_of(f"msg_{name}", body.decode(), list(secrets or (SECRET,)), moment)


def test_the_example_of_a_signature_is_what_we_and_the_library_make_of_its_text():
    example = (EXAMPLES / "webhook_signature.txt").read_text(encoding="utf-8")
    setting, headers, body, signed = example.strip().split("\n\n")
    secret = setting.removeprefix("WEBHOOK_SECRET=")
    sent = dict(line.split(": ") for line in headers.splitlines())
    event_id, timestamp, signature = sent.values()
    moment = datetime.fromtimestamp(int(timestamp), UTC)

    assert headers_of(event_id, body, [secret], moment) == sent
    assert Webhook(secret).sign(event_id, moment, body) == signature
    text = signed.partition("\n")[2]
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, text.encode(), "sha256")
    assert text == f"{event_id}.{timestamp}.{body}"
    assert signature == f"v1,{base64.b64encode(digest).decode()}"
    assert json.loads(body) == json.loads((EXAMPLES / "webhook_event.json").read_text())


def test_a_receiver_takes_a_signed_event_once(receiver):
    body = EVENT.replace(b"asm_x", b"asm_once")
    headers = signed("once", body=body)

    assert {receiver.send(body, headers) for _ in range(2)} <= {200, 204}
    assert receiver.logs().count("asm_once") == 1
    # Either signature is enough while the secret changes.
    assert receiver.send(EVENT, signed("both", OTHER, SECRET)) in {200, 204}


def test_a_receiver_refuses_every_other_event(receiver):
    good = signed("other")
    refused = [
        (EVENT.replace(b"Completed", b"Abandoned"), good),
        (EVENT, signed("other", OTHER)),
        (EVENT, signed("other", later=-3600)),
        (EVENT, signed("other", later=3600)),
        (EVENT, {**good, "webhook-id": "msg_another"}),
        (EVENT, {}),
    ]

    assert [receiver.send(body, headers) for body, headers in refused] == [400] * len(refused)
