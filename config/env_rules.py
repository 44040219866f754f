"""What a setting's value must be like. A rule raises ValidationError with the end of a sentence."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address
from urllib.parse import urlsplit

import dj_database_url
from environs import ValidationError

SECRET_KEY_LENGTH = 50
METRICS_TOKEN_LENGTH = 32
ENGINES = ("django.db.backends.postgresql", "django.db.backends.sqlite3")
_ENCODED = "with / # ? @ in a password written as %2F %23 %3F %40."


def at_least(lowest: int) -> Callable[[int], None]:
    def rule(value: int) -> None:
        if value < lowest:
            raise ValidationError(f"must be {lowest} or more.")

    return rule


def one_of(*choices: str) -> Callable[[str], None]:
    def rule(value: str) -> None:
        if value not in choices:
            raise ValidationError(f"must be one of {', '.join(choices)}.")

    return rule


def filled_in(value: str) -> None:
    """Refuse what an example has in <> for us to replace."""
    if "<" in value or ">" in value:
        raise ValidationError("still holds a placeholder: fill in what stands in <>.")


def secret_key(value: str) -> None:
    filled_in(value)
    random = len(value) >= SECRET_KEY_LENGTH and len(set(value)) >= 10
    if not random or value.startswith("django-insecure"):
        raise ValidationError(
            f"must be {SECRET_KEY_LENGTH} random characters or more; make one with: "
            'python3 -c "import secrets; print(secrets.token_urlsafe(50))"'
        )


def secret_keys(value: list[str]) -> None:
    for key in filter(None, value):
        secret_key(key)


def metrics_token(value: str) -> None:
    # A header cannot carry other letters, nor a space at an end.
    if value and (
        len(value) < METRICS_TOKEN_LENGTH or not value.isascii() or value.split() != [value]
    ):
        raise ValidationError(
            f"must be {METRICS_TOKEN_LENGTH} random characters or more, without spaces, or empty; "
            'make one with: python3 -c "import secrets; print(secrets.token_urlsafe(32))"'
        )


def hosts(value: list[str]) -> None:
    if not any(host.strip() for host in value):
        raise ValidationError("must name at least one host.")
    if any("*" in host for host in value):
        raise ValidationError("must not contain '*': name the hosts that the service answers to.")
    if any("/" in host for host in value):
        raise ValidationError("must be host names only, without http:// or a path.")


def app_url(value: str) -> None:
    try:
        url = urlsplit(value)
        absolute = url.scheme in ("http", "https") and bool(url.hostname) and not url.username
        # reading the port finds out whether it is one
        absolute = absolute and url.port != 0 and not any(c.isspace() for c in value)
    except ValueError:
        absolute = False
    if not absolute:
        raise ValidationError(
            "must be an absolute http(s) address, such as https://assess.example.com"
        )
    if url.path not in ("", "/") or url.query or url.fragment:
        raise ValidationError("must be without path, query or fragment.")


def public_url(value: str) -> None:
    """Refuse an http address that other machines reach: links and answers would travel in clear."""
    app_url(value)
    url = urlsplit(value)
    if url.scheme != "https" and not _is_loopback(url.hostname or ""):
        raise ValidationError(
            "must be an https address; http is only for a host on this machine: localhost, "
            "127.0.0.1 or [::1]."
        )


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def database_url(value: str) -> None:
    filled_in(value)
    try:
        engine = dj_database_url.parse(value)["ENGINE"]
    except ValueError:
        engine = ""
    if engine not in ENGINES or (not engine.endswith("sqlite3") and not _is_server(value)):
        # The value is not repeated: it holds a password.
        raise ValidationError(
            "must look like postgres://user:password@host:5432/name or sqlite:////path/to/file, "
            f"{_ENCODED}"
        )
    if not engine.endswith("sqlite3") and any(c.isspace() for c in value):
        raise ValidationError("must be without white space: is a placeholder still in it?")


def redis_url(value: str) -> None:
    known = value.startswith(("redis://", "rediss://", "unix://"))
    if value and not (known and _is_server(value)):
        raise ValidationError(f"must look like redis://host:6379/0, {_ENCODED}")


def _is_server(value: str) -> bool:
    """Tell whether an address names a host or a socket, and holds its login before that.

    A password with a bare / # or ? ends the host early, and the rest of it comes to stand where
    it would be shown.
    """
    try:
        url = urlsplit(value)
        # reading the port finds out whether it is one
        named = url.port != 0 and (bool(url.hostname) or url.scheme == "unix")
    except ValueError:
        return False
    return named and "@" not in f"{url.path}{url.query}{url.fragment}"


def email(value: str) -> None:
    local, _, domain = value.partition("@")
    if not local or "." not in domain or "@" in domain or any(c.isspace() for c in value):
        raise ValidationError("must be an e-mail address.")
