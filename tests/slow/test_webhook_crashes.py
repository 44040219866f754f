"""Webhooks through crashes: nothing is lost, and doubles come only after an expired lease."""

import os
import random
import sys
import threading
import time
from collections import Counter
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.db import connection
from django.db.models import F

from assessments.models import WebhookEvent
from assessments.webhooks.events import LEASE
from tests.assessments.attempts import started
from tests.assessments.webhooks.endpoints import set_up
from tests.factories import AttemptFactory
from tests.support.programs import ROOT, Program, until
from tests.support.receiver import hang, listening

# `--times 25` is the full size, 10,000 ends.
ENDS = 400
KILLS = 6

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("bank"),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="several processes write"),
]


@pytest.fixture
def receiver(project):
    with listening() as receiver:
        set_up(project, receiver.url)
        yield receiver


@pytest.fixture
def start(tmp_path):
    """Give a function that starts a deliverer on the tests' database."""
    parts = urlsplit(os.environ["DATABASE_URL"])
    name = str(connection.settings_dict["NAME"])
    url = urlunsplit(parts._replace(path=f"/{name}"))
    environment = {"PATH": os.environ["PATH"], "MODE": "test", "DATABASE_URL": url}
    begun = []

    def start():
        program = Program(tmp_path / f"log{len(begun)}")
        command = [sys.executable, "manage.py", "deliver_webhooks"]
        program.run(command, cwd=ROOT, env=environment)
        begun.append(program)
        return program

    yield start
    for program in begun:
        program.stop()


def attempts(project, count):
    first = started(project)
    same = {"student__project": project, "bank": first.bank}
    return AttemptFactory.create_batch(count, **same)


def all_delivered():
    return not WebhookEvent.objects.undelivered().exists()


def test_killed_under_load_no_end_is_lost(receiver, start, project, times):
    receiver.answer = hang(0.02)
    ends = attempts(project, ENDS * times)
    kills = 0
    program = start()

    def write():
        for each in ends:
            each.abandon()
        connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    doubles_allowed = set()
    while writer.is_alive() or not all_delivered():
        more = len(receiver.calls) + random.randint(5, ENDS // KILLS // 2)
        until(lambda least=more: len(receiver.calls) >= least or all_delivered(), 120)
        if kills < KILLS:
            program.kill()
            kills += 1
            leased = WebhookEvent.objects.filter(leased_until__isnull=False)
            doubles_allowed |= set(leased.values_list("event_id", flat=True))
            leased.update(leased_until=F("leased_until") - LEASE)  # a minute for leases alone
            program = start()
    writer.join()

    ids = Counter(receiver.ids)
    assert set(ids) == set(WebhookEvent.objects.values_list("event_id", flat=True))
    assert (len(ids), kills) == (len(ends), KILLS)
    assert {event_id for event_id, count in ids.items() if count > 1} <= doubles_allowed


def test_a_slow_receiver_costs_a_student_nothing_and_holds_no_transaction(receiver, start, project):
    receiver.answer = hang(8)
    first, *others = attempts(project, 30)
    first.abandon()
    start()
    until(lambda: receiver.calls)

    for each in others:
        began = time.monotonic()
        each.abandon()
        assert time.monotonic() - began < 1
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND xact_start IS NOT NULL"
            " AND backend_type = 'client backend'"
            " AND clock_timestamp() - xact_start > interval '1 second'"
        )
        assert cursor.fetchone() == (0,)


def test_sigterm_finishes_the_calls_that_run(receiver, start, project):
    receiver.answer = hang(2)
    [end] = attempts(project, 1)
    end.abandon()
    program = start()
    until(lambda: receiver.calls)
    process = program.process
    assert process
    process.terminate()

    assert process.wait(10) == 0
    event = WebhookEvent.objects.get()
    assert (bool(event.delivered_at), event.leased_until) == (True, None)
    assert "Stopped." in program.logs()
