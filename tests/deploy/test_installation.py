"""The commands of docs/ that install, back up, restore and upgrade one machine, run as they stand.

They run as root in a copy of this machine's files that is kept in memory (an overlay), with
processes and a network of their own. tests/deploy/systemctl.py takes systemd's place.
"""

import os
import re
import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest

from tests.support.programs import ROOT

NEEDED = ("nginx", "pgbackrest", "redis-server", "pg_createcluster", "unshare", "adduser")
MISSING = [
    name for name in NEEDED if not shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.geteuid() != 0, reason="it needs root"),
    pytest.mark.skipif(
        "overlay" not in Path("/proc/filesystems").read_text(), reason="it mounts an overlay"
    ),
    pytest.mark.skipif(
        not Path("/usr/lib/postgresql/15").exists(), reason="it needs PostgreSQL 15"
    ),
    pytest.mark.skipif(bool(MISSING), reason=f"missing programs: {', '.join(MISSING)}"),
]

# A clean Debian machine: the programs of step 1 are installed, PostgreSQL and Redis run.
MACHINE = """
    mount -t tmpfs -o mode=755 none $FOLDER
    cd $FOLDER && mkdir upper work root
    mount -t overlay -o lowerdir=/,upperdir=upper,workdir=work none root
    mount --rbind /dev root/dev && mount -t proc none root/proc
    for name in systemctl systemd-run; do
      rm -f root/usr/bin/$name && install -m 755 $SHIM root/usr/bin/$name
    done
    rm -rf root/run/{postgresql,redis,nginx.pid,units} root/etc/postgresql/15
    # not removed: a server of this machine may change its files meanwhile
    mount -t tmpfs none root/var/lib/postgresql && chown postgres: root/var/lib/postgresql
    rm -rf root/var/lib/redis/* root/srv/assess root/mnt/backup
    install -d -o postgres -g postgres root/run/postgresql
    install -d -o redis -g redis root/run/redis
    mkdir -p root/mnt/backup && mount -t tmpfs none root/mnt/backup
    echo 127.0.0.1 localhost assess.example.com >root/etc/hosts
    chroot root bash -e $FOLDER.code
    exec unshare --net chroot root bash -e $FOLDER.rest
"""
CERTIFICATE = """
    mkdir -p /etc/letsencrypt/live/$NAME
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=$NAME \\
      -addext subjectAltName=DNS:$NAME \\
      -out /etc/letsencrypt/live/$NAME/fullchain.pem -keyout /etc/letsencrypt/live/$NAME/privkey.pem
    export CURL_CA_BUNDLE=/etc/letsencrypt/live/$NAME/fullchain.pem
"""
CERTBOT = """\
certbot certonly --webroot --webroot-path /var/www/html --domain $NAME \\
  --deploy-hook 'systemctl reload nginx'
"""
# By now the machine reaches no network, so the upgrade gets a copy of its environment.
NEW = """\
/usr/bin/python3 -m venv .venv
.venv/bin/pip install --require-hashes --only-binary :all: -r requirements-pip.txt
.venv/bin/pip install --require-hashes --only-binary :all: -r requirements.txt
.venv/bin/pip uninstall --yes setuptools
"""
SAME = "cp -a .venv.old .venv\n"


def commands(page, heading, changes=None):
    """Return the indented lines under a heading or in a step, with words replaced."""
    text = (ROOT / "docs" / page).read_text()
    assert f"\n{heading}" in text, f"{page} lacks {heading!r}"
    level = r"\n## " if heading.startswith("#") else r"\n(?=\S)"
    [section, *_] = re.split(level, text.split(f"\n{heading}", 1)[1])
    blocks = re.findall(r"(?:^ {4}.*\n?)+", section, re.MULTILINE)
    indented = "".join(textwrap.dedent(block) for block in blocks)
    for word, replacement in (changes or {}).items():
        assert word in indented, f"{page} lacks {word!r} under {heading!r}"
        indented = indented.replace(word, replacement)
    return indented


def quoted(page, command):
    """Return a command that stands in the text of a page."""
    assert f"`{command}`" in (ROOT / "docs" / page).read_text(), f"{page} lacks {command!r}"
    return command


PAGE = "one-machine.md"
READY = "curl -sS http://127.0.0.1:8000/readyz http://127.0.0.1:8001/readyz"
NAMES = "psql -XAt assess -c 'SELECT name FROM partners_partner ORDER BY name'"
RELEASE = "systemctl start assess-release"
CLUSTER = "$(runuser -u postgres -- psql -XAtc 'SELECT system_identifier FROM pg_control_system()')"


def steps():
    """Return the commands of each step, in order. They run in one shell."""
    return {
        "machine": """
            cd /srv/assess && ip link set lo up
            pg_createcluster 15 main && systemctl start postgresql redis-server nginx
        """,
        "database": commands(PAGE, "## 3. The database"),
        "settings": commands(PAGE, "## 4. Settings"),
        "service": commands(PAGE, "## 5. The service"),
        "proxy": commands(PAGE, "## 6. The proxy", {CERTBOT: CERTIFICATE}),
        "partner": commands(
            PAGE,
            "## 7. The first account and the first partner",
            {"<name> --email <address>": "first --email first@example.com --noinput"},
        ),
        "backup": commands(
            "backups.md",
            "## Set it up on one machine",
            {"apt install --no-install-recommends pgbackrest\n": ""},
        ),
        "mistake": f"""
            sleep 2 && MOMENT=$(date '+%F %T%:z') && sleep 2
            runuser -u postgres -- psql -X assess -c "UPDATE partners_partner SET name = 'Lost'"
            runuser -u postgres -- {NAMES}
        """,
        "stop": commands(
            "backups.md",
            "1. Stop everything",
            {"systemctl stop assess-webhooks    # if you installed it\n": ""},
        ),
        "trail": commands("backups.md", "3. If the old database"),
        "restore": commands(
            "backups.md", "4. On one machine", {"'2026-11-24 09:59:59+05:30'": '"$MOMENT"'}
        )
        + """
            until runuser -u postgres -- psql -XAtc 'SELECT pg_is_in_recovery()' | grep -qx f; do
              sleep 1
            done
        """,
        "start": f"""
            {quoted("backups.md", RELEASE)}
            systemctl start assess-web@8000 assess-web@8001
            {READY}
        """,
        "restored": f"runuser -u postgres -- {NAMES}",
        "full backup": f"""
            {quoted("backups.md", "systemctl start assess-backup@full")}
            runuser -u postgres -- pgbackrest --stanza=assess info
        """,
        # in a shell of its own, because it exports the settings
        "drill": "(\n"
        + commands("backups.md", "## Restore drill", {"7711560126476793897": CLUSTER})
        + ")",
        "upgrade": commands("upgrades.md", "## Install a release", {NEW: SAME, "v0.2.0": "HEAD"})
        + commands(PAGE, "## Every day")
        + READY,
        "way back": commands("upgrades.md", "## Go back", {"v0.1.0": "HEAD"})
        + commands(PAGE, "## Every day")
        + READY,
    }


def test_the_commands_of_the_pages_install_back_up_restore_and_restart_one_machine(tmp_path):
    folder = tmp_path / "machine"
    folder.mkdir()
    address = {"<address of the repository>": f"file://{ROOT}"}
    Path(f"{folder}.code").write_text(commands(PAGE, "## 2. The code", address))
    Path(f"{folder}.rest").write_text(
        "set -o pipefail\n"
        + "\n".join(f"echo; echo '== {name}'\n{lines}" for name, lines in steps().items())
    )
    own = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    own |= {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
    own |= {"FOLDER": str(folder), "SHIM": str(Path(__file__).with_name("systemctl.py"))}

    done = subprocess.run(
        ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-ec", MACHINE],
        env=own,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )

    assert done.returncode == 0, done.stdout[-5000:]
    parts = re.split(r"^== (.*)\n", done.stdout, flags=re.MULTILINE)
    said = dict(zip(parts[1::2], map(str.strip, parts[2::2]), strict=True))
    for name in ("service", "start", "upgrade", "way back"):
        assert said[name].count('"status": "ok"') == 2, said[name]
    assert said["proxy"].endswith("\n200")
    assert re.search("prj_[0-9A-Za-z]{16}", said["partner"])
    assert said["backup"].count("full backup: ") == 1
    assert said["mistake"].endswith("Lost")
    assert said["restored"] == "Northern Portal"
    assert said["full backup"].count("full backup: ") == 2
    assert "\nok   all of it, in " in said["drill"]
