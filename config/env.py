"""The settings that the environment may change. `read` reports all wrong ones at once."""

import os
import secrets
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.http.request import validate_host
from dotenv import dotenv_values
from environs import Env, EnvValidationError, ValidationError

from config import env_rules as rules

MODES = ("production", "demo", "test")
_UNSET = "Environment variable not set."  # as worded by environs
_FAULTY = "The service cannot start. Set these in the environment or in the file .env:"
_HINTS = (
    "docs/operations.md has the meaning of each. To try the service without any setting: "
    "manage.py demo",
    # Mistakes that show only once the service runs.
    "Behind a proxy or a platform's router, also set TRUSTED_PROXY_COUNT (1 for one proxy).",
    "collectstatic needs the same settings, with any valid values: it connects to nothing.",
)

_PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"
VERSION: str = tomllib.loads(_PROJECT.read_text(encoding="utf-8"))["project"]["version"]


@dataclass(frozen=True)
class Setting:
    """A row of TABLE. The type of the default is that of the setting."""

    name: str
    rule: Callable[[Any], object] | None = None
    default: Any = ""
    is_required: bool = False
    is_secret: bool = False


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
    Setting("STATIC_ROOT", default="staticfiles"),
    Setting("LOG_LEVEL", rules.one_of("DEBUG", "INFO", "WARNING", "ERROR"), "INFO"),
)


@dataclass(frozen=True)
class Environment:
    mode: str
    values: Mapping[str, Any]
    sources: Mapping[str, str]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


class SettingsError(ImproperlyConfigured):
    """The text has a line for each missing or wrong setting."""


def read(base_dir: Path) -> Environment:
    """Return the settings of the mode named by MODE. Raise SettingsError if any are wrong."""
    mode = os.environ.get("MODE") or "production"
    if mode not in MODES:
        raise SettingsError(f"MODE: must be one of {', '.join(MODES)}.")
    if mode == "production":
        return _from_environment(base_dir / ".env")
    try:
        given = _demo_values(base_dir) if mode == "demo" else _test_values(base_dir)
    except OSError as error:
        raise SettingsError(
            f"The demo keeps its data in {base_dir / 'var'}, where this user can't write "
            f"({error.strerror}). Start it in a copy of the code that is yours."
        ) from error
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
        raise SettingsError(_explain(faults))
    return Environment("production", _normalised(values), sources)


def _contradictions(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (name, error) where valid settings contradict each other. An invalid one is None."""
    if (values["WEB_CONCURRENCY"] or 0) > 1 and not values["REDIS_URL"]:
        yield "REDIS_URL", "must be set when WEB_CONCURRENCY is more than 1, to count the limits."
    if values["APP_URL"] and values["ALLOWED_HOSTS"]:
        host = host_of(values["APP_URL"])
        if not validate_host(host, [name.strip().lower() for name in values["ALLOWED_HOSTS"]]):
            yield "ALLOWED_HOSTS", f"must contain the host of APP_URL, {host}."


def _explain(faults: Mapping[str, list[str]]) -> str:
    lines = [
        f"  {setting.name}: {'is not set.' if message == _UNSET else message}"
        for setting in TABLE
        for message in faults.get(setting.name, [])
    ]
    return "\n".join([_FAULTY, "", *lines, "", *_HINTS])


def _normalised(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values with APP_URL as an origin in a browser's spelling, and without blanks."""
    url = urlsplit(values["APP_URL"])
    port = "" if url.port in (None, {"http": 80, "https": 443}[url.scheme]) else f":{url.port}"
    return {
        **values,
        "APP_URL": f"{url.scheme}://{host_of(values['APP_URL'])}{port}",
        "ALLOWED_HOSTS": [name.strip() for name in values["ALLOWED_HOSTS"] if name.strip()],
        "SECRET_KEY_FALLBACKS": [key for key in values["SECRET_KEY_FALLBACKS"] if key],
    }


def host_of(address: str) -> str:
    """Return the host of a URL, IPv6 in brackets, as ALLOWED_HOSTS has it."""
    host = urlsplit(address).hostname or ""
    return f"[{host}]" if ":" in host else host


def _demo_values(base_dir: Path) -> dict[str, Any]:
    """Return the demo's settings, never with a database or key from the environment."""
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
        "DATABASE_URL": f"sqlite:///{_private(var / 'demo.sqlite3')}",
        "ALLOWED_HOSTS": sorted({"127.0.0.1", "localhost", "[::1]", host_of(app_url)}),
        "APP_URL": app_url,
        "SUPPORT_EMAIL": "support@example.com",
        "LOG_LEVEL": "ERROR",
    }


def _kept_key(file: Path) -> str:
    if not _private(file).read_text(encoding="ascii"):
        file.write_text(secrets.token_urlsafe(50), encoding="ascii")
    return file.read_text(encoding="ascii")


def _private(file: Path) -> Path:
    """Create the file if missing, for its owner only. SQLite gives its side files the same mode."""
    file.touch(mode=0o600)
    file.chmod(0o600)
    return file


def _test_values(base_dir: Path) -> dict[str, Any]:
    database = os.environ.get("DATABASE_URL") or f"sqlite:///{base_dir / 'var' / 'test.sqlite3'}"
    return {
        "SECRET_KEY": f"{rules.TEST_KEY}-0123456789-abcdefghijklmnop",
        "WEBHOOK_KEY": f"{rules.TEST_KEY}-too-0123456789-abcdefghijklm",
        "DATABASE_URL": database,
        "ALLOWED_HOSTS": ["testserver", "127.0.0.1", "localhost"],
        "APP_URL": "http://testserver",
        "SUPPORT_EMAIL": "support@example.com",
        "LOG_LEVEL": "WARNING",
    }
