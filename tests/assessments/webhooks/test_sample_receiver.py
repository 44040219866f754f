"""The sample receiver, run as it stands, verifies what the deliverer sends."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from assessments.models import WebhookEvent
from assessments.webhooks.sender import Deliverer
from config import reference
from partners.models import Project
from tests.assessments.attempts import started
from tests.assessments.webhooks.endpoints import WHO, set_up
from tests.support.databases import free_port
from tests.support.programs import until

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("bank")]


def _is_open(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


@pytest.fixture
def sample(project: Project) -> Iterator[subprocess.Popen[str]]:
    """Give the sample, listening at the address of the project's endpoint, with its secret."""
    port = free_port()
    endpoint = set_up(project, f"http://127.0.0.1:{port}/")
    with subprocess.Popen(
        [sys.executable, str(reference.EXAMPLES / "webhook_receiver.py")],
        env={"PATH": os.environ["PATH"], "PORT": str(port), "WEBHOOK_SECRET": endpoint.secret},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            until(lambda: _is_open(port))
            yield process
        finally:
            process.terminate()


def test_it_prints_each_event_once(sample: subprocess.Popen[str], project: Project) -> None:
    attempt = started(project)
    attempt.abandon()

    Deliverer().run_once()
    event = WebhookEvent.objects.select_related("endpoint").get()
    assert event.delivered_at
    WebhookEvent.objects.replay(
        event.endpoint, since=event.created_at, also_delivered=True, actor=WHO
    )
    Deliverer().run_once()

    sample.terminate()
    assert sample.stdout
    [line] = sample.stdout.read().splitlines()
    assert line.startswith("assessment.abandoned {'AssessmentId': '")
    assert attempt.assessment_id in line
