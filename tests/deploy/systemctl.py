#!/usr/bin/python3
"""systemctl and systemd-run without systemd, as far as the pages of docs/ use them.

A unit's commands run one after another as its user, in its folder, with its environment. Timers,
what confines a unit, and restarts after a crash are left out.
"""

import fnmatch
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

UNITS, RUN = Path("/etc/systemd/system"), Path("/run/units")
DEBIAN = {
    "postgresql": {"start": "pg_ctlcluster 15 main start", "stop": "pg_ctlcluster 15 main stop"},
    "nginx": {"start": "nginx", "stop": "nginx -s quit"},
    "redis-server": {"start": "redis-server /etc/redis/redis.conf", "stop": "redis-cli shutdown"},
}


def within(user, lines, own=()):
    """Return options of subprocess: a user, and the settings that a unit's lines give."""
    settings = list(own)
    for key, value in lines:
        if key == "EnvironmentFile":
            rows = Path(value).read_text().splitlines()
            settings += [row for row in rows if row and not row.startswith("#")]
        elif key == "Environment":
            settings += shlex.split(value)
    variables = dict(row.split("=", 1) for row in settings)
    path = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin"}
    return {"user": user, "group": user, "extra_groups": [], "env": path | variables}


def start(name):
    template, _, instance = name.partition("@")
    file = UNITS / (f"{template}@.service" if instance else f"{name}.service")
    text = file.read_text().replace("%i", instance).replace("%n", f"{name}.service")
    lines = re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE)
    unit = dict(lines)
    how = within(unit["User"], lines) | {"cwd": unit.get("WorkingDirectory", "/")}
    ready = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    ready.bind(f"{RUN}/{name}.{time.time_ns()}")
    os.chmod(ready.getsockname(), 0o777)
    for key in ("ExecStartPre", "ExecStart", "ExecStartPost"):
        for line in (value for found, value in lines if found == key):
            filled = re.sub(r"\$\{(\w+)\}", lambda match: how["env"][match[1]], line)
            if key == "ExecStart" and unit["Type"] == "notify":
                own = how | {"env": how["env"] | {"NOTIFY_SOCKET": ready.getsockname()}}
                log = (RUN / f"{name}.log").open("ab")
                program = subprocess.Popen(shlex.split(filled), stdout=log, stderr=log, **own)
                (RUN / f"{name}.pid").write_text(str(program.pid))
                ready.settimeout(60)
                while b"READY=1" not in ready.recv(4096):
                    pass
            else:
                subprocess.run(shlex.split(filled), check=True, **how)
    if "OnSuccess" in unit and unit["Type"] == "oneshot":
        start(unit["OnSuccess"].removesuffix(".service"))


def stop(pattern):
    for file in RUN.glob("*.pid"):
        if fnmatch.fnmatch(file.stem, pattern):
            pid = int(file.read_text())
            os.kill(pid, signal.SIGTERM)
            while (
                Path(f"/proc/{pid}/cmdline").exists() and Path(f"/proc/{pid}/cmdline").read_text()
            ):
                time.sleep(0.1)
            file.unlink()


def systemctl(verb, *names):
    if verb == "daemon-reload" or (verb == "enable" and "--now" not in names):
        return
    verbs = {"restart": ("stop", "start"), "enable": ("start",)}.get(verb, (verb,))
    for name in (name for name in names if not name.startswith("-") and ".timer" not in name):
        for each in verbs:
            if name in DEBIAN:
                subprocess.run(DEBIAN[name][each].split(), check=True)
            else:
                {"start": start, "stop": stop}[each](name)


def systemd_run(*words):
    options = [word.removeprefix("--").split("=", 1) for word in words if word.startswith("--")]
    command = [word.replace("$$", "$") for word in words[words.index("manage.py") - 1 :]]
    given = dict(option for option in options if len(option) == 2)
    lines = [value.split("=", 1) for key, value in options_of(options, "property")]
    how = within(given["uid"], lines, [value for _, value in options_of(options, "setenv")])
    sys.exit(subprocess.run(command, cwd=given["working-directory"], **how).returncode)


def options_of(options, name):
    return [option for option in options if option[0] == name]


if __name__ == "__main__":
    RUN.mkdir(exist_ok=True)
    RUN.chmod(0o755)
    {"systemctl": systemctl, "systemd-run": systemd_run}[Path(sys.argv[0]).name](*sys.argv[1:])
