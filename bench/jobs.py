"""What the other units of deploy/ start, once each, and the drill of the backup that one makes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psycopg

from deploy.drills.deployed import ROOT, Database, Deployed
from deploy.drills.programs import PASSWORDS, UNIT
from deploy.drills.shipped import DEPLOY, commands, variables
from tests.support.figures import Figure, exactly


def jobs(deployed: Deployed) -> list[Figure]:
    """Run each command as the role that it has in production; 0 is the status that is right."""
    folder = deployed.folder / "backups"
    folder.mkdir()
    environment = deployed.of_commands() | {"DRILL_SERVER_URL": deployed.primary.url}
    units = sorted(path.name for path in (DEPLOY / "systemd").glob("*.service"))
    units.remove(UNIT)
    found = []
    for unit in units:
        changes = {"/srv/assess/.venv/bin/python": sys.executable}
        if "backup" in unit:
            changes["/var/backups/assess"] = str(folder)
        own = environment | variables(unit)
        statuses = [_status(command, own) for command in commands(unit, "ExecStart", changes)]
        found.append(exactly(f"{unit}: commands that failed", sum(map(bool, statuses)), 0))
    drill = [sys.executable, str(DEPLOY / "drills" / "restore.py"), str(folder)]
    return [
        *found,
        exactly("restore_drill.py: exit status", _status(drill, environment), 0),
        exactly("restored in earnest: tables not open to the web", restored(deployed, folder), 0),
    ]


def restored(deployed: Deployed, folder: Path) -> int:
    """Restore the backup on a new server; return how many tables the web process may not change."""
    server = Database(deployed.folder / "postgresql-new")
    deployed.closed_at_the_end(server)
    server.create()
    server.open_to_roles()
    server.start()
    server.make_roles()
    [dump] = folder.glob("*.dump")
    options = ["--exit-on-error", "--no-owner", "--no-privileges", "--jobs=4"]
    target = f"host={server.host} port={server.port} user=assess dbname=assess"
    environment = {"PATH": server.path, "PGPASSWORD": PASSWORDS["commands"]}
    command = ["pg_restore", *options, f"--dbname={target}", str(dump)]
    subprocess.run(command, env=environment, check=True)
    with psycopg.connect(f"{server.url.rpartition('/')[0]}/assess") as connection:
        [row] = connection.execute(
            "SELECT count(*) FILTER (WHERE NOT has_table_privilege('assess_web', oid, 'INSERT')"
            " OR NOT has_table_privilege('assess_web', oid, 'UPDATE')), count(*)"
            " FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        ).fetchall()
    closed, tables = row
    assert tables > 20, "nothing was restored"
    return int(closed)


def _status(command: list[str], environment: dict[str, str]) -> int:
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout[-1000:], done.stderr[-1000:], sep="\n", file=sys.stderr)
    return done.returncode
