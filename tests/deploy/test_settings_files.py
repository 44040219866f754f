"""The shipped files of PgBouncer, PostgreSQL and the settings name one another's names."""

from __future__ import annotations

import configparser
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml

from config.env import TABLE, SettingsError, read
from tests.config.test_environment import COMPLETE

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
ROLES = (DEPLOY / "postgresql" / "roles.sql").read_text()
HAPROXY = (DEPLOY / "cluster" / "haproxy.cfg").read_text()
PATRONI = yaml.safe_load((DEPLOY / "cluster" / "patroni.yml").read_text())
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


def test_everything_reaches_the_primary_through_haproxy() -> None:
    url = urlsplit(environment("commands.env")["DATABASE_URL"])
    [bound] = re.findall(r"^listen primary\n +bind (\S+)$", HAPROXY, re.MULTILINE)
    target = pgbouncer()["databases"]["assess"]

    assert f"{url.hostname}:{url.port}" == bound
    assert target.split()[:2] == [f"host={url.hostname}", f"port={url.port}"]


def test_every_role_that_is_used_is_made() -> None:
    made = set(re.findall(r"CREATE ROLE (\w+)", ROLES))
    urls = [environment(name)["DATABASE_URL"] for name in ("assess.env", "commands.env")]
    rules = [line.split() for line in PATRONI["postgresql"]["pg_hba"]]
    admitted = {role for kind, _, role, *_ in rules if kind == "host"}
    of_patroni = {
        PATRONI["postgresql"]["authentication"][kind]["username"]
        for kind in ("replication", "rewind")
    }

    assert {urlsplit(url).username for url in urls} <= made
    # HAProxy's role does not exist: it asks only whether the server answers.
    assert admitted == made | of_patroni | {"assess_probe"}
    assert "option pgsql-check user assess_probe" in HAPROXY


def test_the_leaders_key_outlives_what_its_owner_tries() -> None:
    """Patroni's rule. Otherwise two nodes may call themselves the primary."""
    dcs = PATRONI["bootstrap"]["dcs"]

    assert dcs["ttl"] >= dcs["loop_wait"] + 2 * dcs["retry_timeout"]
    assert dcs["synchronous_mode"] is True
    assert dcs["failsafe_mode"] is True
    assert PATRONI["watchdog"]["mode"] == "required"


def test_nobody_talks_to_the_cluster_without_a_certificate_or_password() -> None:
    etcd = as_shipped("cluster/etcd.env")

    assert PATRONI["restapi"]["verify_client"] == "optional"  # required for what changes anything
    assert PATRONI["etcd3"]["protocol"] == "https"
    assert etcd["ETCD_CLIENT_CERT_AUTH"] == etcd["ETCD_PEER_CLIENT_CERT_AUTH"] == "true"
    assert not [key for key, value in etcd.items() if "URLS" in key and "http://" in value]
    rules = [line.split() for line in PATRONI["postgresql"]["pg_hba"]]
    assert {rule[-1] for rule in rules if rule[0] == "host"} == {"scram-sha-256"}


def test_the_web_process_waits_for_nothing_for_long() -> None:
    limits = dict(re.findall(r"ALTER ROLE assess_web SET (\w+) = '(\d+)s'", ROLES))

    names = {"statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"}
    assert set(limits) == names
    # A wait for a row may take it twice.
    assert 2 * int(limits["lock_timeout"]) < 5
    # PgBouncer ends what PostgreSQL itself no longer does.
    assert int(limits["statement_timeout"]) < int(pgbouncer()["pgbouncer"]["query_timeout"])


def test_connections_suffice() -> None:
    machines = 2
    limit = re.search(r"CREATE ROLE assess_web .*CONNECTION LIMIT (\d+)", ROLES)

    assert limit is not None
    assert machines * int(pgbouncer()["pgbouncer"]["default_pool_size"]) <= int(limit[1])


def test_nothing_in_a_repository_outlives_what_students_are_promised() -> None:
    """A full backup goes once a newer one is as old as the retention; there is one a week."""
    for name in ("one-machine.conf", "repository.conf"):
        conf = dict(re.findall(r"^([\w-]+)=(.*)$", pgbackrest(name), re.MULTILINE))

        assert conf["repo1-retention-full-type"] == "time"
        assert int(conf["repo1-retention-full"]) + 7 <= 28
        assert conf["repo1-cipher-type"] == "aes-256-cbc"
        assert conf["repo1-cipher-pass"] == "<passphrase>"


def pgbackrest(name: str) -> str:
    return (DEPLOY / "pgbackrest" / name).read_text()
