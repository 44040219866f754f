"""The settings read from the environment: name, type, default, rule.

settings.py and gunicorn.conf.py call `read()`, which reports all wrong settings at once.
"""

from __future__ import annotations

import os
import secrets
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

from django.core.exceptions import ImproperlyConfigured
from django.http.request import validate_host
from dotenv import dotenv_values
from environs import Env, EnvValidationError, ValidationError

from config import env_rules as rules

MODES = ("production", "demo", "test")
_UNSET = "Environment variable not set."  # as worded by environs
# Mistakes that show only once the service runs.
_HINTS = (
    "Behind a proxy or a platform's router, also set TRUSTED_PROXY_COUNT (1 for one proxy).",
    "collectstatic needs the same settings, with any valid values: it connects to nothing.",
)

_PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"
VERSION: str = tomllib.loads(_PROJECT.read_text(encoding="utf-8"))["project"]["version"]


@dataclass(frozen=True)
class Setting:
    """A row of the table. The default has the type of the setting."""

    name: str
    rule: Callable[[Any], object] | None = None
    default: Any = ""
    is_required: bool = False
    is_secret: bool = False

    @property
    def help(self) -> str:
        return HELP[self.name]


TABLE = (
    Setting("SECRET_KEY", rules.secret_key, is_required=True, is_secret=True),
    Setting("SECRET_KEY_FALLBACKS", rules.secret_keys, [], is_secret=True),
    Setting("DATABASE_URL", rules.database_url, is_required=True, is_secret=True),
    Setting("DATABASE_POOLED", default=False),
    Setting("REDIS_URL", rules.redis_url, is_secret=True),
    Setting("ALLOWED_HOSTS", rules.hosts, [], is_required=True),
    Setting("APP_URL", rules.public_url, is_required=True),
    Setting("SUPPORT_EMAIL", rules.email, is_required=True),
    Setting("TRUSTED_PROXY_COUNT", rules.at_least(0), 0),
    Setting("WEB_CONCURRENCY", rules.at_least(0), 0),
    Setting("PORT", rules.at_least(0), 0),
    Setting("PROBE_PORT", rules.at_least(0), 0),
    Setting("LINK_RATE_PER_MINUTE", rules.at_least(1), 300),
    Setting("RESULTS_RATE_PER_MINUTE", rules.at_least(1), 600),
    Setting("OTHER_RATE_PER_MINUTE", rules.at_least(1), 600),
    Setting("FAILED_CREDENTIALS_PER_MINUTE", rules.at_least(1), 30),
    Setting("UNKNOWN_LINKS_PER_MINUTE", rules.at_least(1), 30),
    Setting("METRICS_TOKEN", rules.metrics_token, is_secret=True),
    Setting("WEBHOOK_KEY", rules.webhook_key, is_secret=True),
    Setting("WEBHOOK_TEST_RECEIVER", default=False),
    Setting("STATIC_ROOT", default="staticfiles"),
    Setting("LOG_LEVEL", rules.one_of("DEBUG", "INFO", "WARNING", "ERROR"), "INFO"),
)
HELP = {
    "SECRET_KEY": "Signs staff sessions and CSRF tokens. No partner token or link depends on it.",
    "SECRET_KEY_FALLBACKS": (
        "Earlier keys, comma-separated, still accepted while SECRET_KEY is being changed."
    ),
    "DATABASE_URL": "PostgreSQL or SQLite, as postgres://user:password@host:5432/name.",
    "DATABASE_POOLED": (
        "true: connections go through a pooler in transaction mode, such as PgBouncer."
    ),
    "REDIS_URL": "Counts calls for the rate limits. Required with more than one worker process.",
    "ALLOWED_HOSTS": "Host names that the service serves, comma-separated.",
    "APP_URL": "Public address: the base of assessment links and the trusted origin of forms.",
    "SUPPORT_EMAIL": "Shown to students and partners who need help.",
    "TRUSTED_PROXY_COUNT": (
        "Number of proxies in front. Client address and X-Forwarded-Proto come from that hop."
    ),
    "WEB_CONCURRENCY": "Worker processes. 0 means two with Redis, one without.",
    "PORT": "Port to listen on, on every interface. 0 means 127.0.0.1:8000.",
    "PROBE_PORT": (
        "Port for /healthz and /readyz alone, which answer there even if all threads are busy."
    ),
    "LINK_RATE_PER_MINUTE": "Link calls that a project may make in a minute.",
    "RESULTS_RATE_PER_MINUTE": "Results calls that a project may make in a minute.",
    "OTHER_RATE_PER_MINUTE": (
        "Calls of all other operations together that a project may make in a minute."
    ),
    "FAILED_CREDENTIALS_PER_MINUTE": (
        "Failed credentials from one address in a minute before it gets 429."
    ),
    "UNKNOWN_LINKS_PER_MINUTE": (
        "Unknown link tokens from one address in a minute before it gets 429."
    ),
    "METRICS_TOKEN": (
        "Required by /metrics as Authorization: Bearer. Without it there are no metrics."
    ),
    "WEBHOOK_KEY": "The secrets of webhooks are derived from it. Required to set up webhooks.",
    "WEBHOOK_TEST_RECEIVER": (
        "Allows webhooks to this machine over http. For the demo and tests; never in production."
    ),
    "STATIC_ROOT": "Folder in which collectstatic puts the files that the web process serves.",
    "LOG_LEVEL": "DEBUG, INFO, WARNING or ERROR.",
}


@dataclass(frozen=True)
class Environment:
    """The values in force and where each came from."""

    mode: str
    values: Mapping[str, Any]
    sources: Mapping[str, str]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


class SettingsError(ImproperlyConfigured):
    """Missing or wrong settings, with a line for each.

    In `environment`, their source is "not set" or "wrong" and their value is empty.
    """

    def __init__(self, message: str, environment: Environment | None = None) -> None:
        super().__init__(message)
        self.environment = environment


def read(base_dir: Path) -> Environment:
    """Return the settings of the mode named by MODE. Raise SettingsError if any are wrong."""
    mode = os.environ.get("MODE") or "production"
    if mode not in MODES:
        raise SettingsError(f"MODE: must be one of {', '.join(MODES)}.")
    if mode == "production":
        return _from_environment(base_dir / ".env")
    given = _demo_values(base_dir) if mode == "demo" else _test_values(base_dir)
    values = {setting.name: given.get(setting.name, setting.default) for setting in TABLE}
    sources = {name: mode if name in given else "default" for name in values}
    return Environment(mode, _normalised(values), sources)


def _from_environment(dotenv: Path) -> Environment:
    env = Env(eager=False)
    env.read_env(dotenv, recurse=False)
    in_file = dotenv_values(dotenv) if dotenv.exists() else {}
    values, sources = {}, {}
    for setting in TABLE:
        reader = getattr(env, type(setting.default).__name__)  # str, int, bool or list
        default = {} if setting.is_required else {"default": setting.default}
        values[setting.name] = reader(setting.name, validate=setting.rule, **default)
        in_dotenv = ".env" if setting.name in in_file else "default"
        sources[setting.name] = "environment" if setting.name in os.environ else in_dotenv
    faults: dict[str, list[str]] = {}
    try:
        env.seal()
    except EnvValidationError as error:
        faults = cast("dict[str, list[str]]", error.error_messages)
    for name, message in _contradictions(values):
        faults.setdefault(name, []).append(message)
    if faults:
        for name, messages in faults.items():
            values[name], sources[name] = "", "not set" if messages == [_UNSET] else "wrong"
        raise SettingsError(_explain(faults), Environment("production", values, sources))
    return Environment("production", _normalised(values), sources)


def _contradictions(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return errors between settings that are valid alone. An invalid setting is None."""
    found = []
    if (values["WEB_CONCURRENCY"] or 0) > 1 and not values["REDIS_URL"]:
        message = "must be set when WEB_CONCURRENCY is more than 1, to count the limits."
        found.append(("REDIS_URL", message))
    if values["WEBHOOK_TEST_RECEIVER"]:
        message = "must not be set: webhooks would reach this machine."
        found.append(("WEBHOOK_TEST_RECEIVER", message))
    if values["APP_URL"] and values["ALLOWED_HOSTS"]:
        host = host_of(values["APP_URL"])
        if not validate_host(host, [name.strip().lower() for name in values["ALLOWED_HOSTS"]]):
            found.append(("ALLOWED_HOSTS", f"must contain the host of APP_URL, {host}."))
    return found


def _explain(faults: Mapping[str, list[str]]) -> str:
    lines = ["The service cannot start. Set these in the environment or in the file .env:", ""]
    for setting in TABLE:
        for message in faults.get(setting.name, []):
            text = f"is not set. {setting.help}" if message == _UNSET else message
            lines.append(f"  {setting.name}: {text}")
    return "\n".join(
        [*lines, "", "To try the service without any setting: manage.py demo", *_HINTS]
    )


def _normalised(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values, with APP_URL as browsers write an origin and lists without blanks."""
    url = urlsplit(values["APP_URL"])
    host = host_of(values["APP_URL"])
    if url.port and url.port != {"http": 80, "https": 443}[url.scheme]:
        host = f"{host}:{url.port}"
    return {
        **values,
        "APP_URL": urlunsplit((url.scheme, host, "", "", "")),
        "ALLOWED_HOSTS": [name.strip() for name in values["ALLOWED_HOSTS"] if name.strip()],
        "SECRET_KEY_FALLBACKS": [key for key in values["SECRET_KEY_FALLBACKS"] if key],
    }


def host_of(address: str) -> str:
    """Return the host as in URLs and ALLOWED_HOSTS: IPv6 in brackets."""
    host = urlsplit(address).hostname or ""
    return f"[{host}]" if ":" in host else host


def _demo_values(base_dir: Path) -> dict[str, Any]:
    """Return the demo's settings. It never uses a database or key from the environment."""
    var = base_dir / "var"
    var.mkdir(exist_ok=True)
    app_url = os.environ.get("APP_URL") or "http://127.0.0.1:8000"
    try:
        rules.app_url(app_url)
    except ValidationError as error:
        raise SettingsError(f"APP_URL: {error.args[0]}") from error
    return {
        "SECRET_KEY": _kept_key(var / "demo-secret-key"),
        "WEBHOOK_KEY": _kept_key(var / "demo-webhook-key"),
        "WEBHOOK_TEST_RECEIVER": True,
        "DATABASE_URL": f"sqlite:///{_private(var / 'demo.sqlite3')}",
        "ALLOWED_HOSTS": sorted({"127.0.0.1", "localhost", "[::1]", host_of(app_url)}),
        "APP_URL": app_url,
        "SUPPORT_EMAIL": "support@example.com",
        "LOG_LEVEL": "ERROR",
    }


def _kept_key(file: Path) -> str:
    """Return the key in a file; make it the first time."""
    if not _private(file).read_text(encoding="ascii"):
        file.write_text(secrets.token_urlsafe(50), encoding="ascii")
    return file.read_text(encoding="ascii")


def _private(file: Path) -> Path:
    """Return the file, which only its owner can read; make it the first time.

    SQLite gives the files beside a database the same mode.
    """
    file.touch(mode=0o600)
    file.chmod(0o600)
    return file


def _test_values(base_dir: Path) -> dict[str, Any]:
    database = os.environ.get("DATABASE_URL") or f"sqlite:///{base_dir / 'var' / 'test.sqlite3'}"
    return {
        "SECRET_KEY": f"{rules.TEST_KEY}-0123456789-abcdefghijklmnop",
        "WEBHOOK_KEY": f"{rules.TEST_KEY}-too-0123456789-abcdefghijklm",
        "WEBHOOK_TEST_RECEIVER": True,
        "DATABASE_URL": database,
        "ALLOWED_HOSTS": ["testserver", "127.0.0.1", "localhost"],
        "APP_URL": "http://testserver",
        "SUPPORT_EMAIL": "support@example.com",
        "LOG_LEVEL": "WARNING",
    }
