"""/healthz: the process answers. /readyz: all that it needs answers too."""

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder

from config import health
from tokens import limits


def fail():
    raise OperationalError("could not connect to server db.internal as user svc")


def take_no_writes():
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")


# What is down, how it goes down, and what then is not "ok".
DOWN = {
    "nothing": (lambda patch: None, {}),
    "the limiter": (
        lambda patch: patch.setattr(limits, "store_is_healthy", lambda: False),
        {"status": "degraded", "limiter": "failed"},  # calls go on
    ),
    "the database": (
        lambda patch: patch.setattr(connection, "ensure_connection", fail),
        {"status": "failed", "database": "failed", "migrations": "failed"},
    ),
    "the database, after the first question": (
        lambda patch: patch.setattr(health, "_takes_writes", fail),
        {"status": "failed", "database": "failed", "migrations": "failed"},
    ),
    "writing to the database": (
        lambda patch: take_no_writes(),
        {"status": "failed", "database": "failed"},
    ),
    "a migration": (
        lambda patch: MigrationRecorder.Migration.objects.filter(app="sessions").delete(),
        {"status": "failed", "migrations": "failed"},
    ),
}


@pytest.mark.django_db
@pytest.mark.parametrize("what", DOWN)
def test_readyz_names_what_is_down_and_nothing_more(client, monkeypatch, what):
    go_down, states = DOWN[what]
    well = dict.fromkeys(["status", "database", "limiter", "migrations"], "ok")
    go_down(monkeypatch)

    response = client.get("/readyz")
    process = client.get("/healthz")
    monkeypatch.undo()

    assert response.json() == {**well, **states, "version": "0.1.0"}
    assert response.status_code == (503 if states.get("status") == "failed" else 200)
    assert (process.status_code, process.json()) == (200, {"status": "ok"})
    assert process.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_probe_only_reads(client, path):
    response = client.post(path)

    assert (response.status_code, response.headers["Allow"]) == (405, "GET, HEAD")
