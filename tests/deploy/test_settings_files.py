"""The shipped files of PgBouncer, PostgreSQL and the settings name one another's names."""

from __future__ import annotations

import configparser
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from config.env import TABLE, SettingsError, read
from tests.config.test_environment import COMPLETE

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
ROLES = (DEPLOY / "postgresql" / "roles.sql").read_text()
GENERATED = ("SECRET_KEY", "METRICS_TOKEN", "WEBHOOK_KEY")


def as_shipped(name: str) -> dict[str, str]:
    """Return the settings of an EnvironmentFile."""
    lines = (DEPLOY / name).read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def environment(name: str) -> dict[str, str]:
    """Return the settings of an EnvironmentFile, with what is to be filled in filled in."""
    found = as_shipped(name)
    filled = {key: re.sub(r"<[^>]*>", "p4ssw0rd", value) for key, value in found.items()}
    return filled | dict.fromkeys(GENERATED, COMPLETE["SECRET_KEY"])


def give(monkeypatch: pytest.MonkeyPatch, given: dict[str, str]) -> None:
    for setting in TABLE:
        monkeypatch.delenv(setting.name, raising=False)
    for name, value in {"MODE": "production", **given}.items():
        monkeypatch.setenv(name, value)


def pgbouncer() -> configparser.ConfigParser:
    ini = configparser.ConfigParser(comment_prefixes=(";", "#"))
    ini.read(DEPLOY / "pgbouncer.ini")
    return ini


@pytest.mark.parametrize("commands", [False, True], ids=["web", "commands"])
def test_the_service_takes_the_shipped_settings(
    commands: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    given = environment("assess.env") | (environment("commands.env") if commands else {})
    assert set(given) <= {setting.name for setting in TABLE}
    give(monkeypatch, given)

    found = read(tmp_path)

    assert found["DATABASE_POOLED"] is not commands
    assert found["TRUSTED_PROXY_COUNT"] == 1


@pytest.mark.parametrize("name", ["assess.env", "commands.env"])
def test_what_was_not_filled_in_is_refused(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    give(monkeypatch, environment("assess.env") | as_shipped(name))

    with pytest.raises(SettingsError) as raised:
        read(tmp_path)

    assert "DATABASE_URL: still holds a placeholder" in str(raised.value)
    assert ("SECRET_KEY:" in str(raised.value)) == (name == "assess.env")


def test_the_machines_differ_in_their_address_alone() -> None:
    assert list(as_shipped("machine.env")) == ["ADDRESS"]


def test_redis_listens_where_the_settings_look_for_it() -> None:
    lines = (DEPLOY / "redis.conf").read_text().splitlines()
    conf = dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))
    url = urlsplit(as_shipped("assess.env")["REDIS_URL"])

    assert url.hostname in conf["bind"].split()
    assert str(url.port) == conf["port"]
    assert url.password == conf["requirepass"]
    # Two words, which Redis does not take: it does not start with a password that everybody knows.
    assert " " in conf["requirepass"]


def test_the_web_process_reaches_the_pooler() -> None:
    url = urlsplit(environment("assess.env")["DATABASE_URL"])
    ini = pgbouncer()

    assert (url.hostname, str(url.port)) == (
        ini["pgbouncer"]["listen_addr"],
        ini["pgbouncer"]["listen_port"],
    )
    assert url.path.strip("/") in ini["databases"]
    assert ini["pgbouncer"]["pool_mode"] == "transaction"


def test_commands_go_past_the_pooler_to_whichever_host_is_the_primary() -> None:
    url = urlsplit(environment("commands.env")["DATABASE_URL"])
    [target] = [value for name, value in pgbouncer()["databases"].items() if name == "assess"]

    assert "target_session_attrs=read-write" in url.query
    assert re.search(r"host=(\S+)", target)[1] in str(url.hostname).split(",")  # type: ignore[index]


def test_every_role_that_is_used_is_made() -> None:
    made = set(re.findall(r"CREATE ROLE (\w+)", ROLES))
    urls = [environment(name)["DATABASE_URL"] for name in ("assess.env", "commands.env")]
    hba = (DEPLOY / "postgresql" / "pg_hba.conf").read_text()
    admitted = set(re.findall(r"^host +\w+ +(\w+)", hba, re.MULTILINE))

    assert {urlsplit(url).username for url in urls} <= made
    assert admitted == made


def test_the_web_process_waits_for_nothing_for_long() -> None:
    limits = dict(re.findall(r"ALTER ROLE assess_web SET (\w+) = '(\d+)s'", ROLES))

    names = {"statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"}
    assert set(limits) == names
    # A wait for a row may take it twice.
    assert 2 * int(limits["lock_timeout"]) < 5


def test_connections_suffice() -> None:
    machines = 2
    limit = re.search(r"CREATE ROLE assess_web .*CONNECTION LIMIT (\d+)", ROLES)

    assert limit is not None
    assert machines * int(pgbouncer()["pgbouncer"]["default_pool_size"]) <= int(limit[1])
