"""Break the primary under load and promote its standby; count what was acknowledged and is lost."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

import psycopg

from bench.remote import Client, Failed, Gate, Partner, RemoteBrowser, Tally
from bench.visits import Load, missing, starts
from deploy.drills.deployed import HOSTS, Database, Deployed
from deploy.drills.shipped import DEPLOY
from tests.support.browser import Page
from tests.support.figures import Figure, at_least, at_most, exactly, told

THREADS = 8
NAME = "standby"  # as docs/operations.md has it
BREAK = 1.5  # seconds for which the standby hears nothing before the primary is gone
BACK = 2  # seconds: PgBouncer tries each second
TRIED_AGAIN = 40  # links
SEE_OTHER, NOT_FOUND, GONE = 303, 404, 410


def fail_over(deployed: Deployed, partner: Partner, *, is_synchronous: bool) -> list[Figure]:
    """Cut the standby off, kill the primary, promote the standby, move PgBouncer to it.

    If synchronous, a commit is answered when the standby has it too; else at once.
    """
    what = "synchronous standby" if is_synchronous else "asynchronous standby"
    standby = make_standby(deployed)
    if is_synchronous:
        set_on(deployed.primary, "synchronous_standby_names", NAME)
        _until(lambda: _streaming(deployed.primary) == "sync")
    gate = Gate(deployed.nginx.port, deployed.nginx.certificate)
    with Load(gate, partner, THREADS) as load:
        load.until(200)
        # It hears nothing more at some moment between these two.
        breaking_at = time.monotonic()
        set_on(standby, "primary_conninfo", "")
        _until(lambda: not _streaming(deployed.primary))
        broken_at = time.monotonic()
        time.sleep(BREAK)
        deployed.primary.stop("immediate")
        _promote(standby)
        promoted_at = time.monotonic()
        _change_over(deployed, standby)
        moved_at = time.monotonic()
        recovered_at = first_success(gate, partner)
        load.until(load.tally.requests + 100)
        failed = load.tally.failed
        load.until(load.tally.requests + 300)
        load.stop()
    lost = missing(load.done, deployed.rows)
    lost_early = sum(done.at < breaking_at for done in lost)
    after_the_break = [done for done in load.done if broken_at < done.at < promoted_at]
    return [
        told(f"{what}: writes acknowledged", len(load.done)),
        told(f"{what}: of these after the standby was cut off", len(after_the_break)),
        exactly(f"{what}: lost, told before it was cut off", lost_early, 0),
        exactly(f"{what}: lost", len(lost), 0)
        if is_synchronous
        # If nothing is lost here, this program could not see a loss above either.
        else at_least(f"{what}: lost, told after it was cut off", len(lost), 1),
        told(f"{what}: promotion to the move of PgBouncer, s", moved_at - promoted_at),
        at_most(f"{what}: from then to the first success, s", recovered_at - moved_at, BACK),
        told(f"{what}: requests that failed meanwhile", failed),
        exactly(f"{what}: requests that failed later", load.tally.failed - failed, 0),
        *_started_once(deployed, partner, gate, load, what),
    ]


def switch_over(deployed: Deployed, partner: Partner) -> list[Figure]:
    """Change primary and standby on purpose: calls wait in PgBouncer meanwhile."""
    standby = make_standby(deployed)
    gate = Gate(deployed.nginx.port, deployed.nginx.certificate)
    with Load(gate, partner, THREADS) as load:
        load.until(200)
        begun = time.monotonic()
        _tell(deployed, "PAUSE assess")
        deployed.primary.stop("fast")
        _promote(standby)
        _change_over(deployed, standby)
        _tell(deployed, "RESUME assess")
        seconds = time.monotonic() - begun
        load.until(load.tally.requests + 300)
        load.stop()
    lost = missing(load.done, deployed.rows)
    return [
        told("change of primary on purpose: requests", load.tally.requests),
        exactly(f"change of primary: failed {load.tally.failures}", load.tally.failed, 0),
        exactly("change of primary: acknowledged and lost", len(lost), 0),
        told("change of primary: seconds that calls waited", seconds),
    ]


def make_standby(deployed: Deployed) -> Database:
    """Make a standby of the primary with the shipped script; return once it streams."""
    primary = deployed.primary
    host = HOSTS[1 - HOSTS.index(primary.host)]
    standby = Database(deployed.folder / f"postgresql-{host}", host, primary.port)
    standby.close()  # the primary of a run before
    deployed.closed_at_the_end(standby)
    script = str(DEPLOY / "postgresql" / "make-standby")
    standby.copied(script, primary.host, str(primary.port), NAME, **deployed.passwords())
    standby.start()
    _until(lambda: _streaming(primary) == "async")
    return standby


def set_on(database: Database, name: str, value: str) -> None:
    database.execute(f"ALTER SYSTEM SET {name} = '{value}'")
    database.execute("SELECT pg_reload_conf()")


def _promote(standby: Database) -> None:
    """Make it the primary: one that waits for no standby, as there is none."""
    set_on(standby, "synchronous_standby_names", "")
    standby.promote()


def _streaming(primary: Database) -> str:
    """Return how the primary feeds its standby: sync, async, or not at all."""
    with psycopg.connect(primary.url, autocommit=True) as connection:
        row = connection.execute(
            "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'"
        ).fetchone()
    return str(row[0]) if row else ""


def _until(is_so: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError("The standby did not come to that state.")
        time.sleep(0.02)


def _change_over(deployed: Deployed, standby: Database) -> None:
    """Point each machine's PgBouncer at the new primary, with the shipped script."""
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
    """Give each machine's PgBouncer a command of its console."""
    for machine in deployed.machines:
        console = f"host=127.0.0.1 port={machine.pgbouncer.port} user=pgbouncer dbname=pgbouncer"
        deployed.primary.run("psql", "-X", "-w", console, "-c", command, **deployed.passwords())


def first_success(gate: Gate, partner: Partner, seconds: float = 60) -> float:
    """Return when a call that writes was first answered, in monotonic seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        client = Client(gate, Tally())
        try:
            partner.link(client, "first@example.com")
            return time.monotonic()
        except Failed:
            time.sleep(0.05)
        finally:
            client.close()
    raise AssertionError("The service did not come back.")


def _started_once(
    deployed: Deployed, partner: Partner, gate: Gate, load: Load, what: str
) -> list[Figure]:
    """Start links once more that were started, from two other browsers one after the other."""
    lost = {done.token for done in missing(load.done, deployed.rows)}
    kept = [token for token in starts(load.done) if token not in lost][-TRIED_AGAIN:]
    gone = [token for token in starts(load.done) if token in lost][-TRIED_AGAIN:]
    won: Counter[str] = Counter()
    for _ in range(2):
        browser = RemoteBrowser(Client(gate, Tally()))
        landing = browser.open(partner.link(browser.client, "again@example.com"))
        for token in (*kept, *gone):
            won[token] += _is_started(browser, landing, token)
    twice = deployed.rows(
        "SELECT count(*) AS n FROM (SELECT student_id FROM assessments_assessment"
        " GROUP BY student_id HAVING count(*) > 1) AS students"
    )[0]["n"]
    return [
        told(f"{what}: links tried again that were started", len(kept)),
        exactly(f"{what}: of these started a second time", sum(won[token] for token in kept), 0),
        told(f"{what}: links tried again whose start was lost", len(gone)),
        exactly(f"{what}: of these started twice", sum(won[token] > 1 for token in gone), 0),
        exactly(f"{what}: students with two attempts", twice, 0),
    ]


def _is_started(browser: RemoteBrowser, landing: Page, token: str) -> bool:
    form = {**landing.form.filled, "token": token, "consent": "yes"}
    try:
        return browser.client.post(landing.form.action, form).status_code == SEE_OTHER
    except Failed as failed:
        if failed.status not in (NOT_FOUND, GONE):
            raise
        return False
