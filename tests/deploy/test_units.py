"""What the systemd units start is there, reads settings that ship, and is reported if it fails."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from tests.support.server import ROOT

DEPLOY = ROOT / "deploy"
FAILED = DEPLOY / "systemd" / "assess-failed@.service"
# They run on database machines, with nothing of the service.
DATABASE = {"assess-patroni.service", "assess-backup@.service"}
EVERY = sorted({*(DEPLOY / "systemd").glob("*.service")} - {FAILED})
HOME = "/srv/assess/"


def values(unit, name):
    return re.findall(rf"^{name}=(.*)$", unit.read_text(), re.MULTILINE)


@pytest.mark.parametrize("unit", EVERY, ids=lambda unit: unit.name)
def test_a_unit_starts_what_is_there_and_is_reported_if_it_fails(unit):
    if unit.stem != "assess-release":  # its operator watches it
        assert values(unit, "OnFailure") == ["assess-failed@%n.service"]
    if unit.name in DATABASE:
        return
    commands = [words.split() for words in values(unit, "ExecStart(?:Pre)?")]
    assert commands
    for program, what, *arguments in commands:
        assert program.startswith(f"{HOME}.venv/bin/")
        if what == "manage.py":
            name, *options = arguments
            command = load_command_class(str(get_commands()[name]), name)
            given = ["backup" if each == "%i" else each for each in options]
            command.create_parser("manage.py", name).parse_args(given)
        else:
            assert (
                what == "config.wsgi" if program.endswith("gunicorn") else (ROOT / what).is_file()
            )
    files = values(unit, "EnvironmentFile")
    assert values(unit, "WorkingDirectory") == [HOME.rstrip("/")]
    assert files[0] == "/etc/assess/assess.env"
    assert all((DEPLOY / Path(file).name).is_file() for file in files)
    # Only what owns the tables may change them.
    assert ("/etc/assess/commands.env" in files) == ("web" not in unit.name)


def test_every_timer_has_its_service_and_a_failure_its_script():
    timers = sorted((DEPLOY / "systemd").glob("*.timer"))
    started = [(values(timer, "Unit") or [f"{timer.stem}.service"])[0] for timer in timers]

    assert {re.sub(r"@\w+", "@", name) for name in started} == {
        unit.name for unit in EVERY if not re.search("web|release|patroni|noted", unit.stem)
    }
    assert all(values(timer, "OnCalendar") for timer in timers)
    assert values(FAILED, "ExecStart") == [f"{HOME}deploy/unit-failed %i"]
    assert os.access(DEPLOY / "unit-failed", os.X_OK)


def test_a_release_gives_up_on_a_lock_soon_and_lets_an_index_take_its_time():
    options = "-c lock_timeout=500ms -c statement_timeout=0"

    assert f'PGOPTIONS="{options}" python manage.py migrate ' in (ROOT / "Procfile").read_text()
    unit = DEPLOY / "systemd" / "assess-release.service"
    assert f'"PGOPTIONS={options}"' in values(unit, "Environment")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_understands_every_unit(tmp_path):
    """Programs and users, which are not on this machine, are replaced: this is about the units."""
    for path in (DEPLOY / "systemd").iterdir():
        text = re.sub(r"(?m)^(Exec\w+=[-+]?)\S+", r"\1/bin/true", path.read_text())
        text = re.sub(r"(?m)^User=.*", "User=daemon", text)
        (tmp_path / path.name.replace("@.", "@8000.")).write_text(text)
    units = [str(path) for path in tmp_path.iterdir()]

    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True
    )

    assert len(units) > 10
    assert [line for line in done.stderr.splitlines() if "assess-" in line] == []
