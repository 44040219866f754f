"""Start the peer on a service's database and Redis."""

import json
import os
import secrets
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace

from bench.api.calls import NO_LIMIT
from tests.support.databases import free_port
from tests.support.programs import ROOT, Program

# As in gunicorn.conf.py with two workers and Redis, including the access log.
GUNICORN = [
    *("--workers=2", "--worker-class=gthread", "--threads=4", "--keep-alive=5"),
    *("--worker-tmp-dir=/dev/shm", "--no-control-socket", "--access-logfile=-"),
]
CREATE_KEYS = """
import json
from bench.api.peer.models import ProjectAPIKey
keys = [ProjectAPIKey.objects.create_key(name="bench", project_id=pk)[1] for pk in {projects}]
print(json.dumps(keys))
"""


@contextmanager
def running_peer(service, callers, folder):
    """Run the peer; yield its port, its first process and the callers with its keys."""
    port = free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "DJANGO_SETTINGS_MODULE": "bench.api.peer.settings",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "DATABASE_URL": service.environment["DATABASE_URL"],
        "REDIS_URL": service.environment["REDIS_URL"],
        "APP_URL": service.url,
        "CALLS_PER_MINUTE": NO_LIMIT,
    }
    # The folder has no gunicorn.conf.py, which gunicorn would read.
    place = {"cwd": folder, "env": environment}

    def django(*arguments):
        return subprocess.check_output([sys.executable, "-m", "django", *arguments], **place)

    django("migrate", "--run-syncdb", "--verbosity=0")
    program = CREATE_KEYS.format(projects=[caller.project for caller in callers])
    keys = json.loads(django("shell", "--no-imports", "-c", program))
    application = "django.core.wsgi:get_wsgi_application()"
    command = [sys.executable, "-m", "gunicorn", application, f"--bind=127.0.0.1:{port}"]
    peer = Program(folder / "peer.log")
    peer.run([*command, *GUNICORN], **place)
    try:
        peer.wait_for_port(port)
        pairs = zip(callers, keys, strict=True)
        yield port, peer.pid, [replace(caller, credential=key) for caller, key in pairs]
    finally:
        peer.stop()
