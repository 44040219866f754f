"""nginx, PgBouncer and gunicorn with the files of deploy/, on loopback."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from deploy.drills import shipped
from tests.support.cluster import USER
from tests.support.databases import free_port
from tests.support.programs import Program
from tests.support.rates import EVERY_RATE

ROOT = shipped.ROOT
UNIT = "assess-web@.service"
HOST = "assess.example.com"  # as in nginx.conf
NEEDED = [
    ("pg_ctl", "postgresql-15"),
    ("nginx", "nginx"),
    ("pgbouncer", "pgbouncer"),
    ("redis-server", "redis-server"),
    ("openssl", "openssl"),
    ("curl", "curl"),
]
# High enough for the requests that a run sends from one address.
LIMITS = dict.fromkeys(EVERY_RATE, "1000000")
PASSWORDS = {name: secrets.token_hex(16) for name in ("web", "commands", "standby", "console")}


class PgBouncer(Program):
    """The shipped pooler in front of the PostgreSQL on a port."""

    def __init__(self, folder: Path, database_port: int) -> None:
        super().__init__(folder / "pgbouncer.out")
        self.port = free_port()
        self.ini = folder / "pgbouncer.ini"
        users = folder / "userlist.txt"
        users.write_text(
            f'"assess_web" "{PASSWORDS["web"]}"\n"pgbouncer" "{PASSWORDS["console"]}"\n'
        )
        changes = {
            "host=10.0.0.21 port=5432": f"host=127.0.0.1 port={database_port}",
            "listen_port = 6432": f"listen_port = {self.port}",
            "/etc/pgbouncer/userlist.txt": str(users),
            "/var/log/postgresql": str(folder),
            "/var/run/postgresql": str(folder),
        }
        self.ini.write_text(shipped.shipped("pgbouncer.ini", changes))
        self._folder = folder

    def start(self) -> None:
        command = ["pgbouncer", str(self.ini)]
        if os.geteuid() == 0:
            # PgBouncer refuses to run as root. This user also runs move-database.
            command[1:1] = ["-u", USER]
            for path in (self._folder, *self._folder.iterdir()):
                shutil.chown(path, USER)
        self.run(command)
        self.wait_for_port(self.port)


class Machine(Program):
    """A web machine: gunicorn as its unit starts it, and a PgBouncer."""

    def __init__(self, folder: Path, database_port: int, redis_url: str, secret_key: str) -> None:
        folder.mkdir()
        super().__init__(folder / "gunicorn.log")
        self.pgbouncer = PgBouncer(folder, database_port)
        self.port = free_port()
        self.ready_url = f"http://127.0.0.1:{self.port}/readyz"
        changes = {
            "<web password>": PASSWORDS["web"],
            "127.0.0.1:6432": f"127.0.0.1:{self.pgbouncer.port}",
            "redis://:<redis password>@10.0.0.21:6379/0": redis_url,
        }
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "STATIC_ROOT": os.environ["TESTS_STATIC_ROOT"],
            **shipped.environment("assess.env", changes),
            "SECRET_KEY": secret_key,
            "METRICS_TOKEN": secret_key,
            **LIMITS,
        }
        changes = {
            "/srv/assess/.venv/bin/gunicorn": f"{sys.executable} -m gunicorn",
            "/srv/assess/.venv/bin/python": sys.executable,
            "${ADDRESS}:%i": f"127.0.0.1:{self.port}",
        }
        [self._check] = shipped.commands(UNIT, "ExecStartPre", changes)
        [self._command] = shipped.commands(UNIT, "ExecStart", changes)

    def check(self) -> None:
        """Run the unit's ExecStartPre. Raise an error if the settings are wrong."""
        subprocess.run(
            self._check,
            cwd=ROOT,
            env=self.environment,
            check=True,
            stdout=subprocess.DEVNULL,
            timeout=120,
        )

    def start(self) -> None:
        """Start gunicorn and return once it is ready."""
        self.run(self._command, cwd=ROOT, env=self.environment)
        self.wait_for_url(self.ready_url, 120)


class Nginx(Program):
    """The shipped nginx in front of two machines."""

    def __init__(self, folder: Path, machines: list[Machine]) -> None:
        folder.mkdir()
        super().__init__(folder / "nginx.out")
        self.folder, self.marks = folder, folder / "run"
        self.marks.mkdir()
        self.port, self.plain_port = free_port(), free_port()
        self._certificate()
        for name in ("body", "proxy"):
            (folder / name).mkdir()
        changes = {
            "listen 80": f"listen 127.0.0.1:{self.plain_port}",
            "listen 443": f"listen 127.0.0.1:{self.port}",
            "listen [::]:80": f"listen [::1]:{self.plain_port}",
            "listen [::]:443": f"listen [::1]:{self.port}",
            "10.0.0.11:8000": f"127.0.0.1:{machines[0].port}",
            "10.0.0.12:8000": f"127.0.0.1:{machines[1].port}",
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
        name = ["-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}", "-days", "2"]
        files = ["-keyout", str(key), "-out", str(certificate)]
        command = ["openssl", "req", "-x509", *kind, *name, *files]
        subprocess.run(command, check=True, capture_output=True)

    @property
    def certificate(self) -> str:
        return str(self.folder / "fullchain.pem")

    def start(self) -> None:
        self.run(["nginx", "-c", str(self._conf), "-g", "daemon off;"])
        self.wait_for_port(self.port)

    def access_log(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.folder / "access.log").open()]

    def leaks(self) -> int:
        """Count the lines of nginx's logs with a link token or a key of a private link in them."""
        logs = [self.log, self.folder / "access.log", self.folder / "error.log"]
        lines = (line for log in logs if log.exists() for line in log.open())
        return sum("token=" in line or "key=" in line for line in lines)
