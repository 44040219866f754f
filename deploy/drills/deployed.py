"""The service on all machines of docs/cluster.md, with the files of deploy/.

nginx on a proxy, two web machines with gunicorn, PgBouncer and HAProxy, three nodes with Patroni,
PostgreSQL and etcd, and a store with Redis.
"""

import json
import os
import secrets
import shutil
import signal
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import psycopg

from deploy.drills.machines import (
    DEPLOY,
    OWN,
    ROOT,
    Host,
    OnHost,
    command_of,
    environment,
    is_open,
    shipped,
)
from deploy.drills.prometheus import Prometheus
from tests.support.clients import HOST, Gate
from tests.support.databases import rows_of
from tests.support.programs import manage, until
from tests.support.rates import EVERY_RATE

SMALL_BANK = ROOT / "tests" / "assessments" / "data" / "small-bank.json"
POSTGRESQL = Path("/usr/lib/postgresql/15/bin")  # Debian 12's, as in production
PATRONI = Path("/opt/patroni/bin")  # as docs/cluster.md installs it
PATH = os.pathsep.join([str(POSTGRESQL), os.environ["PATH"], str(PATRONI)])
PASSWORDS = {
    name: secrets.token_hex(16) for name in ("web", "commands", "standby", "rewind", "console")
}

PROXY, STORE, WATCH = "10.0.0.10", "10.0.0.30", "10.0.0.40"
WEB = {"web1": "10.0.0.11", "web2": "10.0.0.12"}
NODES = {"db1": "10.0.0.21", "db2": "10.0.0.22", "db3": "10.0.0.23"}
CERTIFICATES = "/etc/assess/cluster"
USER = "postgres"
AS_POSTGRES = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--init-groups"]
# The drill connects as postgres.
TRUSTED = f"    - host  all          postgres         {OWN}/32  trust\n"
# High enough for the requests that a run sends from one address.
LIMITS = dict.fromkeys(EVERY_RATE, "1000000")


class Node(OnHost):
    """A database machine: Patroni with PostgreSQL, and a member of etcd."""

    def __init__(self, folder, host, certificates):
        base, places = folder / host.name, {CERTIFICATES: str(certificates)}
        self.data, socket = base / "data", base / "socket"
        for path in (base, socket):
            path.mkdir()
            shutil.chown(path, USER)
        self.name = host.name
        self._trusted = ssl.create_default_context(cafile=str(certificates / "ca.crt"))
        changes = {
            "/var/lib/postgresql/15/assess": str(self.data),
            "/var/run/postgresql": str(socket),
            "mode: required": "mode: 'off'",
            "pgbackrest --stanza=assess archive-push %p": "/bin/true",
            "    - local all          all ": f"{TRUSTED}    - local all          all ",
        }
        self.configuration = base / "patroni.yml"
        self.configuration.write_text(shipped("cluster/patroni.yml", places | changes))
        changes = {
            "<standby password>": PASSWORDS["standby"],
            "<rewind password>": PASSWORDS["rewind"],
            NODES["db1"]: host.address,
            "PATRONI_NAME=db1": f"PATRONI_NAME={self.name}",
        }
        own = {"PATH": os.environ["PATH"], "HOME": str(base)}
        command = [*AS_POSTGRES, f"{PATRONI}/patroni", str(self.configuration)]
        patroni = own | environment("cluster/patroni.env", changes)
        super().__init__(base / "patroni.log", host, command, patroni)
        etcd = environment("cluster/etcd.env", places | {"/var/lib/etcd/assess": f"{base}/etcd"})
        for name in etcd.keys() - {"ETCD_INITIAL_CLUSTER"}:
            etcd[name] = etcd[name].replace(NODES["db1"], host.address)
        etcd["ETCD_NAME"] = self.name
        self.etcd = OnHost(base / "etcd.log", host, ["etcd"], own | etcd)

    def asked(self, path):
        """Return Patroni's answer, whatever its status; {} if there is none."""
        try:
            url = f"https://{self.host.address}:8008{path}"
            answer = urllib.request.urlopen(url, timeout=2, context=self._trusted)
        except urllib.error.HTTPError as error:
            answer = error
        except OSError:
            return {}
        with answer, suppress(OSError, ValueError):
            return json.load(answer)
        return {}

    @property
    def url(self):
        """The server past HAProxy, as its superuser."""
        return f"postgres://postgres@{self.host.address}:5432/postgres?connect_timeout=2"

    def value(self, sql, default):
        with suppress(psycopg.Error), psycopg.connect(self.url) as connection:
            row = connection.execute(sql).fetchone()
            return row[0] if row else default
        return default

    @property
    def is_primary(self):
        """Whether its PostgreSQL runs, and takes writes as far as it knows."""
        return not self.value("SELECT pg_is_in_recovery()", default=True)

    def standbys(self, which):
        """Count the standbys that stream from it, of those for which a condition holds."""
        sql = f"SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND {which}"
        return int(self.value(sql, default=0))

    @property
    def postmaster(self):
        """The process id of PostgreSQL's first process."""
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def die(self):
        """Kill every process of the node."""
        self.host.signal(signal.SIGKILL)

    def restart(self):
        """Stop what still runs of etcd and Patroni with PostgreSQL, and start both."""
        for program in (self.etcd, self):
            program.stop()
            program.start()


class Nodes:
    """The cluster of PostgreSQL."""

    def __init__(self, folder, hosts):
        certificates = folder / "certificates"
        command = [DEPLOY / "cluster" / "certificates", certificates, *NODES.values()]
        subprocess.run(command, check=True)
        certificates.chmod(0o755)
        for key in certificates.glob("*/node.key"):
            shutil.chown(key, "root", "ssl-cert")
            key.chmod(0o640)
        self.certificates = certificates / NODES["db1"]
        self._nodes = [Node(folder, hosts[n], certificates / NODES[n]) for n in NODES]
        self.patronictl = [*AS_POSTGRES, f"{PATRONI}/patronictl", "-c"]
        self.patronictl.append(str(self._nodes[0].configuration))
        self._synchronous = 1

    def start(self):
        """Start all nodes, and create roles and database with the shipped files."""
        for node in self._nodes:
            node.etcd.start()
        for node in self._nodes:
            node.start()
        self.until_whole()
        given = {f"{role.upper()}_PASSWORD": PASSWORDS[role] for role in ("web", "commands")}
        for name in ("roles.sql", "database.sql"):
            file = str(DEPLOY / "postgresql" / name)
            command = ["psql", "-X", "-q", "-f", file, self.primary.url]
            subprocess.run(command, check=True, env=os.environ | given)

    def until_whole(self, seconds=120):
        """Return once there is a primary, and all others stream, one of them synchronously."""

        def is_whole():
            primaries = [node for node in self._nodes if node.is_primary]
            return (
                len(primaries) == 1
                and primaries[0].standbys("true") == len(self._nodes) - 1
                and primaries[0].standbys("sync_state = 'sync'") == self._synchronous
                and all(node.asked("/health") for node in self._nodes)
            )

        try:
            until(is_whole, seconds)
        except TimeoutError:
            programs = [program for node in self._nodes for program in (node.etcd, node)]
            logs = "\n".join(f"{each.log}: {each.logs()[-2000:]}" for each in programs)
            raise AssertionError(f"the cluster is not whole:\n{logs}") from None

    @property
    def url(self):
        """The service's database on whichever node is the primary, as its superuser."""
        query = "target_session_attrs=read-write&connect_timeout=3"
        return f"postgres://postgres@{','.join(NODES.values())}/assess?{query}"

    @property
    def primary(self):
        """The node whose Patroni calls itself the primary, once it is a single one."""
        found = []

        def is_found():
            found[:] = [n for n in self._nodes if n.asked("/patroni").get("role") == "primary"]
            return len(found) == 1

        until(is_found)
        return found[0]

    def others(self, node):
        return [each for each in self._nodes if each is not node]

    def wait_for_standbys(self, count):
        """Change for how many standbys a commit waits, 1 or 0, as an operator does."""
        mode = f"synchronous_mode={'true' if count else 'false'}"
        # By default, a standby that is far behind may not become the primary.
        lag = f"maximum_lag_on_failover={1 << (20 if count else 30)}"
        words = ["edit-config", "assess", "--force", "--quiet", "-s", mode, "-s", lag]
        command = [*self._nodes[0].host.within, *self.patronictl, *words]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        self._synchronous = count
        self.until_whole()


def haproxy(folder, host, certificates):
    """The shipped HAProxy of a web machine."""
    changes = {CERTIFICATES: str(certificates), "10.0.0.11": host.address}
    changes["log /dev/log local0"] = "log stderr local0"
    file = folder / "haproxy.cfg"
    file.write_text(shipped("cluster/haproxy.cfg", changes))
    command = ["haproxy", "-db", "-f", str(file)]
    return OnHost(folder / "haproxy.log", host, command, ready=is_open(8404))


def pgbouncer(folder, host):
    """The shipped pooler of a web machine."""
    file, users = folder / "pgbouncer.ini", folder / "userlist.txt"
    users.write_text(f'"assess_web" "{PASSWORDS["web"]}"\n"pgbouncer" "{PASSWORDS["console"]}"\n')
    places = ("/var/log/postgresql", "/var/run/postgresql")
    changes = dict.fromkeys(places, str(folder)) | {"/etc/pgbouncer/userlist.txt": str(users)}
    file.write_text(shipped("pgbouncer.ini", changes))
    for path in (folder, file, users):
        shutil.chown(path, USER)
    # PgBouncer refuses to run as root.
    command = ["pgbouncer", "-u", USER, str(file)]
    log = folder / "pgbouncer.out"
    return OnHost(log, host, command, ready=lambda p: until(lambda: "process up" in p.logs()))


def redis(folder, host):
    """The shipped Redis."""
    file = folder / "redis.conf"
    file.write_text(shipped("redis.conf", {"<redis password>": "redis"}))
    command = ["redis-server", str(file)]
    return OnHost(folder / "redis.log", host, command, ready=is_open(6379))


class Web(OnHost):
    """A web machine: gunicorn as its unit starts it, a PgBouncer, and a HAProxy."""

    def __init__(self, folder, host, certificates, secret_key):
        own = folder / host.name
        own.mkdir()
        self.haproxy = haproxy(own, host, certificates)
        self.pgbouncer = pgbouncer(own, host)
        self.ready_url = f"http://{host.address}:8000/readyz"
        changes = {"<web password>": PASSWORDS["web"], "<redis password>": "redis"}
        self.environment = {
            "PATH": PATH,
            "HOME": str(own),
            "STATIC_ROOT": str(folder / "static"),
            **environment("assess.env", changes),
            "SECRET_KEY": secret_key,
            "METRICS_TOKEN": secret_key,
            **LIMITS,
        }
        unit, python = "assess-web@.service", "/srv/assess/.venv/bin/python"
        self._check = [*host.within, *command_of(unit, "ExecStartPre", {python: sys.executable})]
        changes = {
            "/srv/assess/.venv/bin/gunicorn": f"{sys.executable} -m gunicorn",
            "${ADDRESS}:%i": f"{host.address}:8000",
        }
        command = command_of(unit, "ExecStart", changes)
        own_log, url = own / "gunicorn.log", self.ready_url
        super().__init__(
            own_log, host, command, self.environment, ready=lambda p: p.wait_for_url(url, 120)
        )

    def start_all(self):
        """Start its three programs, gunicorn after the check of its settings."""
        self.haproxy.start()
        self.pgbouncer.start()
        command, quiet = self._check, subprocess.DEVNULL
        subprocess.run(command, cwd=ROOT, env=self.environment, check=True, stdout=quiet)
        self.start()

    def restart_all(self):
        for program in (self, self.haproxy, self.pgbouncer):
            program.stop()
        self.start_all()


class Nginx(OnHost):
    """The shipped nginx in front of the web machines."""

    def __init__(self, folder, host):
        self.folder, self.marks = folder, folder / "run"
        for path in (folder, self.marks, folder / "body", folder / "proxy"):
            path.mkdir()  # its workers, which are not root, look for the marks
        self.certificate = str(folder / "fullchain.pem")
        command = (
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
        )
        command += f" -subj /CN={HOST} -addext subjectAltName=DNS:{HOST}"
        command += f" -keyout {folder}/privkey.pem -out {self.certificate}"
        subprocess.run(command.split(), check=True, capture_output=True)
        changes = {
            "/etc/assess/tls": str(folder),
            "/run/assess": str(self.marks),
            "/run/nginx.pid": str(folder / "pid"),
            "/var/log/nginx": str(folder),
            "/var/lib/nginx": str(folder),
            "/srv/assess": str(ROOT),
        }
        file = folder / "nginx.conf"
        file.write_text(shipped("nginx.conf", changes))
        command_line = ["nginx", "-c", str(file), "-g", "daemon off;"]
        super().__init__(folder / "nginx.out", host, command_line, ready=is_open(443))

    def access_log(self):
        return [json.loads(line) for line in (self.folder / "access.log").open()]

    def leaks(self):
        """Count the lines of its logs with a link token or a key of a private link in them."""
        logs = [self.log, self.folder / "access.log", self.folder / "error.log"]
        lines = (line for log in logs if log.exists() for line in log.open())
        return sum("token=" in line or "key=" in line for line in lines)


class Deployed:
    """All machines, running the service with an item bank."""

    def __init__(self, folder):
        self.folder = folder
        addresses = {"proxy": PROXY, **WEB, **NODES, "store": STORE, "watch": WATCH}
        hosts = {name: Host(name, address) for name, address in addresses.items()}
        self.nodes = Nodes(folder, hosts)
        self.redis = redis(folder, hosts["store"])
        key = secrets.token_urlsafe(50)
        self.webs = [Web(folder, hosts[n], self.nodes.certificates, key) for n in WEB]
        self.nginx = Nginx(folder / "nginx", hosts["proxy"])
        self.prometheus = Prometheus(folder / "prometheus", hosts["watch"], WEB.values(), key)
        self.gate = Gate(443, self.nginx.certificate, host=PROXY)
        pgpass = folder / "pgpass"
        pgpass.write_text(f"*:*:*:pgbouncer:{PASSWORDS['console']}\n")
        pgpass.chmod(0o600)
        self.nodes.start()
        self.redis.start()
        self.webs[0].haproxy.start()
        self.manage("migrate", "--noinput")
        self.manage("load_items", str(SMALL_BANK))
        self.manage("collectstatic", "--noinput")
        self.webs[0].haproxy.stop()
        for web in self.webs:
            web.start_all()
        self.nginx.start()

    def manage(self, *arguments):
        """Run a management command on the first web machine; return its output."""
        changes = {"<commands password>": PASSWORDS["commands"]}
        own = self.webs[0].environment | environment("commands.env", changes)
        return manage(own, *arguments, seconds=600, within=self.webs[0].host.within)

    def switch_over(self):
        """Run the shipped script, which makes another node the primary."""
        webs = [f"nsenter --net=/run/netns/{name} sh -c" for name in WEB]
        control = " ".join([*self.nodes.primary.host.within, *self.nodes.patronictl])
        own = {"PATRONICTL": control, "PGPASSFILE": f"{self.folder}/pgpass"}
        command = [DEPLOY / "cluster" / "switch-over", *webs]
        subprocess.run(command, check=True, timeout=60, env=os.environ | own)

    def rows(self, sql, params=()):
        """Run SQL on the primary."""
        return rows_of(self.nodes.url, sql, params)
