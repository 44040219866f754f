"""The scripts of deploy/: manage, restart-half, own-disk and unit-failed."""

import os
import re

import pytest

from tests.support import programs
from tests.support.programs import ROOT

DEPLOY = ROOT / "deploy"


def program(file, text):
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!/usr/bin/env bash\n{text}\n")
    file.chmod(0o755)
    return file


def run(*command, **environment):
    own = {name: str(value) for name, value in environment.items()}
    return programs.run(command, env={"PATH": os.environ["PATH"], **own}, seconds=30)


def test_manage_hands_a_command_to_systemd_as_given_and_as_the_units_run(tmp_path):
    program(tmp_path / "systemd-run", "printf '%s\\n' \"$@\"")
    own = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "SUDO_USER": "asha"}
    words = ["purge", "p-1", "--label", "two words", "--reason", "a $b ${c}"]

    done = run(DEPLOY / "manage", *words, **own)

    assert done.returncode == 0, done.stderr
    given = done.stdout.splitlines()
    start = given.index("manage.py")
    # systemd writes $$ back as $.
    assert given[start + 1 :] == [*words[:-1], "a $$b $${c}"]
    assert "--setenv=LOGNAME=asha" in given
    unit = (DEPLOY / "systemd" / "assess-purge.service").read_text()
    files = re.findall(r"^(EnvironmentFile=.*)$", unit, re.MULTILINE)
    assert [word for word in given if "EnvironmentFile" in word] == [
        f"--property={line}" for line in files
    ]
    [user] = re.findall("^User=(.*)$", unit, re.MULTILINE)
    assert f"--uid={user}" in given
    assert f"ExecStart={given[start - 1]} manage.py purge" in unit


@pytest.fixture
def restart(tmp_path):
    """Give a function that restarts the first half, `mine`, while those named are ready."""
    # A fake curl: an address is ready while there is a file of its name.
    program(tmp_path / "bin" / "curl", 'for last; do :; done\n[ -e "$READY/$last" ]')
    (tmp_path / "run").mkdir()
    (tmp_path / "ready").mkdir()

    def restart(command, *ready):
        for name in ready:
            (tmp_path / "ready" / name).touch()
        return run(
            # A build that runs in the background ignores SIGINT, and so would the script.
            *("env", "--default-signal=INT,TERM"),
            *(DEPLOY / "restart-half", "first", command, "mine", "other"),
            PATH=f"{tmp_path / 'bin'}:{os.environ['PATH']}",
            READY=tmp_path / "ready",
            ASSESS_RUN=tmp_path / "run",
            **dict.fromkeys(("DRAIN", "PATIENCE", "SETTLE"), 0),
        )

    return restart


def test_a_half_is_marked_while_it_restarts_and_not_afterwards(restart, tmp_path):
    done = restart(f"ls {tmp_path}/run > {tmp_path}/seen", "mine", "other")

    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "seen").read_text() == "restarting-first\n"
    assert not list((tmp_path / "run").iterdir())


def test_a_repository_on_the_databases_own_disk_fails_the_unit(tmp_path):
    conf = tmp_path / "pgbackrest.conf"

    def found(repository, data):
        conf.write_text(f"repo1-path={repository}\n[assess]\npg1-path={data}\n")
        done = run(DEPLOY / "pgbackrest" / "own-disk", conf)
        return done.returncode, done.stdout[:-1].partition(" of ")[0]

    assert found(tmp_path, tmp_path) == (1, f"<3>{tmp_path} is on the disk")
    assert found("/proc", tmp_path) == (0, "")
    # The data are on another machine.
    assert found(tmp_path, "/no/such/folder") == (0, "")
