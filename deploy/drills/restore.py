"""Restore the newest backup on this machine and check that the service works on it.

    python -m deploy.drills.restore --cluster SYSTEM_ID [--moment TIME] [--config FILE]

Run it as root on a machine with pgBackRest's configuration (/etc/pgbackrest.conf) and PostgreSQL
15, preferably not the database's, with the settings of the web process in the environment. It
refuses the backups if there is none, or the newest is from the future, too old, much smaller than
the one before, of another cluster, or can't be read. It restores everything that was archived, or
the state of a moment, to a folder of its own in TMPDIR (/tmp), and starts PostgreSQL on it, which
listens nowhere but there and archives nothing. Then it migrates, starts the service on a port of
the loopback interface, signs in as staff, takes a link from the partner's call to stored answers,
and scores a stored result again. No webhook is sent. Each step prints a line; exit status 0 only if
every step succeeded. Nothing is left behind.
"""

import argparse
import base64
import configparser
import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from urllib.parse import quote

import psycopg
from django_otp.oath import totp

from deploy.drills.deployed import PATH
from deploy.drills.machines import ROOT
from deploy.drills.visits import Visits
from tests.support.clients import Client, Gate, Partner, RemoteBrowser
from tests.support.databases import free_port, rows_of
from tests.support.ledger import Ledger, lost
from tests.support.programs import Program, manage

STANZA = "assess"
CLOCKS_DIFFER = timedelta(minutes=5)
SEGMENT = 16 * 1024 * 1024  # bytes
SETTINGS = "archive_mode = off\nshared_buffers = 256MB\nfsync = off\n"
NEWEST = (
    "SELECT assessment_id FROM assessments_attempt WHERE completed_at IS NOT NULL"
    " ORDER BY id DESC LIMIT 1"
)
NO_PASSPHRASE = "it may be encrypted, and the configuration has no passphrase (repo1-cipher-pass)"
WRONG_PASSPHRASE = "the passphrase (repo1-cipher-pass) is wrong, or the repository is damaged"


class Refused(Exception):
    """A step of the drill failed. The text says how."""


def progress(what):
    print(f"ok   {what}", flush=True)


def as_postgres(*command, **more):
    """Run a program as the user postgres, as PostgreSQL demands."""
    # Not `user=`, which would leave out the groups that may read the cluster's certificates.
    return subprocess.run(
        ["runuser", "-u", "postgres", "--", *command],
        cwd="/",
        env={"PATH": PATH, **more},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )


class PgBackRest:
    """pgBackRest, with the repository of a configuration file, restoring to a folder of its own."""

    def __init__(self, folder, configuration):
        own = configparser.ConfigParser(strict=False, interpolation=None)
        if not own.read(configuration):
            raise Refused(f"there is no {configuration}")
        # Where the repository is and how to read it, without the hosts that are backed up.
        kept = {n: v for n, v in own["global"].items() if n.startswith(("repo", "process-max"))}
        self._is_encrypted = "repo1-cipher-pass" in kept
        kept |= {"lock-path": str(folder), "spool-path": str(folder), "log-level-file": "off"}
        kept |= {"log-level-console": "error", "log-level-stderr": "error"}
        lines = "\n".join(f"{name}={value}" for name, value in kept.items())
        self._file = folder / "pgbackrest.conf"
        self._file.write_text(f"[global]\n{lines}\n[{STANZA}]\npg1-path={folder}/data\n")
        shutil.chown(self._file, "postgres")
        self._file.chmod(0o600)

    def run(self, *arguments):
        """Run a command; return its output. Raise Refused with its errors."""
        options = (f"--config={self._file}", f"--stanza={STANZA}")
        done = as_postgres("pgbackrest", *options, *arguments)
        if done.returncode:
            raise Refused(f"pgbackrest {arguments[-1]}: {' '.join(done.stderr.split())[-1000:]}")
        return done.stdout

    def info(self):
        """Return what the repository holds. Raise Refused if it can't be read."""
        # Not strict, because it quotes what it could not decipher.
        [found] = json.loads(self.run("--output=json", "info"), strict=False)
        if found["status"]["code"] == 0:
            return found
        messages = [str(repo["status"]["message"]) for repo in found.get("repo", ())]
        if any("unable to load info file" in message for message in messages):
            why = WRONG_PASSPHRASE if self._is_encrypted else NO_PASSPHRASE
            raise Refused(f"the repository can't be read: {why}")
        raise Refused(f"there is no backup: {messages or found['status']['message']}")


def newest_of(info, options):
    """Return the newest backup. Raise Refused if it is not one to rely on."""
    now, current = datetime.now(UTC), info["db"][-1]
    if str(current["system-id"]) != options.cluster:
        raise Refused(f"the backups are of the cluster {current['system-id']}")
    backups = [each for each in info["backup"] if each["database"]["id"] == current["id"]]
    if not backups:
        raise Refused("there is no backup in the repository")
    *earlier, newest = sorted(backups, key=lambda each: int(each["timestamp"]["stop"]))
    label, taken = newest["label"], datetime.fromtimestamp(newest["timestamp"]["stop"], UTC)
    size, hours = newest["info"]["size"], (now - taken) / timedelta(hours=1)
    share = size / earlier[-1]["info"]["size"] if earlier else 1
    if taken > now + CLOCKS_DIFFER:
        why = "a clock was wrong, and what is kept and what is newest can't be relied on"
        raise Refused(f"{label} is from the future ({taken:%Y-%m-%d %H:%M} UTC): {why}")
    if hours > options.max_age:
        raise Refused(f"the newest backup, {label}, is {hours:.1f} hours old")
    if newest["error"]:
        raise Refused(f"{label} has pages whose checksums are wrong")
    if share < options.smallest:
        why = "something is missing. If it was deleted on purpose, say so with --smallest"
        raise Refused(f"{label} has {share:.0%} of the size of the one before: {why}")
    progress(f"{label}, {hours:.1f} hours old, {size / 1e6:,.0f} MB")
    return dict(newest)


def last_place(info, backup):
    """Return the place in the log (LSN) at which the newest archived segment begins.

    It is the end of the backup if nothing whole was archived since.
    """

    def number(lsn):
        high, low = lsn.split("/")
        return (int(high, 16) << 32) + int(low, 16)

    database = backup["database"]["id"]
    archived = [each for each in info["archive"] if each["database"]["id"] == database]
    newest = max(str(each["max"]) for each in archived if each["max"])
    begins = f"{newest[8:16]}/{int(newest[16:24], 16) * SEGMENT:X}"
    return max(begins, str(backup["lsn"]["stop"]), key=number)


class Server:
    """A PostgreSQL on the data in a folder, which listens nowhere but there."""

    def __init__(self, folder, settings, **environment):
        self._folder, self._running = folder, folder / "data" / "postmaster.pid"
        (folder / "pg_hba.conf").write_text("local all postgres trust\n")
        (folder / "postgresql.conf").write_text(
            f"{settings}hot_standby = off\nlisten_addresses = ''\n"
            f"data_directory = '{folder}/data'\nunix_socket_directories = '{folder}'\n"
            f"hba_file = '{folder}/pg_hba.conf'\n"
        )
        self._control = partial(as_postgres, "pg_ctl", "-w", "-D", f"{folder}/data", **environment)
        self._url = f"postgres://postgres@{quote(str(folder), safe='')}"
        self.url = f"{self._url}/{STANZA}"
        # Of the service on it: without Redis it uses up no real limit; it sends no webhook.
        self.settings = {
            "DATABASE_URL": self.url,
            "DATABASE_POOLED": "false",
            "REDIS_URL": "",
            "WEBHOOK_KEY": "",
            "WEB_CONCURRENCY": "1",
        }

    def start(self):
        """Return once it has recovered. Raise Refused with PostgreSQL's own words."""
        log, options = self._folder / "log", f"-c config_file={self._folder}/postgresql.conf"
        done = self._control("-t", "3600", "-l", str(log), "-o", options, "start")
        is_running = done.returncode == 0
        while is_running:  # pg_ctl returns while it still recovers
            # Not to `assess`, which may not exist at that moment.
            with contextlib.suppress(psycopg.OperationalError):
                psycopg.connect(f"{self._url}/postgres").close()
                return
            time.sleep(0.2)
            is_running = self._running.exists()
        raise Refused(reason(log.read_text(errors="replace") if log.exists() else done.stderr))

    def stop(self):
        if self._running.exists():
            self._control("-m", "fast", "stop")


def reason(log):
    """Say why PostgreSQL did not recover, from its log."""
    fatal = re.findall(r"(?:FATAL|PANIC): +(.*)", log)
    restored = re.findall(r'restored log file "(\w+)"', log)
    if any("before configured recovery target" in line for line in fatal):
        after = f" after {restored[-1]}" if restored else ""
        return f"the archive ends{after}: a file of WAL is missing, or the moment is too late"
    return f"PostgreSQL does not recover: {'; '.join(fatal) or log[-1000:]}"


def use(folder, server):
    """Use the service on the restored database. Raise an error if it does not work."""
    port, url = free_port(), server.url
    own = os.environ | server.settings | {"TRUSTED_PROXY_COUNT": "0", "ALLOWED_HOSTS": "127.0.0.1"}
    own["APP_URL"] = f"http://127.0.0.1:{port}"
    command = partial(manage, own, seconds=3600)
    command("migrate", "--noinput")
    service = Program(folder / "gunicorn.log")
    bind = ["--bind", f"127.0.0.1:{port}"]
    service.run([sys.executable, "-m", "gunicorn", "config.wsgi", *bind], cwd=ROOT, env=own)
    try:
        service.wait_for_url(f"http://127.0.0.1:{port}/readyz")
        progress("migrated to this release, /readyz is content")
        take_a_link(Gate(port), Partner.onboarded(command), url)
        see_the_students(Gate(port), own)
    finally:
        service.stop()
    results = rows_of(url, NEWEST)
    for newest in results:
        command("rescore", newest["assessment_id"])
        progress(f"{newest['assessment_id']} scores as it did")
    if not results:
        progress("no result is stored yet, so none was scored again")


def take_a_link(gate, partner, url):
    """Take a link from the partner's call to stored answers, then read the results."""
    with Visits(gate, [partner], 1, pages=1, most=1) as visits:
        pass
    ledger = visits.ledger
    gone = lost(ledger, partial(rows_of, url))
    if ledger.failed or ledger.complaints or gone or not ledger.of("answers"):
        raise Refused(f"a student meets {ledger.failures} {ledger.complaints}, lost: {gone}")
    progress("a link is issued, started and answered")


def see_the_students(gate, own):
    """Sign in as a new member of staff, with password and authenticator app."""
    name, password = f"drill-{secrets.token_hex(4)}", secrets.token_urlsafe(24)
    account = ("--noinput", "--username", name, "--email", f"{name}@example.com")
    manage(own | {"DJANGO_SUPERUSER_PASSWORD": password}, "createsuperuser", *account)
    staff = RemoteBrowser(Client(gate, Ledger()))
    send_form(staff, "/admin/login/", username=name, password=password)
    set_up = "/admin/login/set-up/"
    shown = re.search(r'<code class="key">([A-Z2-7 ]+)</code>', staff.get(set_up).text)
    if not shown:
        raise Refused("after the password nothing asks for a second factor")
    key = base64.b32decode(shown[1].replace(" ", ""))
    send_form(staff, set_up, code=f"{totp(key):06}")
    if "/admin/logout/" not in staff.get("/admin/assessments/student/").text:
        raise Refused("a member of staff is not signed in")
    progress("a member of staff signs in and sees the students")


def send_form(browser, path, **values):
    """Send the form of a page that has fields of these names."""
    for form in browser.get(path).forms:
        if values.keys() <= {control.get("name", "") for control in form.inputs}:
            browser.client.post(path, form.filled | values)


def drill(folder, options):
    """Run all steps. Raise Refused, or another error, if one fails."""
    pgbackrest = PgBackRest(folder, options.config)
    info = pgbackrest.info()
    newest = newest_of(info, options)
    target = ["--type=lsn", f"--target={last_place(info, newest)}", f"--set={newest['label']}"]
    if options.moment:
        target = ["--type=time", f"--target={options.moment}"]
    begun = time.monotonic()
    pgbackrest.run(*target, "--target-action=promote", "--archive-mode=off", "restore")
    progress(f"restored in {time.monotonic() - begun:.0f} s")
    server = Server(folder, SETTINGS)
    try:
        begun = time.monotonic()
        server.start()
        [row] = rows_of(server.url, "SELECT pg_last_xact_replay_timestamp() AS last")
        until = f", until {row['last']:%Y-%m-%d %H:%M:%S} UTC" if row["last"] else ""
        progress(f"recovered from the archive in {time.monotonic() - begun:.0f} s{until}")
        use(folder, server)
    finally:
        server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cluster", required=True, metavar="SYSTEM_ID", help="docs/backups.md")
    parser.add_argument("--moment", help="such as 2026-11-24 09:59:59+05:30; all that is archived")
    parser.add_argument("--config", type=Path, default=Path("/etc/pgbackrest.conf"), metavar="FILE")
    parser.add_argument("--max-age", type=float, default=26, metavar="HOURS", help="26")
    parser.add_argument("--smallest", type=float, default=0.8, help="share of the backup before")
    options = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGHUP):  # otherwise students' data would be left
        signal.signal(number, lambda *_: sys.exit(1))
    begun = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="restored-"))
    try:
        shutil.chown(folder, "postgres", "postgres")
        drill(folder, options)
    except Exception as error:  # any error means that nothing was verified
        print(f"FAIL {type(error).__name__}: {' '.join(str(error).split())}", flush=True)
        return 1
    finally:
        shutil.rmtree(folder)
    progress(f"all of it, in {time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
