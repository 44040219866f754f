"""The settings that the environment gives: all faults at once, none of them guessed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from config.env import TABLE, SettingsError, read

COMPLETE = {
    "MODE": "production",
    "SECRET_KEY": "kd83hf72hdk2938fhskqpwoe0192837465mznxbcvlaksjdhfgqw",
    "DATABASE_URL": "postgres://svc:p4ssw0rd@db:5432/name",
    "ALLOWED_HOSTS": "assess.example.com, localhost,",
    "APP_URL": "https://assess.example.com",
    "SUPPORT_EMAIL": "help@example.com",
}


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Give a complete production environment, and nothing else of ours in it."""
    for setting in TABLE:
        monkeypatch.delenv(setting.name, raising=False)
    for name, value in COMPLETE.items():
        monkeypatch.setenv(name, value)
    return monkeypatch


def faults(folder: Path) -> dict[str, str]:
    """Return what the one message says of each setting."""
    with pytest.raises(SettingsError) as raised:
        read(folder)
    lines = [line.strip() for line in str(raised.value).splitlines() if line.startswith("  ")]
    return dict(line.split(": ", 1) for line in lines)


def test_a_complete_environment_is_read(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = read(tmp_path)

    assert found.mode == "production"
    assert found["ALLOWED_HOSTS"] == ["assess.example.com", "localhost"]
    assert found["LINK_RATE_PER_MINUTE"] == 300
    assert found["RESULTS_RATE_PER_MINUTE"] == 600
    assert found["TRUSTED_PROXY_COUNT"] == 0
    assert found.sources["APP_URL"] == "environment"
    assert found.sources["LINK_RATE_PER_MINUTE"] == "default"


def test_what_is_given_replaces_the_default(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environment.setenv("LOG_LEVEL", "ERROR")
    environment.setenv("LINK_RATE_PER_MINUTE", "7")

    found = read(tmp_path)

    assert (found["LOG_LEVEL"], found["LINK_RATE_PER_MINUTE"]) == ("ERROR", 7)


def test_production_is_the_default(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment.delenv("MODE")

    assert read(tmp_path).mode == "production"


def test_all_that_is_missing_is_named_at_once(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in COMPLETE:
        environment.delenv(name)
    environment.setenv("LINK_RATE_PER_MINUTE", "abc")

    found = faults(tmp_path)

    assert set(found) == {*COMPLETE, "LINK_RATE_PER_MINUTE"} - {"MODE"}
    assert found["APP_URL"].startswith("is not set.")
    assert found["LINK_RATE_PER_MINUTE"] == "Not a valid integer."


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("SECRET_KEY", "", "random"),
        ("SECRET_KEY", "a" * 60, "random"),
        ("SECRET_KEY", "django-insecure-" + COMPLETE["SECRET_KEY"], "random"),
        ("SECRET_KEY", f"<topsecret {COMPLETE['SECRET_KEY']}>", "placeholder"),
        ("SECRET_KEY_FALLBACKS", "topsecret", "random"),
        ("SECRET_KEY_FALLBACKS", f"{COMPLETE['SECRET_KEY']},<topsecret>", "placeholder"),
        ("DATABASE_URL", "nonsense", "postgres://"),
        ("DATABASE_URL", "mysql://u:topsecret@h/n", "postgres://"),
        ("DATABASE_URL", "postgres://u:topsecret@h:99999/n", "postgres://"),
        ("DATABASE_URL", "postgres://u:<topsecret>@h/n", "placeholder"),
        ("DATABASE_URL", "postgres://u:top secret@h/n", "placeholder"),
        ("DATABASE_URL", "postgres://u:12/topsecret@h/n", "postgres://"),
        ("DATABASE_URL", "postgres://u:topsecret@/n", "postgres://"),
        ("REDIS_URL", "http://topsecret", "redis://"),
        ("REDIS_URL", "redis://:ab/topsecret@h:6379/0", "redis://"),
        ("REDIS_URL", "redis://:topsecret#x@h:6379/0", "redis://"),
        ("REDIS_URL", "redis://:topsecret[@h:6379/0", "redis://"),
        ("REDIS_URL", "redis:///0", "redis://"),
        ("ALLOWED_HOSTS", "", "host"),
        ("ALLOWED_HOSTS", "*", "'*'"),
        ("ALLOWED_HOSTS", "assess.example.com,*", "'*'"),
        ("ALLOWED_HOSTS", "https://assess.example.com", "http://"),
        ("ALLOWED_HOSTS", "other.example.com", "host of APP_URL"),
        ("APP_URL", "", "absolute"),
        ("APP_URL", "assess.example.com", "absolute"),
        ("APP_URL", "ftp://assess.example.com", "absolute"),
        ("APP_URL", "https://", "absolute"),
        ("APP_URL", "https://user@assess.example.com", "absolute"),
        ("APP_URL", "https://assess.example.com:port", "absolute"),
        ("APP_URL", "https://assess .example.com", "absolute"),
        ("APP_URL", "https://assess.example.com/app", "path"),
        ("APP_URL", "https://assess.example.com?a=1", "path"),
        ("APP_URL", "https://assess.example.com#top", "path"),
        ("APP_URL", "http://assess.example.com", "https"),
        ("APP_URL", "http://0.0.0.0:8000", "https"),
        ("APP_URL", "http://[::]:8000", "https"),
        ("APP_URL", "http://localhost.example.com", "https"),
        ("APP_URL", "http://127.0.0.1.example.com", "https"),
        ("SUPPORT_EMAIL", "nobody", "e-mail"),
        ("TRUSTED_PROXY_COUNT", "-1", "0 or more"),
        ("TRUSTED_PROXY_COUNT", "one", "integer"),
        ("LINK_RATE_PER_MINUTE", "0", "1 or more"),
        ("RESULTS_RATE_PER_MINUTE", "10/m", "integer"),
        ("FAILED_CREDENTIALS_PER_MINUTE", "0", "1 or more"),
        ("UNKNOWN_LINKS_PER_MINUTE", "-3", "1 or more"),
        ("METRICS_TOKEN", "topsecret", "32 random"),
        ("METRICS_TOKEN", "topsecret " * 4, "without spaces"),
        ("METRICS_TOKEN", "ä" * 40, "32 random"),
        ("LOG_LEVEL", "LOUD", "one of"),
    ],
)
def test_a_wrong_value_is_named_without_being_repeated(
    environment: pytest.MonkeyPatch, tmp_path: Path, name: str, value: str, says: str
) -> None:
    environment.setenv(name, value)

    found = faults(tmp_path)

    assert says in found[name]
    assert "topsecret" not in str(found)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "postgres://u:a%2Fb%40c@%2Frun%2Fpostgresql/n"),
        ("DATABASE_URL", "sqlite:////srv/a@b/file"),
        ("DATABASE_URL", "sqlite:////srv/a folder/file"),
        ("REDIS_URL", "rediss://:a%2Fb%23c@h:6379/0"),
        ("REDIS_URL", "unix:///r.sock?db=1"),
    ],
)
def test_an_address_with_an_encoded_password_or_a_socket_is_right(
    environment: pytest.MonkeyPatch, tmp_path: Path, name: str, value: str
) -> None:
    environment.setenv(name, value)

    assert read(tmp_path)[name] == value


def test_earlier_keys_may_be_several_or_none(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    key = COMPLETE["SECRET_KEY"]
    environment.setenv("SECRET_KEY_FALLBACKS", f"{key},,{key}")

    assert read(tmp_path)["SECRET_KEY_FALLBACKS"] == [key, key]


def test_several_workers_need_redis(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment.setenv("WEB_CONCURRENCY", "2")

    assert "WEB_CONCURRENCY" in faults(tmp_path)["REDIS_URL"]


@pytest.mark.parametrize(
    ("workers", "redis"), [("1", ""), ("0", ""), ("4", "redis://h/0"), ("4", "unix:///r.sock")]
)
def test_one_worker_or_a_redis_is_enough(
    environment: pytest.MonkeyPatch, tmp_path: Path, workers: str, redis: str
) -> None:
    environment.setenv("WEB_CONCURRENCY", workers)
    environment.setenv("REDIS_URL", redis)

    assert read(tmp_path)["WEB_CONCURRENCY"] == int(workers)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://assess.example.com/", "https://assess.example.com"),
        ("HTTPS://Assess.Example.com:443", "https://assess.example.com"),
        ("http://localhost:80", "http://localhost"),
        ("http://localhost:8000", "http://localhost:8000"),
    ],
)
def test_the_address_is_kept_as_browsers_write_it(
    environment: pytest.MonkeyPatch, tmp_path: Path, given: str, kept: str
) -> None:
    environment.setenv("APP_URL", given)

    assert read(tmp_path)["APP_URL"] == kept


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "127.9.8.7", "[::1]"])
def test_an_http_address_is_for_this_machine_alone(
    environment: pytest.MonkeyPatch, tmp_path: Path, host: str
) -> None:
    environment.setenv("APP_URL", f"http://{host}:8000")
    environment.setenv("ALLOWED_HOSTS", host)

    assert read(tmp_path)["APP_URL"] == f"http://{host.lower()}:8000"


def test_a_file_gives_what_the_environment_does_not(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environment.delenv("SUPPORT_EMAIL")
    (tmp_path / ".env").write_text(
        "SUPPORT_EMAIL=file@example.com\nAPP_URL=https://file.example.com\nOTHER=1\n"
    )

    found = read(tmp_path)

    assert found["SUPPORT_EMAIL"] == "file@example.com"
    assert found.sources["SUPPORT_EMAIL"] == ".env"
    assert found["APP_URL"] == COMPLETE["APP_URL"]
    assert found.sources["APP_URL"] == "environment"
    assert "OTHER" not in os.environ


def test_an_unknown_mode_is_refused(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment.setenv("MODE", "staging")

    with pytest.raises(SettingsError, match="MODE"):
        read(tmp_path)


class TestDemo:
    """The demo must never touch what the environment or .env names."""

    @pytest.fixture
    def demo(self, environment: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
        environment.setenv("MODE", "demo")
        environment.setenv("REDIS_URL", "redis://production/0")
        return environment

    def test_it_has_its_own_database_and_key(
        self, demo: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        (tmp_path / ".env").write_text("DATABASE_URL=sqlite:///precious\n")

        found = read(tmp_path)

        assert found["DATABASE_URL"] == f"sqlite:///{tmp_path}/var/demo.sqlite3"
        assert found["REDIS_URL"] == ""
        assert found["SECRET_KEY"] != COMPLETE["SECRET_KEY"]
        assert found.sources["DATABASE_URL"] == "demo"

    def test_its_key_is_made_once_and_only_its_owner_reads_it(
        self, demo: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        first = read(tmp_path)["SECRET_KEY"]

        second = read(tmp_path)["SECRET_KEY"]

        assert first == second
        assert len(first) >= 50
        assert (tmp_path / "var" / "demo-secret-key").stat().st_mode & 0o077 == 0

    def test_its_address_may_be_given(self, demo: pytest.MonkeyPatch, tmp_path: Path) -> None:
        demo.setenv("APP_URL", "http://127.0.0.1:9000/")

        assert read(tmp_path)["APP_URL"] == "http://127.0.0.1:9000"

    def test_a_wrong_address_is_refused(self, demo: pytest.MonkeyPatch, tmp_path: Path) -> None:
        demo.setenv("APP_URL", "localhost:9000")

        with pytest.raises(SettingsError, match="APP_URL: must be an absolute"):
            read(tmp_path)

    def test_without_one_it_is_on_the_loopback(
        self, demo: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        demo.delenv("APP_URL")

        assert read(tmp_path)["APP_URL"] == "http://127.0.0.1:8000"
