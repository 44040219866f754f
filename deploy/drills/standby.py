"""Break the primary under load, promote its standby, and count acknowledged writes that are lost.

    python -m deploy.drills.standby [--only PART ...]

Two machines, nginx, PgBouncer, PostgreSQL and its standby run with the configuration and scripts
of deploy/.

asynchronous  commits do not wait for the standby: those after it was cut off are lost
synchronous   commits wait for the standby: nothing is lost
switch        primary and standby change places on purpose: no request fails

Takes about two minutes. Exit status 1 if a target is missed, 2 if a program is not installed.
"""

from __future__ import annotations

import sys
import time

import psycopg

from deploy.drills.deployed import HOSTS, Database, Deployed, Part, play
from deploy.drills.shipped import DEPLOY
from tests.support.clients import Client, Failed, Partner
from tests.support.figures import Figure, at_least, at_most, exactly, reported
from tests.support.ledger import Ledger, lost
from tests.support.programs import until
from tests.support.visits import Visits

THREADS = 8
NAME = "standby"  # as in docs/several-machines.md
BREAK = 1.5  # seconds between cutting off the standby and killing the primary
BACK = 2  # seconds; PgBouncer tries every second


def fail_over(deployed: Deployed, partner: Partner, *, is_synchronous: bool) -> list[Figure]:
    """Cut off the standby, kill the primary, promote the standby, move PgBouncer to it.

    If synchronous, a commit returns once the standby has it too; otherwise at once.
    """
    what = "synchronous standby" if is_synchronous else "asynchronous standby"
    standby = make_standby(deployed)
    if is_synchronous:
        set_on(deployed.primary, "synchronous_standby_names", NAME)
        until(lambda: _streaming(deployed.primary) == "sync")
    with Visits(deployed.gate, [partner], THREADS) as visits:
        ledger = visits.ledger
        visits.until(200)
        # The standby is cut off at some moment between these two.
        breaking_at = time.monotonic()
        set_on(standby, "primary_conninfo", "")
        until(lambda: not _streaming(deployed.primary))
        broken_at = time.monotonic()
        time.sleep(BREAK)
        deployed.primary.stop("immediate")
        _promote(standby)
        promoted_at = time.monotonic()
        _change_over(deployed, standby)
        moved_at = time.monotonic()
        recovered_at = first_success(deployed, partner)
        visits.until(len(ledger.asked) + 100)
        failed = ledger.failed
        visits.until(len(ledger.asked) + 300)
    gone = lost(ledger, deployed.rows)
    lost_early = sum(done.at < breaking_at for done in gone)
    acknowledged = ledger.acknowledged
    after_the_break = [done for done in acknowledged if broken_at < done.at < promoted_at]
    return [
        reported(f"{what}: writes acknowledged", len(acknowledged)),
        reported(f"{what}: of these after the standby was cut off", len(after_the_break)),
        exactly(f"{what}: lost, told before it was cut off", lost_early, 0),
        exactly(f"{what}: lost", len(gone), 0)
        if is_synchronous
        # If the program found no loss here, it could not find one above either.
        else at_least(f"{what}: lost, told after it was cut off", len(gone), 1),
        reported(f"{what}: promotion to the move of PgBouncer, s", moved_at - promoted_at),
        at_most(f"{what}: from then to the first success, s", recovered_at - moved_at, BACK),
        reported(f"{what}: requests that failed meanwhile", failed),
        exactly(f"{what}: requests that failed later", ledger.failed - failed, 0),
    ]


def switch_over(deployed: Deployed, partner: Partner) -> list[Figure]:
    """Swap primary and standby on purpose, while calls wait in PgBouncer."""
    standby = make_standby(deployed)
    with Visits(deployed.gate, [partner], THREADS) as visits:
        ledger = visits.ledger
        visits.until(200)
        begun = time.monotonic()
        _tell(deployed, "PAUSE assess")
        deployed.primary.stop("fast")
        _promote(standby)
        _change_over(deployed, standby)
        _tell(deployed, "RESUME assess")
        seconds = time.monotonic() - begun
        visits.until(len(ledger.asked) + 300)
    gone = lost(ledger, deployed.rows)
    return [
        reported("change of primary on purpose: requests", len(ledger.asked)),
        exactly(f"change of primary: failed {ledger.failures}", ledger.failed, 0),
        exactly("change of primary: acknowledged and lost", len(gone), 0),
        reported("change of primary: seconds that calls waited", seconds),
    ]


def make_standby(deployed: Deployed) -> Database:
    """Make a standby with the shipped script; return once it streams."""
    primary = deployed.primary
    host = HOSTS[1 - HOSTS.index(primary.host)]
    standby = Database(deployed.folder / f"postgresql-{host}", host, primary.port)
    standby.close()  # it may be the primary of an earlier part
    deployed.closed_at_the_end(standby)
    script = str(DEPLOY / "postgresql" / "make-standby")
    standby.copied(script, primary.host, str(primary.port), NAME, **deployed.passwords())
    standby.start()
    until(lambda: _streaming(primary) == "async")
    return standby


def set_on(database: Database, name: str, value: str) -> None:
    database.execute(f"ALTER SYSTEM SET {name} = '{value}'")
    database.execute("SELECT pg_reload_conf()")


def _promote(standby: Database) -> None:
    """Promote the standby. As a primary it waits for no standby, because there is none."""
    set_on(standby, "synchronous_standby_names", "")
    standby.promote()


def _streaming(primary: Database) -> str:
    """Return the standby's mode, "sync" or "async"; "" if it does not stream."""
    with psycopg.connect(primary.url, autocommit=True) as connection:
        row = connection.execute(
            "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'"
        ).fetchone()
    return str(row[0]) if row else ""


def _change_over(deployed: Deployed, standby: Database) -> None:
    """Point each machine's PgBouncer to the new primary, with the shipped script."""
    for machine in deployed.machines:
        standby.run(
            str(DEPLOY / "move-database"),
            standby.host,
            str(standby.port),
            PGBOUNCER_INI=str(machine.pgbouncer.ini),
            **deployed.passwords(),
        )
    deployed.primary = standby


def _tell(deployed: Deployed, command: str) -> None:
    """Run a command on the console of each machine's PgBouncer."""
    for machine in deployed.machines:
        console = f"host=127.0.0.1 port={machine.pgbouncer.port} user=pgbouncer dbname=pgbouncer"
        deployed.primary.run("psql", "-X", "-w", console, "-c", command, **deployed.passwords())


def first_success(deployed: Deployed, partner: Partner) -> float:
    """Wait until a call that writes succeeds; return the monotonic time."""

    def is_answered() -> bool:
        client = Client(deployed.gate, Ledger())
        try:
            partner.link(client, "first@example.com")
        except Failed:
            return False
        finally:
            client.close()
        return True

    return until(is_answered)


PARTS: dict[str, Part] = {
    "asynchronous": lambda deployed, partner, _: fail_over(deployed, partner, is_synchronous=False),
    "synchronous": lambda deployed, partner, _: fail_over(deployed, partner, is_synchronous=True),
    "switch": lambda deployed, partner, _: switch_over(deployed, partner),
}

if __name__ == "__main__":
    sys.exit(play(__doc__, PARTS))
