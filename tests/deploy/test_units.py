"""What the systemd units start is there."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
FAILED = DEPLOY / "systemd" / "assess-failed@.service"
UNITS = sorted(set((DEPLOY / "systemd").glob("*.service")) - {FAILED})
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
            command.create_parser("manage.py", name).parse_args(options)
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

    assert {timer.stem for timer in timers} == {
        unit.stem for unit in UNITS if not re.search("web|release", unit.stem)
    }
    assert all(values(timer, "OnCalendar") for timer in timers)


def test_gunicorn_may_finish_before_it_is_killed() -> None:
    text = (ROOT / "gunicorn.conf.py").read_text()
    grace = re.search(r"^graceful_timeout = .* else (\d+)$", text, re.MULTILINE)
    [limit] = values(DEPLOY / "systemd" / "assess-web@.service", "TimeoutStopSec")

    assert grace is not None
    assert int(limit) > int(grace[1])


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
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
