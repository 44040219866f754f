"""Machines of a drill: network namespaces on a bridge, with the addresses of deploy/.

`isolate` starts the drill again in namespaces of its own, in which these addresses mean nothing to
anybody else, and which end with all of their processes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

OWN = "10.0.0.1"  # the drill's own address, from which its clients call
CLIENTS = "10.1.0.0/16"  # addresses that a client may choose to call from
_INSIDE = "DRILL_INSIDE"
_UNSHARE = "unshare --net --mount --pid --fork --mount-proc --kill-child"
# The first process of the namespace collects orphans, which a shell does.
_FIRST = ("bash", "-c", '"$@" & wait $!', "bash")


def isolate(module: str) -> None:
    """Run the module again in its own namespaces, with the same arguments, and exit as it does.

    Return at once in that second run. Exit with status 2 without the rights to make namespaces.
    """
    if os.environ.get(_INSIDE):
        return
    if os.geteuid():
        print("needs root, to make network namespaces", file=sys.stderr)
        sys.exit(2)
    again = [*_UNSHARE.split(), *_FIRST, sys.executable, "-m", module, *sys.argv[1:]]
    sys.exit(subprocess.run(again, env=os.environ | {_INSIDE: "1"}).returncode)


def make_bridge() -> None:
    """Make the bridge that connects all hosts, with the drill's own address."""
    Path("/run/netns").mkdir(exist_ok=True)
    _run("mount", "-t", "tmpfs", "none", "/run/netns")
    _run("ip", "link", "set", "lo", "up")
    _run("ip", "link", "add", "bridge", "type", "bridge")
    _run("ip", "address", "add", f"{OWN}/24", "dev", "bridge")
    _run("ip", "link", "set", "bridge", "up")
    _run("ip", "route", "add", "local", CLIENTS, "dev", "lo")


class Host:
    """A machine: a network namespace with one address on the bridge."""

    def __init__(self, name: str, address: str) -> None:
        self.name, self.address = name, address
        self._path = Path("/run/netns") / name
        _run("ip", "netns", "add", name)
        _run(*f"ip link add {name} type veth peer name eth0 netns {name}".split())
        _run(*f"ip link set {name} master bridge up".split())
        self.run("ip", "link", "set", "lo", "up")
        self.run("ip", "address", "add", f"{address}/24", "dev", "eth0")
        self.run("ip", "link", "set", "eth0", "up")
        self.run("ip", "route", "add", "default", "via", OWN)

    @property
    def within(self) -> list[str]:
        """The beginning of a command that runs on this host."""
        return ["nsenter", f"--net={self._path}"]

    def run(self, *command: str) -> None:
        """Run a command here. Raise CalledProcessError if it fails."""
        _run(*self.within, *command)

    def signal(self, number: int) -> int:
        """Send a signal to every process of this host; return how many there were."""
        own, found = self._path.stat().st_ino, 0
        for process in Path("/proc").iterdir():
            with suppress(OSError):
                if process.name.isdigit() and (process / "ns" / "net").stat().st_ino == own:
                    os.kill(int(process.name), number)
                    found += 1
        return found

    def cut_off(self, addresses: Sequence[str] = (), ports: Sequence[int] = ()) -> None:
        """Drop what passes between this host and the addresses, or all; on the ports, or all."""
        listed = ", ".join(map(str, ports))
        on_ports = [f"tcp dport {{ {listed} }}", f"tcp sport {{ {listed} }}"] if ports else [""]
        rules = []
        for chain, field in (("input", "saddr"), ("output", "daddr")):
            of_hosts = f"ip {field} {{ {', '.join(addresses)} }}" if addresses else ""
            device = f'{"iif" if chain == "input" else "oif"} "eth0"'
            drops = "\n".join(f"{device} {of_hosts} {on_port} drop" for on_port in on_ports)
            hook = f"type filter hook {chain} priority 0;"
            rules.append(f"chain {chain} {{\n{hook}\n{drops}\n}}")
        chains = "\n".join(rules)
        subprocess.run(
            [*self.within, "nft", "-f", "-"],
            input=f"table ip drill {{\n{chains}\n}}\n",
            text=True,
            check=True,
        )

    def join(self) -> None:
        """Undo `cut_off`."""
        self.run("nft", "delete table ip drill")


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
