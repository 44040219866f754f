"""The Procfile's lines, run by honcho as a platform runs them."""

import os
import sys
from pathlib import Path

import pytest

from tests.support.programs import run
from tests.support.server import DATABASE, ROOT, Service

pytestmark = pytest.mark.slow
START = [sys.executable, "-m", "honcho", "start"]


@pytest.fixture
def deployment(tmp_path):
    deployment = Service(DATABASE, tmp_path)
    # The Procfile says "python" and "gunicorn".
    deployment.environment["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    yield deployment
    deployment.close()


def release(deployment):
    done = run([*START, "release"], env=deployment.environment)
    return done.returncode, done.stdout + done.stderr


def test_release_fills_the_database_and_web_serves_it(deployment):
    code, said = release(deployment)

    assert code == 0, said
    assert deployment.rows("SELECT count(*) AS count FROM assessments_itembank") == [{"count": 1}]
    deployment.run(
        [*START, "-p", str(deployment.port), "web"], cwd=ROOT, env=deployment.environment
    )
    deployment.wait_for_url(f"{deployment.url}/readyz", 30)


def test_release_fails_without_a_setting_and_says_what_a_platform_needs(deployment):
    del deployment.environment["SUPPORT_EMAIL"]

    code, said = release(deployment)

    assert code == 1
    for name in ("SUPPORT_EMAIL: is not set", "TRUSTED_PROXY_COUNT", "collectstatic"):
        assert name in said
