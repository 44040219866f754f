"""Rules for the values of settings. Each raises ValidationError with the end of a sentence."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from environs import ValidationError, validate

_HOST = r"(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])"
_LOOPBACK = r"(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])"
_PORT = r"(?::[1-9]\d{0,4})?"
# A bare / # ? or @ in a password would end the host early and reveal the rest of the password.
_SERVER = rf"(?:[^\s/#?@]*@)?(?:[^\s/#?@:\[\]]+|{_HOST}){_PORT}"
# Everybody can read the keys of MODE=test in config/env.py; they begin so.
TEST_KEY = "only-the-tests-use-this-key"
_ENCODED = "with / # ? @ in a password written as %2F %23 %3F %40."


def at_least(lowest: int) -> validate.Range:
    return validate.Range(min=lowest, error=f"must be {lowest} or more.")


def one_of(*choices: str) -> validate.OneOf:
    return validate.OneOf(choices, error=f"must be one of {', '.join(choices)}.")


def _address(pattern: str, error: str) -> Callable[[str], None]:
    """Return a rule for an address: it matches the whole pattern, and its port exists."""
    matches = validate.Regexp(rf"(?:{pattern})\Z", re.IGNORECASE, error=error)

    def rule(value: str) -> None:
        matches(value)
        try:
            _ = urlsplit(value).port
        except ValueError:
            raise ValidationError(error) from None

    return rule


def _random_key(value: str) -> None:
    # A key read from a file may end with a line break. A program that trims it uses another key.
    if value != value.strip():
        raise ValidationError("must not begin or end with a space or line break.")
    is_known = value.startswith(("django-insecure", TEST_KEY))
    if len(value) < 50 or len(set(value)) < 10 or is_known:
        raise ValidationError(
            "must be 50 random characters or more; make one with: "
            'python3 -c "import secrets; print(secrets.token_urlsafe(50))"'
        )


def secret_keys(values: list[str]) -> None:
    for value in filter(None, values):
        secret_key(value)


def hosts(values: list[str]) -> None:
    if not any(value.strip() for value in values):
        raise ValidationError("must name at least one host.")
    if any(character in value for value in values for character in "*/"):
        raise ValidationError("must be host names only, without '*', http:// or a path.")
    if any(re.fullmatch(r"\s*\.[^.]*", value) for value in values):
        raise ValidationError(
            "must not allow a whole top-level domain, as .com does: name the hosts, or a domain of "
            "yours, as .example.com."
        )


_filled_in = validate.ContainsNoneOf(
    "<>", error="still holds a placeholder: replace the parts in <>."
)
secret_key = validate.And(_random_key, _filled_in)


def webhook_key(value: str) -> None:
    if value:
        secret_key(value)


metrics_token = validate.Regexp(
    r"(?:[!-~]{32,})?\Z",
    error="must be 32 random characters or more, without spaces, or empty; make one with: "
    'python3 -c "import secrets; print(secrets.token_urlsafe(32))"',
)
email = validate.Email(error="must be an e-mail address.")
app_url = _address(
    rf"https?://{_HOST}{_PORT}/?",
    "must be an absolute http(s) address without path or query, such as http://127.0.0.1:8000",
)
# Over http, links and answers could be read on the way.
public_url = _address(
    rf"https://{_HOST}{_PORT}/?|http://{_LOOPBACK}{_PORT}/?",
    "must be an absolute https address without path or query, such as https://assess.example.com; "
    "http is only for this machine: localhost, 127.0.0.1 or [::1].",
)
database_url = validate.And(
    _address(
        rf"(?:postgres|postgresql|pgsql)://{_SERVER}(?:[/?][^\s@]*)?|sqlite://.*",
        "must look like postgres://user:password@host:5432/name or sqlite:////path/to/file, "
        f"without white space or placeholders, {_ENCODED}",
    ),
    _filled_in,
)
redis_url = _address(
    rf"|rediss?://{_SERVER}(?:[/?][^@#]*)?|unix://(?:[^\s/#?@]*@)?[^@#]*",
    f"must look like redis://host:6379/0, {_ENCODED}",
)
