"""Settings from the environment: all faults are named at once, no value is repeated or shown."""

import json
import os
import secrets
import sys
from hashlib import sha256
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import call_command

from config.env import TABLE, Environment, SettingsError, read
from tests.support.databases import free_port
from tests.support.programs import run

# The repository holds no key that starts a service, so this one is computed. It is always the same.
KEY = sha256(b"tests").hexdigest()
COMPLETE = {
    "MODE": "production",
    "SECRET_KEY": KEY,
    "DATABASE_URL": "postgres://svc:p4ssw0rd@db:5432/name",
    "ALLOWED_HOSTS": "assess.example.com, localhost,",
    "APP_URL": "https://assess.example.com",
    "SUPPORT_EMAIL": "help@example.com",
}
DEFAULTS = {setting.name: setting.default for setting in TABLE}


@pytest.fixture
def environment(monkeypatch):
    """Give a complete production environment, and nothing else of ours in it."""
    for name in DEFAULTS:
        monkeypatch.delenv(name, raising=False)
    for name, value in COMPLETE.items():
        monkeypatch.setenv(name, value)
    return monkeypatch


def faults(folder):
    """Return what the one message says of each setting."""
    with pytest.raises(SettingsError) as raised:
        read(folder)
    lines = [line.strip() for line in str(raised.value).splitlines() if line.startswith("  ")]
    return dict(line.split(": ", 1) for line in lines)


def test_what_is_not_given_has_its_default(environment, tmp_path):
    environment.delenv("MODE")

    found = read(tmp_path)

    given = {name: value for name, value in COMPLETE.items() if name != "MODE"}
    assert found.mode == "production"
    assert found.values == {
        **DEFAULTS,
        **given,
        "ALLOWED_HOSTS": ["assess.example.com", "localhost"],
        "DATABASE_POOLED": False,
        "TRUSTED_PROXY_COUNT": 0,
        "LINK_RATE_PER_MINUTE": 300,
        "RESULTS_RATE_PER_MINUTE": 600,
        "OTHER_RATE_PER_MINUTE": 600,
        "FAILED_CREDENTIALS_PER_MINUTE": 30,
        "UNKNOWN_LINKS_PER_MINUTE": 30,
        "LOG_LEVEL": "INFO",
    }
    assert found.sources == {
        name: "environment" if name in given else "default" for name in DEFAULTS
    }


def test_all_that_is_missing_or_wrong_is_named_at_once(environment, tmp_path):
    missing = [name for name in COMPLETE if name != "MODE"]
    for name in missing:
        environment.delenv(name)
    environment.setenv("LINK_RATE_PER_MINUTE", "abc")
    environment.setenv("WEB_CONCURRENCY", "2")

    assert faults(tmp_path) == {
        **dict.fromkeys(missing, "is not set."),
        "LINK_RATE_PER_MINUTE": "Not a valid integer.",
        "REDIS_URL": "must be set when WEB_CONCURRENCY is more than 1, to count the limits.",
    }


HOST = "assess.example.com"
# Each setting with a word of its message, and values that it refuses.
WRONG = {
    ("SECRET_KEY", "random"): [
        *("", "a" * 60, KEY[:49], "django-insecure-" + KEY, settings.SECRET_KEY)
    ],
    ("SECRET_KEY", "line break"): [f"{KEY}\n", f" {KEY}", f"{KEY}\r\n"],
    ("SECRET_KEY", "placeholder"): [f"<topsecret {KEY}>"],
    ("SECRET_KEY_FALLBACKS", "random"): ["topsecret", f"{KEY},{settings.SECRET_KEY}"],
    ("SECRET_KEY_FALLBACKS", "placeholder"): [f"{KEY},<topsecret>"],
    ("DATABASE_URL", "postgres://"): [
        *("nonsense", "mysql://u:topsecret@h/n", "postgres://u:topsecret@h:99999/n"),
        *("postgres://u:12/topsecret@h/n", "postgres://u:topsecret@/n"),
    ],
    ("DATABASE_URL", "placeholder"): ["postgres://u:<topsecret>@h/n"],
    ("REDIS_URL", "redis://"): [
        *("http://topsecret", "redis://:ab/topsecret@h:6379/0", "redis://:topsecret[@h:6379/0"),
    ],
    ("ALLOWED_HOSTS", "at least one host"): [""],
    ("ALLOWED_HOSTS", "'*'"): ["*", f"{HOST},*", f"https://{HOST}"],
    ("ALLOWED_HOSTS", "name the hosts"): [".com", f"{HOST}, .com", ".", f"{HOST},.internal "],
    ("ALLOWED_HOSTS", "host of APP_URL"): ["other.example.com", ".example.org"],
    ("APP_URL", "absolute https address without path"): [
        *("", HOST, f"ftp://{HOST}", "https://", f"https://user@{HOST}", f"https://{HOST}:port"),
        *("https://assess .example.com", f"https://{HOST}:99999", f"https://{HOST}#top"),
        *(f"https://{HOST}/app", f"http://{HOST}", "http://[::]:8000"),
        *("http://localhost.example.com", "http://127.0.0.1.example.com"),
    ],
    ("SUPPORT_EMAIL", "e-mail"): ["nobody"],
    ("TRUSTED_PROXY_COUNT", "0 or more"): ["-1"],
    ("TRUSTED_PROXY_COUNT", "integer"): ["one"],
    ("LINK_RATE_PER_MINUTE", "1 or more"): ["0"],
    ("RESULTS_RATE_PER_MINUTE", "integer"): ["10/m"],
    ("UNKNOWN_LINKS_PER_MINUTE", "1 or more"): ["-3"],
    ("METRICS_TOKEN", "32 random"): ["topsecret", "x" * 31, "topsecret " * 4, "ä" * 40],
    ("WEBHOOK_KEY", "random"): ["short", settings.WEBHOOK_KEY],
    ("WEBHOOK_KEY", "line break"): [f"{KEY}\n", f"{KEY} "],
    ("LOG_LEVEL", "one of"): ["LOUD"],
}


@pytest.mark.parametrize(
    ("name", "word", "value"), [(*key, value) for key, values in WRONG.items() for value in values]
)
def test_a_wrong_value_is_named_without_being_repeated(environment, tmp_path, name, word, value):
    environment.setenv(name, value)

    found = faults(tmp_path)

    assert list(found) == [name]
    assert word in found[name]
    assert "topsecret" not in str(found)


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("LOG_LEVEL", "ERROR", "ERROR"),
        ("ALLOWED_HOSTS", ".example.com", [".example.com"]),
        ("LINK_RATE_PER_MINUTE", "1", 1),
        ("DATABASE_URL", "postgres://u:a%2Fb%40c@%2Frun%2Fpostgresql/n", None),
        ("DATABASE_URL", "sqlite:////srv/a folder@b/file", None),
        *(
            ("REDIS_URL", url, None)
            for url in ("redis://h/0", "rediss://:a%2Fb%23c@h:6379/0", "unix:///r.sock?db=1")
        ),
        ("SECRET_KEY_FALLBACKS", f"{KEY},,{KEY}", [KEY, KEY]),
        ("METRICS_TOKEN", "x" * 32, None),
        ("WEBHOOK_KEY", "", None),
        ("WEB_CONCURRENCY", "1", 1),
        ("APP_URL", f"https://{HOST}/", f"https://{HOST}"),
        ("APP_URL", "HTTPS://Assess.Example.com:443", f"https://{HOST}"),
        ("APP_URL", "http://localhost:80", "http://localhost"),
        ("APP_URL", "http://127.9.8.7:8000", "http://127.9.8.7:8000"),
        ("APP_URL", "http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_a_right_value_is_taken(environment, tmp_path, name, value, kept):
    environment.setenv("ALLOWED_HOSTS", f"{HOST},Localhost,127.9.8.7,[::1]")
    # Several workers need a Redis.
    environment.setenv("WEB_CONCURRENCY", "4" if name == "REDIS_URL" else "0")
    environment.setenv(name, value)

    assert read(tmp_path)[name] == (value if kept is None else kept)


def test_the_demo_says_where_it_cannot_keep_its_data(environment, tmp_path):
    environment.setenv("MODE", "demo")
    (tmp_path / "var").touch()

    with pytest.raises(SettingsError, match="copy of the code"):
        read(tmp_path)


def test_the_demo_uses_no_database_and_no_key_of_the_environment(environment, tmp_path):
    environment.setenv("MODE", "demo")
    environment.setenv("REDIS_URL", "redis://production/0")
    environment.delenv("APP_URL")
    (tmp_path / ".env").write_text("DATABASE_URL=sqlite:///precious\n")

    found, again = read(tmp_path), read(tmp_path)

    files = [tmp_path / "var" / f"demo-{name}-key" for name in ("secret", "webhook")]
    key, webhook_key = [file.read_text() for file in files]
    own = {
        "SECRET_KEY": key,
        "WEBHOOK_KEY": webhook_key,
        "DATABASE_URL": f"sqlite:///{tmp_path}/var/demo.sqlite3",
        "ALLOWED_HOSTS": ["127.0.0.1", "[::1]", "localhost"],
        "APP_URL": "http://127.0.0.1:8000",
        "SUPPORT_EMAIL": "support@example.com",
        "LOG_LEVEL": "ERROR",
    }
    assert (found.mode, found.values, again.values) == ("demo", DEFAULTS | own, found.values)
    assert found.sources == {name: "demo" if name in own else "default" for name in DEFAULTS}
    assert len({COMPLETE["SECRET_KEY"], key, webhook_key}) == 3
    assert min(len(key), len(webhook_key)) >= 50
    made = sorted((tmp_path / "var").iterdir())
    assert made == sorted([*files, tmp_path / "var" / "demo.sqlite3"])
    assert [file.stat().st_mode & 0o777 for file in made] == [0o600] * 3
    environment.setenv("APP_URL", "http://127.0.0.1:9000/")
    assert read(tmp_path)["APP_URL"] == "http://127.0.0.1:9000"


COMMANDS = ["config", "demo", "issue_token", "load_courses", "purge", "reset_second_factor"]
NAMES = {"MODE", "VERSION"} | {setting.name for setting in TABLE}


def python(*arguments, **environment):
    """Run Python with this environment and no other."""
    return run([sys.executable, *arguments], env={"PATH": os.environ["PATH"], **environment})


def settings_with(database):
    return {
        "SECRET_KEY": secrets.token_urlsafe(50),
        "DATABASE_URL": database,
        "ALLOWED_HOSTS": "127.0.0.1",
        "APP_URL": "http://127.0.0.1",
        "SUPPORT_EMAIL": "support@example.com",
    }


def shown(*arguments):
    out = StringIO()
    call_command("config", *arguments, stdout=out)
    return out.getvalue()


def test_config_shows_each_setting_with_its_source_and_no_secret(settings, monkeypatch, tmp_path):
    for name, value in {**COMPLETE, "REDIS_URL": "redis://:h1dden@cache:6379/0"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("SUPPORT_EMAIL")
    (tmp_path / ".env").write_text("SUPPORT_EMAIL=help@example.com\n")
    settings.ENVIRONMENT = read(tmp_path)

    table, rows = shown(), json.loads(shown("--json"))

    found = {row["name"]: row for row in rows}
    assert found.keys() == NAMES
    assert {name: (found[name]["value"], found[name]["source"]) for name in COMPLETE} == {
        "MODE": ("production", "environment"),
        "SECRET_KEY": ("(hidden)", "environment"),
        "DATABASE_URL": ("postgres://(hidden)@db:5432/name", "environment"),
        "ALLOWED_HOSTS": (["assess.example.com", "localhost"], "environment"),
        "APP_URL": ("https://assess.example.com", "environment"),
        "SUPPORT_EMAIL": ("help@example.com", ".env"),
    }
    row = {"name": "LINK_RATE_PER_MINUTE", "value": 300, "source": "default"}
    assert found["LINK_RATE_PER_MINUTE"] == row
    assert "redis://(hidden)@cache:6379/0" in table
    for secret in (COMPLETE["SECRET_KEY"], "p4ssw0rd", "h1dden"):
        assert secret not in table + str(rows)


@pytest.mark.parametrize(
    ("value", "shown_as"),
    [
        ("redis://u:HUNTER2@[::1]:6379/0?password=HUNTER2", "redis://(hidden)@[::1]:6379/0"),
        ("unix:///r.sock?password=HUNTER2", "unix:///r.sock"),
        ("unix://u:HUNTER2@/r.sock", "unix://(hidden)@/r.sock"),
        ("sqlite:////srv/a@b/name.sqlite3", "sqlite:////srv/a@b/name.sqlite3"),
    ],
)
def test_config_shows_no_password_of_an_oddly_written_address(settings, value, shown_as):
    values = {**settings.ENVIRONMENT.values, "REDIS_URL": value}
    settings.ENVIRONMENT = Environment("demo", values, settings.ENVIRONMENT.sources)

    [row] = [row for row in json.loads(shown("--json")) if row["name"] == "REDIS_URL"]

    assert row["value"] == shown_as


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [[], ["--help"], ["help"], *([name, "--help"] for name in COMMANDS)]
)
def test_help_and_the_list_of_commands_need_no_settings(arguments):
    done = python("manage.py", *arguments)

    assert done.returncode == 0, done.stderr
    if len(arguments) < 2:
        assert set(COMMANDS) <= set(done.stdout.split())
    else:
        assert f"usage: manage.py {arguments[0]}" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("command", ["list_tokens", "load_items", "migrate", "purge"])
def test_without_a_database_a_command_says_so_in_one_line(command):
    port = free_port()
    environment = settings_with(f"postgres://u:topsecret@127.0.0.1:{port}/n")

    done = python("manage.py", command, **environment)

    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert f"port {port} failed: Connection refused" in done.stderr
    assert "topsecret" not in done.stderr


@pytest.mark.slow
def test_without_tables_a_command_says_so_in_one_line_or_in_a_traceback(tmp_path):
    environment = settings_with(f"sqlite:///{tmp_path / 'empty.sqlite3'}")

    done = python("manage.py", "list_tokens", **environment)
    traced = python("manage.py", "list_tokens", "--traceback", **environment)

    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "no such table" in done.stderr
    assert traced.returncode == 1
    assert "Traceback" in traced.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("flags", "environment", "says"),
    [
        (["--workers", "2"], {}, ["REDIS_URL"]),
        ([], {"WEB_CONCURRENCY": "2"}, ["REDIS_URL"]),
        ([], {"MODE": "test"}, ["MODE=test"]),
        ([], None, [f"{name}: is not set." for name in COMPLETE if name != "MODE"]),
    ],
)
def test_gunicorn_does_not_start_with_wrong_settings(service, flags, environment, says):
    given = {"MODE": "production"} if environment is None else service.environment | environment

    done = python("-m", "gunicorn", "config.wsgi", "--bind", "127.0.0.1:0", *flags, **given)

    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert not [each for each in says if each not in done.stderr]
