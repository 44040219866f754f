"""With wrong settings nothing starts, and one message says what is wrong."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.support.server import ROOT, Service


@pytest.mark.parametrize(
    ("flags", "environment"), [(["--workers", "2"], {}), ([], {"WEB_CONCURRENCY": "2"})]
)
def test_several_workers_do_not_start_without_redis(
    service: Service, flags: list[str], environment: dict[str, str]
) -> None:
    done = run_gunicorn(service.environment | environment, *flags)

    assert done.returncode != 0
    assert "REDIS_URL" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_settings_it_says_what_is_missing() -> None:
    done = run_gunicorn({"PATH": os.environ["PATH"], "MODE": "production"})

    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    for name in ("SECRET_KEY", "DATABASE_URL", "ALLOWED_HOSTS", "APP_URL", "SUPPORT_EMAIL"):
        assert f"{name}: is not set." in done.stderr


def test_it_does_not_serve_on_the_settings_of_the_tests(service: Service) -> None:
    done = run_gunicorn(service.environment | {"MODE": "test"})

    assert done.returncode != 0
    assert "MODE=test" in done.stderr
    assert "Traceback" not in done.stderr


def run_gunicorn(environment: dict[str, str], *flags: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", "127.0.0.1:0", *flags]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=30
    )
