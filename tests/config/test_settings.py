"""Settings from the environment: all faults are named at once, and no value is repeated."""

from hashlib import sha256

import pytest
from django.conf import settings

from config.env import TABLE, SettingsError, read

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
