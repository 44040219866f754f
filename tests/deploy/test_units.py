"""What the systemd units start is there, reads settings that ship, and is reported if it fails."""

import re
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
