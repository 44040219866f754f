"""Start the service and the peer on one database full of attempts."""

import json
import secrets
import subprocess
import sys
from dataclasses import replace

import psycopg

from bench import rows
from bench.api.calls import NO_LIMIT, Calls, Side
from tests.support.clients import Client, Gate, Partner, RemoteBrowser
from tests.support.databases import free_port
from tests.support.ledger import Ledger
from tests.support.programs import ROOT, Program

FEW = 10_000  # attempts
PROJECTS = 4  # not a multiple of five, so that each has students of every kind
SETTINGS = {
    **dict.fromkeys(("LINK_RATE_PER_MINUTE", "RESULTS_RATE_PER_MINUTE"), NO_LIMIT),
    "METRICS_TOKEN": secrets.token_hex(32),
}
# As in gunicorn.conf.py with two workers and Redis, including the access log.
GUNICORN = [
    "django.core.wsgi:get_wsgi_application()",
    *("--workers=2", "--worker-class=gthread", "--threads=4", "--keep-alive=5"),
    *("--worker-tmp-dir=/dev/shm", "--no-control-socket", "--access-logfile=-"),
]
CREATE_KEYS = """
import json
from bench.api.peer.models import Project, ProjectAPIKey
projects = Project.objects.order_by("pk")
keys = [ProjectAPIKey.objects.create_key(name="bench", project=each)[1] for each in projects]
print(json.dumps(keys))
"""

# Students arrived evenly over 400 days. Four of five have one completed attempt; the fifth has an
# unused link.
PROJECT = "(%(projects)s::bigint[])[1 + n %% cardinality(%(projects)s::bigint[])]"
NUMBERED = f"(SELECT n, {rows.OFFSET} + n AS id, {rows.AT.format(count='%(students)s')}) numbered"
ATTEMPTS = (
    "SELECT n, at, id AS student_id, true AS is_completed, true AS is_read, false AS is_left"
    f" FROM {NUMBERED} WHERE n %% 5 > 0"
)
LINKS = (
    "SELECT n, id AS student_id, CASE WHEN n %% 5 > 0 THEN id END AS attempt_id, at AS issued_at,"
    f" CASE WHEN n %% 5 > 0 THEN at END AS used_at FROM {NUMBERED}"
)
# A crash would only spoil this run. Later calls are durable again.
WHILE_FILLING = {"fsync": "off", "full_page_writes": "off", "autovacuum": "off"}


def start_service(stack, name, attempts):
    """Start a service with projects and attempts; return it and its side."""
    service = stack.service(**SETTINGS)
    service.start()
    partners = [Partner.onboarded(service.manage) for _ in range(PROJECTS)]
    browser = RemoteBrowser(Client(Gate(service.port), Ledger()))
    browser.finish(browser.start(partners[0].link(browser.client, "first@example.com")))
    projects = [row["id"] for row in service.rows("SELECT id FROM partners_project ORDER BY id")]
    values = {"students": -(-attempts * 5 // 4), "projects": projects, "days": 400}
    url = service.environment["DATABASE_URL"]
    with (
        psycopg.connect(url, autocommit=True, cursor_factory=psycopg.ClientCursor) as connection,
        stack.cluster.altered(WHILE_FILLING),
    ):
        rows.fill(connection.cursor(), values, PROJECT, ATTEMPTS, LINKS)
    stack.cluster.execute("CHECKPOINT")
    pids = service.pid, stack.cluster.pid, stack.redis.pid
    return service, Side(name, service.port, pids, Calls(partners, values["students"]))


def start_peer(stack, service, calls):
    """Start the peer on the database of a service; return its side, with the same calls."""
    port, folder = free_port(), stack.folder
    environment = service.environment | {
        "PYTHONPATH": str(ROOT),
        "DJANGO_SETTINGS_MODULE": "bench.api.peer.settings",
        "CALLS_PER_MINUTE": NO_LIMIT,
    }
    # The folder has no gunicorn.conf.py, which gunicorn would read.
    place = {"cwd": folder, "env": environment}

    def django(*arguments):
        return subprocess.check_output([sys.executable, "-m", "django", *arguments], **place)

    django("migrate", "--run-syncdb", "--verbosity=0")
    keys = json.loads(django("shell", "--no-imports", "-c", CREATE_KEYS))
    pairs = zip(calls.partners, keys, strict=True)
    partners = [replace(partner, credential=key) for partner, key in pairs]
    peer = Program(folder / "peer.log")
    peer.run([sys.executable, "-m", "gunicorn", f"--bind=127.0.0.1:{port}", *GUNICORN], **place)
    stack.callback(peer.stop)
    peer.wait_for_port(port)
    pids = peer.pid, stack.cluster.pid, stack.redis.pid
    return Side("peer", port, pids, Calls(partners, calls.students))
