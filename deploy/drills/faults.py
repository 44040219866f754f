"""The faults of deploy.drills.failover, each of a part that fails, and what is expected then."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress

from deploy.drills.deployed import Deployed
from deploy.drills.nodes import ETCD_PORTS, NODES
from deploy.drills.trouble import Direct, Fault, Feed, Outcome, Sampled
from tests.support import cpu
from tests.support.clients import Partner
from tests.support.figures import Figure, at_least, at_most, exactly, reported
from tests.support.programs import kill, until

REPORTED = 30.0  # seconds until HAProxy calls a frozen postmaster down
RESTART = 2.0  # seconds until systemd starts a program again


def postgresql_killed(deployed: Deployed) -> Fault:
    """Kill every process of the primary's PostgreSQL; Patroni goes on."""
    postmaster = deployed.nodes.primary.postmaster

    def kill_all() -> None:
        for process in (postmaster, *cpu.descendants(postmaster)):
            kill(process)

    return Fault("PostgreSQL killed", kill_all, lambda: None, without=15, lasts=20)


def node_killed(deployed: Deployed) -> Fault:
    node = deployed.nodes.primary
    return Fault("node killed", node.die, node.start_again, without=35)


def node_frozen(deployed: Deployed) -> Fault:
    """Stop all processes of the primary's node; let them go on after another one took over."""
    old, others = deployed.nodes.primary, deployed.nodes.standbys
    direct = Direct([old, *others])

    def freeze() -> None:
        direct.start()
        until(lambda: direct.written)
        old.freeze()

    def figures(outcome: Outcome) -> list[Figure]:
        direct.stop()
        late = [at for at in direct.written if at > outcome.mended]
        return [
            at_least("node frozen: writes acknowledged by it before", len(direct.written), 1),
            exactly("node frozen: writes acknowledged by it after SIGCONT", len(late), 0),
            reported("node frozen: two called themselves primary, s", direct.both()),
        ]

    return Fault("node frozen", freeze, old.thaw, without=35, lasts=45, more=figures)


def network_cut(deployed: Deployed) -> Fault:
    """Cut the primary's node off from everybody."""
    node = deployed.nodes.primary
    return Fault("network cut", node.host.cut_off, node.host.join, without=35)


def etcd_cut(deployed: Deployed) -> Fault:
    """Cut the primary's node off from etcd on the other nodes; Patroni still reaches Patroni."""
    node = deployed.nodes.primary
    others = [address for address in NODES.values() if address != node.host.address]
    return Fault(
        "cut off from etcd",
        lambda: node.host.cut_off(others, ETCD_PORTS),
        node.host.join,
        without=35,
    )


def disk_full(deployed: Deployed) -> Fault:
    """Fill the primary's disk until nothing fits on it."""
    node = deployed.nodes.primary
    filler = node.disk / "filler"

    def fill() -> None:
        descriptor = os.open(filler, os.O_CREAT | os.O_WRONLY)
        with suppress(OSError):  # no space left
            while True:
                os.write(descriptor, bytes(1 << 20))
        os.close(descriptor)

    # No target: writes fail until PostgreSQL crashes because it can't write its log.
    return Fault("disk full", fill, filler.unlink, without=None, lasts=90)


def postmaster_frozen(deployed: Deployed) -> Fault:
    """Stop the primary's postmaster alone: sessions go on, and nobody else can connect.

    It is killed afterwards, as docs/cluster.md says.
    """
    node = deployed.nodes.primary
    process = node.postmaster
    seen: dict[str, float] = {}
    proxy = deployed.machines[0].haproxy

    def freeze() -> None:
        begun = time.monotonic()
        os.kill(process, signal.SIGSTOP)
        until(lambda: node.name not in proxy.up("postmasters"))
        seen["after"] = time.monotonic() - begun

    return Fault(
        "postmaster frozen",
        freeze,
        lambda: os.kill(process, signal.SIGKILL),
        without=15,
        lasts=20,
        more=lambda _: [
            at_most("postmaster frozen: reported by HAProxy after, s", seen["after"], REPORTED)
        ],
    )


def standby_killed(deployed: Deployed) -> Fault:
    node = deployed.nodes.standbys[0]
    return Fault("synchronous standby killed", node.die, node.start_again, without=15, failed=0)


def standby_frozen(deployed: Deployed, partner: Partner) -> Fault:
    """Stop all processes of the synchronous standby while a partner follows list-assessments."""
    node, feed = deployed.nodes.standbys[0], Feed(deployed, partner)
    following = Sampled(feed.go_on, 1)

    def freeze() -> None:
        following.start()
        node.freeze()

    def figures(outcome: Outcome) -> list[Figure]:
        following.stop()
        ended = outcome.ledger.of("completed", "left")
        ids = {done.what["assessment"] for done in ended}
        feed.read_to_the_end(ids)
        return [
            at_least("standby frozen: ends under load", len(ids), 20),
            exactly("standby frozen: ends missing in the feed", len(ids - set(feed.read)), 0),
            exactly("standby frozen: ends twice", len(feed.read) - len(set(feed.read)), 0),
        ]

    return Fault(
        "synchronous standby frozen",
        freeze,
        node.thaw,
        without=35,
        failed=0,
        pages=None,
        more=figures,
    )


def etcd_member(deployed: Deployed) -> Fault:
    etcd = deployed.nodes.standbys[0].etcd
    return Fault("etcd member killed", etcd.kill, etcd.start, without=5, failed=0, lasts=20)


def etcd_majority(deployed: Deployed) -> Fault:
    members = [node.etcd for node in deployed.nodes.standbys]

    def kill_both() -> None:
        for member in members:
            member.kill()

    def start_both() -> None:
        for member in members:
            member.start()

    return Fault("etcd majority killed", kill_both, start_both, without=5, failed=0, lasts=60)


def haproxy_killed(deployed: Deployed) -> Fault:
    program = deployed.machines[0].haproxy
    return Fault("HAProxy killed", program.kill, program.start, without=5, lasts=RESTART)


def pgbouncer_killed(deployed: Deployed) -> Fault:
    program = deployed.machines[0].pgbouncer
    return Fault("PgBouncer killed", program.kill, program.start, without=5, lasts=RESTART)


def redis_killed(deployed: Deployed) -> Fault:
    program = deployed.redis
    return Fault("Redis killed", program.kill, program.start, without=5, failed=0, lasts=20)


def unsent(deployed: Deployed, *, is_synchronous: bool) -> Fault:
    """Cut the standbys off from the primary for two seconds, then kill its node.

    With synchronous replication no write is acknowledged meanwhile; without it they are, and lost.
    """
    node = deployed.nodes.primary
    others = [address for address in NODES.values() if address != node.host.address]
    name = "cut off and killed, " + ("synchronous" if is_synchronous else "asynchronous")

    def act() -> None:
        node.host.cut_off(others)
        time.sleep(2)
        node.die()

    def repair() -> None:
        # Not before: the kernel would still deliver what the dead PostgreSQL had sent.
        node.host.join()
        node.start_again()

    return Fault(name, act, repair, without=35, lasts=35, loses=not is_synchronous)
