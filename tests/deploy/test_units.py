"""What the systemd units start is there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
FAILED = DEPLOY / "systemd" / "assess-failed@.service"
# They run on database machines, with nothing of the service.
DATABASE = {"assess-patroni.service", "assess-backup@.service"}
EVERY = sorted(set((DEPLOY / "systemd").glob("*.service")) - {FAILED})
UNITS = [unit for unit in EVERY if unit.name not in DATABASE]
HOME = "/srv/assess/"


def values(unit: Path, name: str) -> list[str]:
    return re.findall(rf"^{name}=(.*)$", unit.read_text(), re.MULTILINE)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_starts_what_is_there(unit: Path) -> None:
    commands = [words.split() for words in values(unit, "ExecStart(?:Pre)?")]

    assert commands
    assert values(unit, "WorkingDirectory") == [HOME.rstrip("/")]
    for program, what, *arguments in commands:
        assert program.startswith(f"{HOME}.venv/bin/")
        if what == "manage.py":
            name, *options = arguments
            command = load_command_class(str(get_commands()[name]), name)
            given = ["backup" if each == "%i" else each for each in options]
            command.create_parser("manage.py", name).parse_args(given)
        elif program.endswith("gunicorn"):
            assert what == "config.wsgi"
        else:
            assert (ROOT / what).is_file()


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_reads_settings_that_ship(unit: Path) -> None:
    files = values(unit, "EnvironmentFile")

    assert files[0] == "/etc/assess/assess.env"
    assert all((DEPLOY / Path(file).name).is_file() for file in files)
    # Only what owns the tables may change them.
    assert ("/etc/assess/commands.env" in files) == ("web" not in unit.name)


def test_every_timer_has_its_service() -> None:
    timers = sorted((DEPLOY / "systemd").glob("*.timer"))
    started = {timer: (values(timer, "Unit") or [f"{timer.stem}.service"])[0] for timer in timers}
    templates = {re.sub(r"@\w+", "@", name) for name in started.values()}

    assert templates == {
        unit.name for unit in EVERY if not re.search("web|release|patroni|noted", unit.stem)
    }
    assert all(values(timer, "OnCalendar") for timer in timers)


def test_a_repository_on_the_databases_own_disk_fails_the_unit(tmp_path: Path) -> None:
    script, conf = DEPLOY / "pgbackrest" / "own-disk", tmp_path / "pgbackrest.conf"

    def status(repository: str, data: str) -> tuple[int, str]:
        conf.write_text(f"repo1-path={repository}\n[assess]\npg1-path={data}\n")
        done = subprocess.run([script, conf], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    code, said = status(str(tmp_path), str(tmp_path))
    assert (code, said.startswith(f"<3>{tmp_path} is on the disk of ")) == (1, True)
    assert status("/proc", str(tmp_path)) == (0, "")
    # The data are on another machine.
    assert status(str(tmp_path), "/no/such/folder") == (0, "")


def test_gunicorn_may_finish_before_it_is_killed() -> None:
    text = (ROOT / "gunicorn.conf.py").read_text()
    grace = re.search(r"^graceful_timeout = .* else (\d+)$", text, re.MULTILINE)
    [limit] = values(DEPLOY / "systemd" / "assess-web@.service", "TimeoutStopSec")

    assert grace is not None
    assert int(limit) > int(grace[1])


@pytest.mark.parametrize("unit", EVERY, ids=lambda unit: unit.name)
def test_a_unit_that_fails_is_reported(unit: Path) -> None:
    if unit.stem == "assess-release":  # whoever starts it is there
        return
    assert values(unit, "OnFailure") == [f"{FAILED.name.removesuffix('.service')}%n.service"]


def test_a_report_reaches_the_journal_and_the_operators_own_program(tmp_path: Path) -> None:
    [command] = values(FAILED, "ExecStart")
    script = tmp_path / "unit-failed"
    pager, sent = tmp_path / "on-failure", tmp_path / "sent"
    text = (DEPLOY / "unit-failed").read_text()
    script.write_text(text.replace("/etc/assess/on-failure", str(pager)))
    pager.write_text(f'#!/bin/sh\necho "$1" >{sent}\n')

    assert command == f"{HOME}deploy/unit-failed %i"
    assert os.access(DEPLOY / "unit-failed", os.X_OK)
    without = subprocess.run(
        ["sh", script, "assess-purge.service"], capture_output=True, text=True, check=True
    )
    pager.chmod(0o755)
    subprocess.run(["sh", script, "assess-purge.service"], capture_output=True, check=True)

    assert without.stdout == "<3>assess-purge.service failed: journalctl -u assess-purge.service\n"
    assert sent.read_text() == "assess-purge.service\n"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_understands_every_unit(tmp_path: Path) -> None:
    """Programs and users, which are not on this machine, are replaced: this is about the units."""
    for path in (DEPLOY / "systemd").iterdir():
        text = re.sub(r"(?m)^(Exec\w+=[-+]?)\S+", r"\1/bin/true", path.read_text())
        text = re.sub(r"(?m)^User=.*", "User=daemon", text)
        (tmp_path / path.name.replace("@.", "@8000.")).write_text(text)
    units = [str(path) for path in tmp_path.iterdir()]
    command = ["systemd-analyze", "verify", "--man=no", *units]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert len(units) > 10
    assert [line for line in done.stderr.splitlines() if "assess-" in line] == []
