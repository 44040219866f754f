"""The shipped files of nginx, PgBouncer, PostgreSQL and the settings agree with one another."""

import configparser
import re

import pytest

from config.env import TABLE, SettingsError, read
from config.logging import OUR_ADDRESSES
from tests.config.test_settings import COMPLETE
from tests.support.server import ROOT

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
