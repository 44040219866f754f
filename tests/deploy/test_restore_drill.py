"""deploy.drills.restore passes sound backups, and names what is wrong with each spoiled one.

A PostgreSQL 15 with the archive.conf of deploy/ is filled with completed attempts and backed up as
assess-backup@.service does, with pgbackrest/one-machine.conf. Each backup is restored for real.
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from deploy.drills.harness import DEPLOY, PATH, ROOT, SMALL_BANK, command_of, environment, shipped
from deploy.drills.restore import STANZA, Server, as_postgres
from tests.support.clients import Partner
from tests.support.databases import rows_of
from tests.support.programs import manage

NEEDED = ("postgres", "pgbackrest", "faketime")
ATTEMPTS = 2_000
PASSPHRASE = "a passphrase of the test"
CIPHER = f"repo1-cipher-type=aes-256-cbc\nrepo1-cipher-pass={PASSPHRASE}\n"
FILL = f"""
from tests.support import prepare
from partners.models import Project
prepare.copies(prepare.completed(Project.objects.get()), {ATTEMPTS // 2})
"""
NEWEST = "(SELECT max(id) FROM assessments_assessment WHERE completed_at IS NOT NULL)"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        os.geteuid() != 0 or not all(shutil.which(name, path=PATH) for name in NEEDED),
        reason=f"needs root, and {', '.join(NEEDED)}",
    ),
]


class Machine(Server):
    """A PostgreSQL that archives, and pgBackRest, as on one machine."""

    def __init__(self, folder):
        settings = "max_wal_size = 4GB\n" + shipped("postgresql/archive.conf", {})
        self.configuration = folder / "pgbackrest.conf"
        super().__init__(folder, settings, PGBACKREST_CONFIG=str(self.configuration))
        self.folder, self.repository = folder, folder / "repository"
        self.repository.mkdir()
        shutil.chown(folder, "postgres")
        shutil.chown(self.repository, "postgres")
        self.configured("pgbackrest.conf")
        secret_key = "a secret key of the test, as long as such a key has to be, and longer"
        self.environment = environment("assess.env", {}) | self.settings
        self.environment |= {"PATH": os.environ["PATH"], "HOME": str(folder)}
        self.environment |= {"SECRET_KEY": secret_key, "STATIC_ROOT": f"{folder}/static"}
        self.manage = partial(manage, self.environment, seconds=600)
        self.rows = partial(rows_of, self.url)

    def configured(self, name, old="<none>", new=""):
        """Write pgBackRest's configuration with a change; return the file."""
        changes = {
            "/mnt/backup/pgbackrest": str(self.repository),
            "<passphrase>": PASSPHRASE,
            "/var/lib/postgresql/15/main": f"{self.folder}/data\npg1-socket-path={self.folder}",
            "process-max=2": f"process-max=2\nlock-path={self.folder}/lock",
        }
        file = self.folder / name
        file.write_text(shipped("pgbackrest/one-machine.conf", changes).replace(old, new))
        shutil.chown(file, "postgres")
        return file

    def run(self, command, **more):
        """Run a program as postgres."""
        more["PGBACKREST_CONFIG"] = str(self.configuration)
        done = as_postgres(*shlex.split(command), **more)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"

    def create(self):
        self.run(f"initdb -k -E UTF8 -D {self.folder}/data")
        self.start()
        for name in ("roles.sql", "database.sql"):
            file = shutil.copy(DEPLOY / "postgresql" / name, self.folder)
            command = f"psql -X -q -f {file} -h {self.folder} -d postgres"
            self.run(command, WEB_PASSWORD="web", COMMANDS_PASSWORD="commands")
        self.run(f"pgbackrest --stanza={STANZA} stanza-create")
        for line in ("migrate", "collectstatic --noinput", f"load_items {SMALL_BANK}"):
            self.manage(*line.split())
        Partner.onboarded(self.manage)

    def fill_and_back_up(self, kind):
        """Add completed attempts, and make a backup as the unit does."""
        self.manage("shell", "--no-imports", "-c", FILL)
        self.back_up(kind)

    def back_up(self, kind):
        self.run(shlex.join(command_of("assess-backup@.service", "ExecStart", {"%i": kind})))

    def archive(self):
        """Fill some segments of the log and wait until they are archived."""
        for _ in range(3):
            self.rows("SELECT pg_logical_emit_message(true, 'drill', 'text')")
            self.rows("SELECT pg_switch_wal()")
        self.run(f"pgbackrest --stanza={STANZA} check")

    def drill(self, **options):
        """Return the exit status and output of the drill."""
        [found] = self.rows("SELECT system_identifier AS cluster FROM pg_control_system()")
        options = {"config": self.configuration, **found} | options
        words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
        command = [sys.executable, "-m", "deploy.drills.restore", *words]
        done = subprocess.run(
            command, env=self.environment, cwd=ROOT, capture_output=True, text=True
        )
        return done.returncode, done.stdout + done.stderr

    def assert_sound(self, **options):
        status, said = self.drill(**options)
        assert status == 0, said
        print(said)

    def assert_refused(self, words, **options):
        status, said = self.drill(**options)
        assert status == 1, said
        assert words in said


@pytest.fixture
def machine():
    folder = Path(tempfile.mkdtemp(prefix="backups-"))
    folder.chmod(0o755)
    machine = Machine(folder)
    try:
        machine.create()
        machine.fill_and_back_up("full")
        machine.fill_and_back_up("incr")
        yield machine
    finally:
        machine.stop()
        shutil.rmtree(folder)


def test_sound_backups_pass_and_spoiled_ones_are_named(machine):
    repository, sound = machine.repository, machine.folder / "sound"
    machine.assert_sound()
    moment = datetime.now(UTC)
    time.sleep(1.1)
    machine.rows(f"DELETE FROM assessments_answer WHERE assessment_id = {NEWEST}")
    machine.archive()
    subprocess.run(["cp", "-a", repository, sound], check=True)

    machine.assert_sound(moment=moment)
    machine.assert_refused("rescore")  # after that moment, the newest result lacks its answers

    tomorrow = datetime.now(UTC) + timedelta(days=1)
    machine.assert_refused("the moment is too late", moment=tomorrow)
    machine.assert_refused("of the cluster", cluster="7000000000000")
    machine.assert_refused("hours old", max_age=0)
    wrong = machine.configured("wrong.conf", PASSPHRASE, "another")
    machine.assert_refused("passphrase (repo1-cipher-pass) is wrong", config=wrong)
    missing = machine.configured("missing.conf", CIPHER)
    machine.assert_refused("has no passphrase", config=missing)
    empty = machine.configured("empty.conf", str(repository), f"{machine.folder}/empty")
    machine.assert_refused("there is no backup", config=empty)

    files = [path for path in (repository / "backup").rglob("*") if path.is_file()]
    os.truncate(max(files, key=lambda path: path.stat().st_size), 20_000)
    machine.assert_refused("unable to flush [CryptoError]")
    shutil.rmtree(repository)
    subprocess.run(["cp", "-a", sound, repository], check=True)

    segments = (repository / "archive").rglob("*-*.zst")
    sorted(segments, key=lambda path: path.name)[-3].unlink()
    machine.assert_refused("a file of WAL is missing")
    shutil.rmtree(repository)
    subprocess.run(["cp", "-a", sound, repository], check=True)

    machine.rows("TRUNCATE assessments_answer")
    machine.rows("VACUUM FULL")
    machine.back_up("incr")
    machine.assert_refused("of the size of")

    machine.stop()
    # Without the server, because pgBackRest would go by the server's clock.
    command = f"pgbackrest --stanza={STANZA} --no-online --type=full backup"
    machine.run(f"faketime -f +3d {command}")
    machine.start()
    machine.assert_refused("is from the future")
