"""/healthz: the process answers. /readyz: all that it needs answers too."""

import time
from datetime import timedelta
from threading import Event

import pytest
from django.db import OperationalError, connections
from django.db.migrations.executor import MigrationExecutor

from assessments.models import ended
from config import health
from tokens import limits


def fail(*args):
    raise OperationalError("could not connect to server db.internal as user svc")


def hang(patch):
    patch.setattr(health, "DEADLINE_SECONDS", 0.5)
    patch.setattr(health, "_write", lambda: time.sleep(1))


# What is down, how it goes down, and what then is not "ok".
DOWN = {
    "nothing": (lambda patch: None, {}),
    "the limiter": (
        lambda patch: patch.setattr(limits, "store_is_healthy", lambda: False),
        {"status": "degraded", "limiter": "failed"},  # calls go on
    ),
    "the database": (
        lambda patch: patch.setattr(type(connections["default"]), "ensure_connection", fail),
        {"status": "failed", "database": "failed", "migrations": "failed", "clock": "failed"},
    ),
    "writing to the database": (
        lambda patch: patch.setenv("PGOPTIONS", "-c default_transaction_read_only=on"),
        {"status": "failed", "database": "failed", "clock": "failed"},
    ),
    "the clock": (
        lambda patch: patch.setattr(ended, "database_now", lambda at: at + timedelta(minutes=2)),
        {"status": "failed", "clock": "failed"},
    ),
    "a migration": (
        lambda patch: patch.setattr(MigrationExecutor, "migration_plan", lambda *args: ["one"]),
        {"status": "failed", "migrations": "failed"},
    ),
    "the database, which hangs": (
        hang,
        {"status": "failed", "database": "failed", "clock": "failed"},
    ),
}


@pytest.fixture(autouse=True)
def _no_check_is_left():
    yield
    if health._newest:
        health._newest.join()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("what", DOWN)
def test_readyz_names_what_is_down_and_nothing_more(client, monkeypatch, settings, what):
    go_down, states = DOWN[what]
    settings.CLOCK_TOLERANCE = timedelta(seconds=30)
    well = dict.fromkeys(["status", "database", "clock", "limiter", "migrations"], "ok")
    go_down(monkeypatch)

    response = client.get("/readyz")
    process = client.get("/healthz")
    monkeypatch.undo()

    assert response.json() == {**well, **states, "version": "0.1.0"}
    assert response.status_code == (503 if states.get("status") == "failed" else 200)
    assert (process.status_code, process.json()) == (200, {"status": "ok"})
    assert process.headers["Cache-Control"] == "no-store"


@pytest.mark.django_db(transaction=True)
def test_probes_share_a_check_that_hangs_until_it_is_given_up(client, monkeypatch):
    began, goes_on = [], Event()
    monkeypatch.setattr(health, "DEADLINE_SECONDS", 0.2)
    monkeypatch.setattr(health, "_write", lambda: goes_on.wait(10))
    start = health._Check.start
    monkeypatch.setattr(health._Check, "start", lambda check: (began.append(check), start(check)))

    for given_up in (30, 30, 0):
        monkeypatch.setattr(health, "GIVEN_UP_SECONDS", given_up)
        assert client.get("/readyz").status_code == 503
    assert len(began) == 2
    goes_on.set()
    for check in began:
        check.join()


@pytest.mark.parametrize(("error", "is_logged"), [(BrokenPipeError, False), (ValueError, True)])
def test_a_prober_that_does_not_wait_leaves_no_traceback(error, is_logged, caplog, capsys):
    with health._Listener(("127.0.0.1", 0), health._Probe) as listener:
        try:
            raise error
        except error:
            listener.handle_error(None, None)

    assert bool(caplog.records) is is_logged
    assert not any(capsys.readouterr())
