"""The machines of a drill, and the programs on them as the files of deploy/ describe them.

Each machine is a network namespace. Their data are in memory, and there is no watchdog.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from tests.support.programs import Program

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
OWN = "10.0.0.1"  # the drill's own address, from which its clients call
CLIENTS = "10.1.0.0/16"  # addresses that a client may choose to call from
_INSIDE = "DRILL_INSIDE"
_UNSHARE = "unshare --net --mount --pid --fork --mount-proc --kill-child"
# The first process of the namespace collects orphans, which a shell does.
_FIRST = ("bash", "-c", '"$@" & wait $!', "bash")


def shipped(name, changes):
    """Return a file of deploy/ with words replaced. Raise ValueError if it lacks one of them."""
    text = (DEPLOY / name).read_text()
    for word, replacement in changes.items():
        if word not in text:
            raise ValueError(f"deploy/{name} no longer has {word!r}")
        text = text.replace(word, replacement)
    return text


def environment(name, changes):
    """Return the settings of an EnvironmentFile."""
    lines = shipped(name, changes).splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def command_of(unit, key, changes):
    """Return the command of a unit under a key such as ExecStart."""
    [line] = re.findall(rf"^{key}=(.*)$", shipped(f"systemd/{unit}", changes), re.MULTILINE)
    return shlex.split(line)


def isolate(module):
    """Run the module again in namespaces of its own, with the same arguments, and exit as it does.

    In that second run, return a folder in memory. The addresses of deploy/ mean nothing to anybody
    outside, and the namespaces end with all of their processes.
    """
    if inside := os.environ.get(_INSIDE):
        Path("/run/netns").mkdir(exist_ok=True)
        _run_lines(f"""
            mount -t tmpfs -o mode=755 none {inside}
            mount -t tmpfs none /run/netns
            ip link set lo up
            ip link add bridge type bridge
            ip address add {OWN}/24 dev bridge
            ip link set bridge up
            ip route add local {CLIENTS} dev lo
        """)
        return Path(inside)
    with tempfile.TemporaryDirectory(prefix="drill-") as folder:
        again = [*_UNSHARE.split(), *_FIRST, sys.executable, "-m", module, *sys.argv[1:]]
        sys.exit(subprocess.run(again, env=os.environ | {_INSIDE: folder}).returncode)


def _run_lines(commands):
    for line in commands.strip().splitlines():
        subprocess.run(line.split(), check=True, stdin=subprocess.DEVNULL)


class Host:
    """A machine: a network namespace with one address on the bridge.

    A command that begins with `within` runs here.
    """

    def __init__(self, name, address):
        self.name, self.address = name, address
        self._path = Path("/run/netns") / name
        self.within = ["nsenter", f"--net={self._path}"]
        inside = " ".join(self.within)
        _run_lines(f"""
            ip netns add {name}
            ip link add {name} type veth peer name eth0 netns {name}
            ip link set {name} master bridge up
            {inside} ip link set lo up
            {inside} ip address add {address}/24 dev eth0
            {inside} ip link set eth0 up
            {inside} ip route add default via {OWN}
        """)

    def signal(self, number):
        """Send a signal to every process of this host."""
        own = self._path.stat().st_ino
        for process in Path("/proc").iterdir():
            with suppress(OSError):
                if process.name.isdigit() and (process / "ns" / "net").stat().st_ino == own:
                    os.kill(int(process.name), number)

    def cut_off(self, addresses=(), ports=()):
        """Drop what passes between this host and the addresses, or all; on the ports, or all."""
        listed = ", ".join(map(str, ports))
        on_ports = [f"tcp dport {{ {listed} }}", f"tcp sport {{ {listed} }}"] if ports else [""]
        rules = ""
        for chain, device, field in (("input", "iif", "saddr"), ("output", "oif", "daddr")):
            of_hosts = f"ip {field} {{ {', '.join(addresses)} }}" if addresses else ""
            drops = "\n".join(f'{device} "eth0" {of_hosts} {on_port} drop' for on_port in on_ports)
            rules += f"chain {chain} {{\ntype filter hook {chain} priority 0;\n{drops}\n}}\n"
        command = [*self.within, "nft", "-f", "-"]
        subprocess.run(command, input=f"table ip drill {{\n{rules}}}\n", text=True, check=True)

    def join(self):
        """Undo `cut_off`."""
        subprocess.run([*self.within, "nft", "delete table ip drill"], check=True)


class OnHost(Program):
    """A program of a machine, which can be stopped and started again."""

    def __init__(self, log, host, command, env=None, ready=lambda program: None):
        super().__init__(log)
        self.host = host
        self._command, self._env, self._ready = [*host.within, *command], env, ready

    def start(self):
        """Start it, and return once it is ready."""
        self.run(self._command, env=self._env, cwd=ROOT)
        self._ready(self)


def is_open(port):
    """Return what waits until a program listens."""
    return lambda program: program.wait_for_port(port, host=program.host.address)
