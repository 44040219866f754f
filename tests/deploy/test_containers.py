"""What the image and compose.yaml name is there: commands, files, settings."""

import os
import re
import shlex
import shutil
import time

import pytest
import yaml
from django.core.management import get_commands, load_command_class
from psycopg.conninfo import conninfo_to_dict

from config.env import TABLE
from tests.support.databases import PostgreSQLDatabase
from tests.support.programs import Program, run, until
from tests.support.server import DATABASE, ROOT, Service

CONTAINERFILE = (ROOT / "Containerfile").read_text()
TEXT = (ROOT / "compose.yaml").read_text()
PAGE = (ROOT / "docs" / "containers.md").read_text()
SERVICES = yaml.safe_load(TEXT)["services"]
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
    kept = re.findall("^!(.+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)

    assert mounted and copied
    assert all((ROOT / each).exists() for each in [*mounted, *copied, *kept])
    assert set(copied) <= set(kept)
    packages = {each.parent.name for each in ROOT.glob("*/__init__.py")}
    assert packages - set(kept) == {"bench", "deploy", "lab", "tests"}
    assert ".env" not in kept


def test_the_release_is_that_of_the_procfile():
    [line] = re.findall("^release: (.+)$", (ROOT / "Procfile").read_text(), re.MULTILINE)

    assert SERVICES["release"]["command"] == ["sh", "-c", line]


@pytest.mark.slow
@pytest.mark.skipif(DATABASE != "postgresql", reason="it dumps PostgreSQL")
def test_the_backup_makes_a_dump_that_its_page_restores_and_deletes_old_ones(tmp_path):
    server = os.environ["DATABASE_URL"]
    if not shutil.which("pg_dump") or run(["pg_dump", "-s", server]).returncode:
        pytest.skip("there is no pg_dump for this server: set TEST_DATABASE_URL")
    service, folder = Service(DATABASE, tmp_path), tmp_path / "backups"
    service.prepare()
    restored = PostgreSQLDatabase(server)
    folder.mkdir()
    four_weeks_ago = time.time() - 28 * 86_400 - 60
    for name in ("old.dump", "young.dump"):
        (folder / name).touch()
    os.utime(folder / "old.dump", (four_weeks_ago, four_weeks_ago))
    *shell, script = SERVICES["backup"]["command"]
    script = script.replace("$$", "$").replace("/backups", str(folder))
    own = {"PATH": os.environ["PATH"]}
    place = conninfo_to_dict(service.environment["DATABASE_URL"])
    names = {"host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "dbname": "PGDATABASE"}
    backup = Program(tmp_path / "backup.log")

    backup.run([*shell, script], env=own | {names[each]: place[each] for each in place})
    try:
        until(lambda: not (folder / "old.dump").exists(), 30)
    finally:
        backup.stop()
    [dump] = folder.glob("assess-*.dump")
    [words] = re.findall(r"run --rm backup (pg_restore .*) /backups/", PAGE)
    options = words.replace("-d assess", f"-d {restored.url}").split()
    done = run([*options, dump], env=own)

    assert done.returncode == 0, done.stderr
    assert [each.name for each in folder.glob("*.part")] == []
    assert (folder / "young.dump").exists()
    assert restored.rows("SELECT count(*) FROM assessments_itembank") == [{"count": 1}]
    restored.drop()
    service.close()
