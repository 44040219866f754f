"""Break the cluster's primary under load, and count what failed and what was lost.

    python -m deploy.drills.failover [--only PART ...]

postgresql    its PostgreSQL is killed
node          its node is killed, with Patroni and etcd
frozen        its node hangs, and goes on after another one took over
postmaster    its postmaster hangs: nobody new can connect, and Patroni does not notice
network       its node is cut off from everybody
etcd          its node is cut off from etcd on the other nodes
unsent        it is cut off from the standbys, and killed two seconds later
asynchronous  the same if commits wait for no standby, which must lose writes

No acknowledged write may be lost but in the last part, and no thread may hang a minute later. Takes
about twenty minutes. Needs root, and the programs of docs/cluster.md.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import psycopg

from deploy.drills.deployed import NODES, WEB
from deploy.drills.parts import lost_writes, main, violations
from deploy.drills.visits import Visits
from lab.figures import Figure, at_least, at_most, exactly, reported
from tests.support import cpu
from tests.support.clients import Client, Failed
from tests.support.ledger import Ledger, lost
from tests.support.programs import kill, until

THREADS = 12
BEFORE, AFTER = 3.0, 5.0  # seconds of load before the fault and after the repair
STUCK, CALLS, USUAL = 60, 16, 2.0  # seconds after the repair; calls then; seconds for the slowest
REPORTED = 30.0  # seconds until HAProxy calls a frozen postmaster down


@dataclass(frozen=True)
class Fault:
    """What breaks, and how it is put right again after `lasts` seconds.

    `without` is the target in seconds for the longest time without an acknowledged write.
    """

    act: Callable[[], object]
    repair: Callable[[], object]
    without: float = 35
    lasts: float = 30
    is_lossy: bool = False
    more: Callable[[float], list[Figure]] = lambda repaired_at: []


def play(deployed, partner, fault):
    """Break something while students take assessments, repair it, and compare."""
    deployed.nodes.until_whole()
    with Visits(deployed.gate, [partner], THREADS) as visits:
        ledger = visits.ledger
        time.sleep(BEFORE)
        begun = time.monotonic()
        fault.act()
        time.sleep(fault.lasts)
        repairing = time.monotonic()
        fault.repair()
        repaired = time.monotonic()
        deployed.nodes.until_whole(180)
        whole = time.monotonic()
        time.sleep(AFTER)
        ended = time.monotonic()
    written = sorted(done.at for done in ledger.acknowledged if begun < done.at < ended)
    longest = max(later - earlier for earlier, later in pairwise([begun, *written, ended]))
    yield at_most("longest time without an acknowledged write, s", longest, fault.without)
    yield reported(f"of {len(ledger.asked)} requests failed {ledger.failures}", ledger.failed)
    late = sum(asked.has_failed and asked.began > whole for asked in ledger.asked)
    yield exactly("requests that failed after the cluster was whole", late, 0)
    if fault.is_lossy:
        # If the comparison found no loss here, it could not find one elsewhere either.
        yield at_least("acknowledged writes lost", len(lost(ledger, deployed.rows)), 1)
    else:
        yield lost_writes(ledger, deployed.rows)
    yield violations(deployed.manage)
    yield reported("from the repair until the cluster was whole, s", whole - repaired)
    time.sleep(max(0, repaired + STUCK - time.monotonic()))
    yield at_most(f"slowest of {CALLS} calls later, s", slowest_call(deployed, partner), USUAL)
    yield from fault.more(repairing)


def slowest_call(deployed, partner):
    """Return the longest of some calls at once, one for each thread of both web machines, in s."""
    ledger = Ledger()

    def call(number):
        with contextlib.suppress(Failed):
            client = Client(deployed.gate, ledger)
            partner.link(client, f"later{number}@example.com")
            client.close()

    with ThreadPoolExecutor(CALLS) as pool:
        list(pool.map(call, range(CALLS)))
    if ledger.failed:
        raise AssertionError(f"calls fail a minute later: {ledger.failures}")
    return ledger.quantile(1) / 1000


def postgresql(deployed):
    """Kill every process of the primary's PostgreSQL; Patroni goes on."""
    postmaster = deployed.nodes.primary.postmaster

    def kill_all():
        for process in (postmaster, *cpu.descendants(postmaster)):
            kill(process)

    return Fault(kill_all, lambda: None, without=15, lasts=20)


def node(deployed):
    primary = deployed.nodes.primary
    return Fault(primary.die, primary.restart)


class Writer(threading.Thread):
    """Writes past HAProxy, as a client might that was never told of a new primary."""

    def __init__(self, url):
        super().__init__(daemon=True)
        self._url, self._over = url, threading.Event()
        self.written = []  # when a write was acknowledged
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS drill_written (at float)")
        self.start()
        until(lambda: self.written)

    def run(self):
        while not self._over.wait(0.02):
            with (
                contextlib.suppress(psycopg.Error),
                psycopg.connect(self._url, autocommit=True) as connection,
            ):
                connection.execute("INSERT INTO drill_written VALUES (%s)", (time.time(),))
                self.written.append(time.monotonic())

    def end(self):
        """Return when it wrote. Raise an error if it did not go on until now."""
        if not self.is_alive():
            raise AssertionError("the writer has ended")
        self._over.set()
        self.join(60)
        return self.written


def frozen(deployed):
    """Stop all processes of the primary's node; let them go on after another one took over."""
    old = deployed.nodes.primary
    writer = Writer(old.url)

    def figures(repaired_at):
        written = writer.end()
        late = [at for at in written if at > repaired_at]
        return [
            reported("writes past HAProxy that it acknowledged before", len(written) - len(late)),
            exactly("writes past HAProxy that it acknowledged after SIGCONT", len(late), 0),
        ]

    freeze, thaw = (partial(old.host.signal, n) for n in (signal.SIGSTOP, signal.SIGCONT))
    return Fault(freeze, thaw, lasts=45, more=figures)


def postmaster(deployed):
    """Stop the primary's postmaster alone, and kill it afterwards, as docs/cluster.md says."""
    primary, url = deployed.nodes.primary, f"http://{WEB['web1']}:8404/metrics"
    status = f'status{{proxy="postmasters",server="{primary.name}",state="UP"}} 1\n'
    process = primary.postmaster
    reported_after = []

    def freeze():
        begun = time.monotonic()
        os.kill(process, signal.SIGSTOP)
        at = until(lambda: status not in urllib.request.urlopen(url, timeout=5).read().decode())
        reported_after.append(at - begun)

    def figures(_):
        return [at_most("reported by HAProxy after, s", reported_after[0], REPORTED)]

    return Fault(freeze, lambda: kill(process), without=15, lasts=20, more=figures)


def network(deployed):
    """Cut the primary's node off from everybody."""
    host = deployed.nodes.primary.host
    return Fault(host.cut_off, host.join)


def etcd(deployed):
    """Cut the primary's node off from etcd on the other nodes; Patroni still reaches Patroni."""
    host = deployed.nodes.primary.host
    others = [address for address in NODES.values() if address != host.address]
    return Fault(lambda: host.cut_off(others, (2379, 2380)), host.join)


def unsent(deployed, *, is_lossy=False):
    """Cut the standbys off from the primary for two seconds, then kill its node."""
    primary = deployed.nodes.primary
    others = [each.host.address for each in deployed.nodes.others(primary)]

    def act():
        primary.host.cut_off(others)
        time.sleep(2)
        primary.die()

    def repair():
        # Not before: the kernel would still deliver what the dead PostgreSQL had sent.
        primary.host.join()
        primary.restart()

    return Fault(act, repair, lasts=35, is_lossy=is_lossy)


def part(make):
    return lambda deployed, partner, _: play(deployed, partner, make(deployed))


def asynchronous(deployed, partner, _):
    deployed.nodes.wait_for_standbys(0)
    yield from play(deployed, partner, unsent(deployed, is_lossy=True))
    deployed.nodes.wait_for_standbys(1)


FAULTS = (postgresql, node, frozen, postmaster, network, etcd, unsent)
PARTS = {make.__name__: part(make) for make in FAULTS} | {"asynchronous": asynchronous}

if __name__ == "__main__":
    sys.exit(main("deploy.drills.failover", __doc__, PARTS))
