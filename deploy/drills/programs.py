"""nginx, PgBouncer, gunicorn and Redis with the files of deploy/, each on its host."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import redis

from deploy.drills import shipped
from deploy.drills.network import Host
from deploy.drills.nodes import USER, HAProxy
from deploy.drills.shipped import PASSWORDS
from tests.support.programs import Program, until
from tests.support.rates import EVERY_RATE

ROOT = shipped.ROOT
UNIT = "assess-web@.service"
NAME = "assess.example.com"  # as in nginx.conf
PORT, POOLER_PORT, REDIS_PORT = 8000, 6432, 6379
NEEDED = [
    ("postgres", "postgresql-15"),
    ("etcd", "etcd-server"),
    ("haproxy", "haproxy"),
    ("nginx", "nginx"),
    ("pgbouncer", "pgbouncer"),
    ("redis-server", "redis-server"),
    ("nft", "nftables"),
    ("openssl", "openssl"),
    ("curl", "curl"),
]
# High enough for the requests that a run sends from one address.
LIMITS = dict.fromkeys(EVERY_RATE, "1000000")


class Redis(Program):
    """The shipped Redis."""

    def __init__(self, folder: Path, host: Host) -> None:
        super().__init__(folder / "redis.log")
        self.host = host
        self._conf = folder / "redis.conf"
        self._conf.write_text(shipped.shipped("redis.conf", {"<redis password>": "redis"}))

    def start(self) -> None:
        self.run([*self.host.within, "redis-server", str(self._conf)])
        client = redis.Redis(self.host.address, REDIS_PORT, password="redis")
        until(lambda: _answers(client), 10)


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


class PgBouncer(Program):
    """The shipped pooler of a web machine."""

    def __init__(self, folder: Path, host: Host) -> None:
        super().__init__(folder / "pgbouncer.out")
        self.host = host
        self._ini, users = folder / "pgbouncer.ini", folder / "userlist.txt"
        users.write_text(
            f'"assess_web" "{PASSWORDS["web"]}"\n"pgbouncer" "{PASSWORDS["console"]}"\n'
        )
        changes = {
            "/etc/pgbouncer/userlist.txt": str(users),
            "/var/log/postgresql": str(folder),
            "/var/run/postgresql": str(folder),
        }
        self._ini.write_text(shipped.shipped("pgbouncer.ini", changes))
        for path in (folder, self._ini, users):
            shutil.chown(path, USER)

    def start(self) -> None:
        # It refuses to start beside the file of one that was killed.
        (self._ini.parent / "pgbouncer.pid").unlink(missing_ok=True)
        # PgBouncer refuses to run as root.
        self.run([*self.host.within, "pgbouncer", "-u", USER, str(self._ini)])
        until(lambda: "process up" in self.logs())


class Machine(Program):
    """A web machine: gunicorn as its unit starts it, a PgBouncer, and a HAProxy."""

    def __init__(self, folder: Path, host: Host, certificates: Path, secret_key: str) -> None:
        own = folder / host.name
        own.mkdir()
        super().__init__(own / "gunicorn.log")
        self.host = host
        self.haproxy = HAProxy(own, host, certificates)
        self.pgbouncer = PgBouncer(own, host)
        self.ready_url = f"http://{host.address}:{PORT}/readyz"
        changes = {"<web password>": PASSWORDS["web"], "<redis password>": "redis"}
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(own),
            "STATIC_ROOT": os.environ["TESTS_STATIC_ROOT"],
            **shipped.environment("assess.env", changes),
            "SECRET_KEY": secret_key,
            "METRICS_TOKEN": secret_key,
            **LIMITS,
        }
        changes = {
            "/srv/assess/.venv/bin/gunicorn": f"{sys.executable} -m gunicorn",
            "/srv/assess/.venv/bin/python": sys.executable,
            "${ADDRESS}:%i": f"{host.address}:{PORT}",
        }
        [self._check] = shipped.commands(UNIT, "ExecStartPre", changes)
        [self._command] = shipped.commands(UNIT, "ExecStart", changes)

    def check(self) -> None:
        """Run the unit's ExecStartPre. Raise an error if the settings are wrong."""
        command = [*self.host.within, *self._check]
        quiet = subprocess.DEVNULL
        subprocess.run(
            command, cwd=ROOT, env=self.environment, check=True, stdout=quiet, timeout=120
        )

    def start(self) -> None:
        """Start gunicorn and return once it is ready."""
        self.run([*self.host.within, *self._command], cwd=ROOT, env=self.environment)
        self.wait_for_url(self.ready_url, 120)

    def restart(self) -> None:
        """Restart its three programs."""
        self.stop()
        for program in (self.haproxy, self.pgbouncer):
            program.stop()
            program.start()
        self.start()


class Nginx(Program):
    """The shipped nginx in front of the web machines."""

    def __init__(self, folder: Path, host: Host) -> None:
        folder.mkdir()
        super().__init__(folder / "nginx.out")
        self.host = host
        self.folder, self.marks = folder, folder / "run"
        self.marks.mkdir()
        self._certificate()
        for name in ("body", "proxy"):
            (folder / name).mkdir()
        changes = {
            "/etc/assess/tls": str(folder),
            "/run/assess": str(self.marks),
            "/run/nginx.pid": str(folder / "pid"),
            "/var/log/nginx": str(folder),
            "/var/lib/nginx": str(folder),
            "/srv/assess": str(ROOT),
        }
        self._conf = folder / "nginx.conf"
        self._conf.write_text(shipped.shipped("nginx.conf", changes))
        folder.chmod(0o755)  # its workers, which are not root, look for the marks

    def _certificate(self) -> None:
        key, certificate = self.folder / "privkey.pem", self.folder / "fullchain.pem"
        kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        name = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-days", "2"]
        files = ["-keyout", str(key), "-out", str(certificate)]
        command = ["openssl", "req", "-x509", *kind, *name, *files]
        subprocess.run(command, check=True, capture_output=True)

    @property
    def certificate(self) -> str:
        return str(self.folder / "fullchain.pem")

    def start(self) -> None:
        self.run([*self.host.within, "nginx", "-c", str(self._conf), "-g", "daemon off;"])
        self.wait_for_port(443, host=self.host.address)

    def access_log(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.folder / "access.log").open()]

    def leaks(self) -> int:
        """Count the lines of nginx's logs with a link token or a key of a private link in them."""
        logs = [self.log, self.folder / "access.log", self.folder / "error.log"]
        lines = (line for log in logs if log.exists() for line in log.open())
        return sum("token=" in line or "key=" in line for line in lines)
