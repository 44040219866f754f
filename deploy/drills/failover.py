"""Break each part of the cluster under load, and count what failed and what was lost.

    python -m deploy.drills.failover [--only PART ...]

The machines of docs/cluster.md run with the configuration of deploy/, each in a network namespace.

postgresql      the primary's PostgreSQL is killed
node            the primary's node is killed, with Patroni and etcd
frozen          the primary's node hangs, and goes on after another one took over
network         the primary's node is cut off from everybody
etcd-cut        the primary's node is cut off from etcd on the other nodes
disk            the primary's disk is full
postmaster      the primary's postmaster hangs: nobody new can connect, and Patroni does not notice
standby         the synchronous standby's node is killed
standby-frozen  it hangs, while a partner follows list-assessments
etcd-member, etcd-majority, haproxy, pgbouncer, redis      each is killed
synchronous, asynchronous  the primary is cut off from the standbys, and killed two seconds later

No acknowledged write may be lost but in the last part, no link used twice, no thread hang a minute
later. Takes about forty minutes; needs root, for the namespaces. Exit status 1 if a target is
missed, 2 if a program is not installed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from deploy.drills import faults
from deploy.drills.deployed import Deployed, Part, play
from deploy.drills.trouble import Fault, play_fault
from tests.support.clients import Partner
from tests.support.figures import Figure


def played(make: Callable[[Deployed], Fault]) -> Part:
    """Return a part that plays a fault."""
    return lambda deployed, partner, _: play_fault(deployed, partner, make(deployed))


def asynchronous(deployed: Deployed, partner: Partner, _: int) -> list[Figure]:
    """Play the loss of the primary without synchronous replication, for comparison."""
    deployed.nodes.replicate(synchronously=False)
    found = play_fault(deployed, partner, faults.unsent(deployed, is_synchronous=False))
    deployed.nodes.replicate(synchronously=True)
    return found


PARTS: dict[str, Part] = {
    "postgresql": played(faults.postgresql_killed),
    "node": played(faults.node_killed),
    "frozen": played(faults.node_frozen),
    "network": played(faults.network_cut),
    "etcd-cut": played(faults.etcd_cut),
    "disk": played(faults.disk_full),
    "postmaster": played(faults.postmaster_frozen),
    "standby": played(faults.standby_killed),
    "standby-frozen": lambda deployed, partner, _: play_fault(
        deployed, partner, faults.standby_frozen(deployed, partner)
    ),
    "etcd-member": played(faults.etcd_member),
    "etcd-majority": played(faults.etcd_majority),
    "haproxy": played(faults.haproxy_killed),
    "pgbouncer": played(faults.pgbouncer_killed),
    "redis": played(faults.redis_killed),
    "synchronous": played(lambda deployed: faults.unsent(deployed, is_synchronous=True)),
    "asynchronous": asynchronous,
}

if __name__ == "__main__":
    sys.exit(play("deploy.drills.failover", __doc__, PARTS))
