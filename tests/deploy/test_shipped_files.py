"""The shipped files of nginx, PgBouncer, PostgreSQL and the settings agree with one another."""

import configparser
import json
import re
from urllib.parse import urlsplit

import pytest
import yaml
from django.conf import settings
from gunicorn.workers import gthread

from config.env import TABLE, SettingsError, read
from config.parsing import MAX_BODY_BYTES
from tests.config.test_settings import COMPLETE
from tests.support.server import ROOT

DEPLOY = ROOT / "deploy"
NGINX = (DEPLOY / "nginx.conf").read_text()
ROLES = (DEPLOY / "postgresql" / "roles.sql").read_text()
HAPROXY = (DEPLOY / "cluster" / "haproxy.cfg").read_text()
PATRONI = yaml.safe_load((DEPLOY / "cluster" / "patroni.yml").read_text())
PGBOUNCER = configparser.ConfigParser(comment_prefixes=(";", "#"))
PGBOUNCER.read(DEPLOY / "pgbouncer.ini")
POOLER = PGBOUNCER["pgbouncer"]
# What only gunicorn itself may load.
GUNICORN = {
    name: int(value)
    for name, value in re.findall(
        r"^(\w+) = (?:.* else )?(\d+)$", (ROOT / "gunicorn.conf.py").read_text(), re.MULTILINE
    )
}
GENERATED = ("SECRET_KEY", "METRICS_TOKEN", "WEBHOOK_KEY")


def pairs(name, separator="="):
    """Return names and values of a file with one of them a line."""
    lines = (DEPLOY / name).read_text().splitlines()
    return dict(line.split(separator, 1) for line in lines if separator in line and line[0] != "#")


def filled_in(name):
    """Return the settings of an EnvironmentFile, with what is to be filled in filled in."""
    filled = {key: re.sub(r"<[^>]*>", "p4ssw0rd", value) for key, value in pairs(name).items()}
    return filled | dict.fromkeys(GENERATED, COMPLETE["SECRET_KEY"])


def database(name):
    return urlsplit(filled_in(name)["DATABASE_URL"])


def of_nginx(name):
    """Return what stands behind each directive of a name."""
    return re.findall(rf"^ *{name} +([^;]*);", NGINX, re.MULTILINE)


def number(text):
    """Return a number of nginx with its unit, in seconds or bytes."""
    if text[-1] == "m" and int(text[:-1]) < 60:
        return int(text[:-1]) * 1024 * 1024
    return int(text.rstrip("smk")) * {"s": 1, "m": 60, "k": 1024}[text[-1]]


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


def test_each_part_listens_where_the_next_one_looks_for_it():
    redis, conf = urlsplit(pairs("assess.env")["REDIS_URL"]), pairs("redis.conf", " ")
    web, commands = database("assess.env"), database("commands.env")
    [primary] = re.findall(r"^listen primary\n +bind (\S+)$", HAPROXY, re.MULTILINE)

    assert redis.hostname in conf["bind"].split()
    assert (str(redis.port), redis.password) == (conf["port"], conf["requirepass"])
    # Two words, which Redis does not take: it does not start with a password that everybody knows.
    assert " " in conf["requirepass"]
    assert (web.hostname, str(web.port)) == (POOLER["listen_addr"], POOLER["listen_port"])
    assert web.path.strip("/") in PGBOUNCER["databases"]
    assert POOLER["pool_mode"] == "transaction"
    assert primary == f"{commands.hostname}:{commands.port}"
    assert PGBOUNCER["databases"]["assess"].split()[:2] == [
        f"host={commands.hostname}",
        f"port={commands.port}",
    ]


def test_every_role_that_is_used_is_made_and_needs_a_password_or_certificate():
    made = set(re.findall(r"CREATE ROLE (\w+)", ROLES))
    rules = [line.split() for line in PATRONI["postgresql"]["pg_hba"] if line.startswith("host ")]
    roles = PATRONI["postgresql"]["authentication"]
    etcd = pairs("cluster/etcd.env")

    assert {database("assess.env").username, database("commands.env").username} <= made
    # HAProxy's role does not exist: it asks only whether the server answers.
    others = {roles["replication"]["username"], roles["rewind"]["username"], "assess_probe"}
    assert {rule[2] for rule in rules} == made | others
    assert {rule[-1] for rule in rules} == {"scram-sha-256"}
    assert "option pgsql-check user assess_probe" in HAPROXY
    assert PATRONI["restapi"]["verify_client"] == "optional"  # required for what changes anything
    assert PATRONI["etcd3"]["protocol"] == "https"
    assert etcd["ETCD_CLIENT_CERT_AUTH"] == etcd["ETCD_PEER_CLIENT_CERT_AUTH"] == "true"
    assert not [key for key, value in etcd.items() if "URLS" in key and "http://" in value]


def test_two_nodes_never_call_themselves_the_primary():
    """Patroni's rule: the leader's key outlives what its owner tries."""
    dcs = PATRONI["bootstrap"]["dcs"]

    assert dcs["ttl"] >= dcs["loop_wait"] + 2 * dcs["retry_timeout"]
    assert (dcs["synchronous_mode"], dcs["failsafe_mode"]) == (True, True)
    assert PATRONI["watchdog"]["mode"] == "required"


def test_the_web_process_waits_for_nothing_for_long_and_finds_a_connection():
    limits = {
        name: int(seconds)
        for name, seconds in re.findall(r"ALTER ROLE assess_web SET (\w+) = '(\d+)s'", ROLES)
    }
    [connections] = re.findall(r"CREATE ROLE assess_web .*CONNECTION LIMIT (\d+)", ROLES)

    names = {"statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"}
    assert set(limits) == names
    # A wait for a row may take it twice.
    assert 2 * limits["lock_timeout"] < 5
    # PgBouncer ends what PostgreSQL itself no longer does.
    assert limits["statement_timeout"] < int(POOLER["query_timeout"])
    assert 2 * int(POOLER["default_pool_size"]) <= int(connections)  # of two machines


@pytest.mark.parametrize("name", ["one-machine.conf", "repository.conf"])
def test_no_backup_outlives_what_students_are_promised_and_each_is_encrypted(name):
    """A full backup goes once a newer one is as old as the retention; there is one a week."""
    conf = pairs(f"pgbackrest/{name}")

    assert conf["repo1-retention-full-type"] == "time"
    assert int(conf["repo1-retention-full"]) + 7 <= 28
    assert conf["repo1-cipher-type"] == "aes-256-cbc"
    assert conf["repo1-cipher-pass"] == "<passphrase>"


def test_no_log_of_nginx_has_a_query_string():
    [access_log] = of_nginx("log_format")

    # The Referer too is an address.
    assert not re.search(r'\$request[ "]|request_uri|args|query_string|referer', access_log)
    assert "$asked_path" in access_log
    # It is the address up to its query string, or to a byte that would make the line no UTF-8.
    assert '"~^(?<ascii_path>[\\x21-\\x3e\\x40-\\x7e]*)" $ascii_path;' in NGINX
    # nginx writes the whole address beside each error of a request.
    assert "error_log /dev/null emerg;" in NGINX.partition("server_name")[2]


def test_nginx_repeats_nothing_that_may_have_been_done():
    everywhere, for_files = of_nginx("proxy_next_upstream")

    assert everywhere == "error timeout"
    # Between the halves of a release only the other machine has the files of a page.
    assert for_files == "error timeout http_404"
    assert for_files in NGINX.partition(f"location {settings.STATIC_URL} {{")[2].partition("}")[0]


def test_nginx_waits_longer_than_gunicorn_works_and_systemd_longer_than_it_ends():
    *kept, _of_browsers = sorted(number(value) for value in of_nginx("keepalive_timeout"))
    unit = (DEPLOY / "systemd" / "assess-web@.service").read_text()
    [waits] = of_nginx("proxy_read_timeout")

    # nginx ends a kept connection first.
    assert kept == [1] * len(re.findall(r"^ *upstream ", NGINX, re.MULTILINE))
    assert GUNICORN["keepalive"] > 1
    # How long a gunicorn that stops waits for a request that may be on its way.
    assert gthread.STOP_KEEPALIVE_LINGER > 1
    assert number(waits) > GUNICORN["timeout"]
    [limit] = re.findall(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)
    assert int(limit) > GUNICORN["graceful_timeout"]


def test_nginx_takes_what_the_service_takes_and_names_the_hop():
    largest, of_staff = [number(value) for value in of_nginx("client_max_body_size")]
    [in_memory] = of_nginx("client_body_buffer_size")
    headers = dict(value.split(" ", 1) for value in of_nginx("proxy_set_header"))

    assert largest == settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    assert of_staff == largest + settings.FILE_UPLOAD_MAX_MEMORY_SIZE
    # What partners and students send is not written to disk.
    assert number(in_memory) >= MAX_BODY_BYTES
    assert headers["X-Forwarded-For"] == "$remote_addr"
    assert headers["X-Forwarded-Proto"] == "$scheme"
    assert headers["Connection"] == '""'


@pytest.mark.parametrize(
    ("code", "status", "says"), [("invalid_request", 400, "16384"), ("internal_error", 500, "")]
)
def test_partners_get_from_nginx_the_body_that_the_service_sends(code, status, says):
    answers = re.findall(r"return (\d{3}) '(\{.*\})';", NGINX)

    [(line, body)] = [(line, json.loads(text)) for line, text in answers if f'"{code}"' in text]
    names = {"type", "title", "status", "detail", "code", "requestId"}
    assert set(body) - {"errors"} == names
    assert (int(line), body["status"], body["code"]) == (status, status, code)
    assert says in body["detail"]
