"""/healthz: the process answers. /readyz: all that it needs answers too."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from config import health
from tokens import limits


def test_the_process_answers_without_its_database(client: Client) -> None:
    response = client.get("/healthz")

    assert response.status_code == 200
    assert response.json() == {"status": "ok"}
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.django_db
def test_a_ready_service_says_so(client: Client) -> None:
    response = client.get("/readyz")

    assert response.status_code == 200
    assert response.json() == {
        "status": "ok",
        "database": "ok",
        "limiter": "ok",
        "migrations": "ok",
    }


@pytest.mark.django_db
def test_a_limiter_that_is_down_is_named_but_calls_go_on(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "store_is_healthy", lambda: False)

    response = client.get("/readyz")

    assert response.status_code == 200
    assert response.json() == {
        "status": "degraded",
        "database": "ok",
        "limiter": "failed",
        "migrations": "ok",
    }


def test_a_database_that_is_down_is_named_and_nothing_more(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise OperationalError("could not connect to server db.internal as user svc")

    monkeypatch.setattr(connection, "ensure_connection", refuse)

    response = client.get("/readyz")

    assert response.status_code == 503
    assert response.json() == {
        "status": "failed",
        "database": "failed",
        "limiter": "ok",
        "migrations": "failed",
    }


@pytest.mark.django_db
def test_a_migration_that_is_missing_is_named(client: Client) -> None:
    MigrationRecorder.Migration.objects.filter(app="sessions").delete()

    response = client.get("/readyz")

    assert response.status_code == 503
    assert response.json()["migrations"] == "failed"
    assert response.json()["database"] == "ok"


@pytest.mark.django_db
def test_a_database_that_goes_away_in_between_is_named(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone() -> bool:
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(health, "_takes_writes", gone)

    response = client.get("/readyz")

    assert response.status_code == 503
    assert response.json()["database"] == "failed"


@pytest.mark.django_db
def test_a_database_that_takes_no_writes_is_named(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")

    response = client.get("/readyz")

    assert response.status_code == 503
    assert response.json() == {
        "status": "failed",
        "database": "failed",
        "limiter": "ok",
        "migrations": "ok",
    }


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_probe_only_reads(client: Client, path: str) -> None:
    response = client.post(path)

    assert response.status_code == 405
    assert response.headers["Allow"] == "GET, HEAD"


@pytest.mark.django_db
def test_models_and_migrations_agree() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
