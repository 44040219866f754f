"""A slow line to a port of this machine, in a process of its own so that nobody else slows it.

    python -m bench.slow_line PORT SECONDS

Prints the port that leads there, with so many seconds there and back, until it is terminated.
"""

from __future__ import annotations

import sys
import threading

from tests.support.databases import free_port
from tests.support.slow_network import Conditions, SlowNetwork


def main() -> None:
    to_port, seconds = int(sys.argv[1]), float(sys.argv[2])
    port = free_port()
    with SlowNetwork(port, to_port) as line:
        line.conditions = Conditions(round_trip=seconds)
        print(port, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
