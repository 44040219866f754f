"""One JSON line for each log record, without secrets or personal data.

Redaction works on the finished text, so it covers tracebacks and messages of database drivers.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from pythonjsonlogger.core import RESERVED_ATTRS, LogData
from pythonjsonlogger.json import JsonFormatter

if TYPE_CHECKING:
    from gunicorn.config import Config
    from gunicorn.glogging import Logger
else:
    # Importing gunicorn fails if WEB_CONCURRENCY is not a number, before config/env.py can report
    # it. Only gunicorn.conf.py imports it.
    Logger = object

current_request_id: ContextVar[str] = ContextVar("current_request_id", default="")

HIDDEN, CUT = "[hidden]", "[cut]"
# A long path must not cause much work.
MESSAGE_LENGTH = 2_000
EXTRA_LENGTH = 300  # the path and other extras
TRACEBACK_LENGTH = 20_000
# Our addresses: any other part of a path may be the token of a damaged link. deploy/nginx.conf and
# deploy/Caddyfile have the same pattern.
OUR_ADDRESSES = (
    r"/static/[\w./-]*"
    r"|/(?:admin|docs|partner)(?:/(?:[a-z_-]+|jsi18n|\d{1,9})?)*"
    r"|/(?:healthz|readyz|metrics|openapi\.json|\.well-known/security\.txt)?"
    r"|/prj_[0-9A-Za-z]{16}(?:/(?:(?i:assessment|result)|asm_[0-9A-Za-z]{16}|subjects|ideas|leave"
    r"|compare|link|forget|forget-others|\d{1,3})?)*"
)
_OUR_PATH = re.compile(rf"(?:{OUR_ADDRESSES})?(?=[/?]|\Z)", re.ASCII)


def our_path(path: str) -> str:
    """Return a path up to the first part that is not ours, such as the token of a damaged link."""
    match = _OUR_PATH.match(path)
    return match[0] if match else ""


def _hide_rest_of_path(found: re.Match[str]) -> str:
    """Hide what follows our part of a student's address in a text."""
    path = unquote(found[0])
    shown = our_path(path)
    return found[0] if shown == path else shown + HIDDEN


# The ids of requests that we make, which no rule changes.
_OUR_ID = re.compile(r"[0-9a-f]{32}")
_RULES: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    # PostgreSQL repeats the row's values: DETAIL:  Key (email_key)=(…) already exists.
    (re.compile(r"(DETAIL|CONTEXT|QUERY):[^\n]*"), rf"\1: {HIDDEN}"),
    (re.compile(r"LINE \d+:[^\n]*(?:\n[ \t]*\^)?"), f"LINE: {HIDDEN}"),
    (re.compile(r"invalid input [^\n]*"), f"invalid input {HIDDEN}"),
    (re.compile(r"(x[-_]access[-_]token['\"]?\s*[:=,]\s*)[^\n]*", re.I), rf"\1{HIDDEN}"),
    (re.compile(r"sec_[A-Za-z0-9_\-]+"), HIDDEN),
    # link tokens, and the keys of private links, by where they stand in an address, in a form or
    # on the page of a crash
    (re.compile(r"(token(?:=|%(?:25)*3D))[^&\s\"'<>]+", re.I), rf"\1{HIDDEN}"),
    (
        re.compile(r"((?:[?&]|%(?:25)*(?:3F|26))key(?:=|%(?:25)*3D))[^&\s\"'<>]+", re.I),
        rf"\1{HIDDEN}",
    ),
    (re.compile(r"((?:token|key)['\"]\s*:\s*\[?['\"])[^&\s\"'<>]+", re.I), rf"\1{HIDDEN}"),
    (re.compile(r"(?:/|%2F)prj_[^\s\"'<>]*", re.I), _hide_rest_of_path),
    # Also the user:password@host of a database URL. Matches only at the beginning of a word and
    # does not backtrack, so that it takes linear time.
    (
        re.compile(
            # (?=(…))\1 does not backtrack. Neither should (?>…), but in Python 3.11.2 it does.
            r"(?<![^\s@<>\"'()\[\],;=])(?=((?:%40)*))\1(?!@)"
            r"(?=([^\s@<>\"'()\[\],;=%]*(?:%(?!40)[^\s@<>\"'()\[\],;=%]*)*))\2"
            r"(?:@|%40)[^\s@<>\"'()\[\],;]++"
        ),
        HIDDEN,
    ),
    (re.compile(r"\+\d[\d ()\-]{4,22}\d"), HIDDEN),
    # ten digits or more in groups as people write them; not dates, times, versions, hex or ids
    (
        re.compile(r"(?<![\w.:\-])(?!\d{4}-\d\d-\d\d)\(?\d(?:[ ()\-]{0,2}\d){9,14}(?![\w.:\-])"),
        HIDDEN,
    ),
)
_LAST_WORD = re.compile(r"(?<![^\s<>\"'()\[\],;=/?&])[^\s<>\"'()\[\],;=/?&]*\Z")
_FAILED_REQUEST = re.compile(r"(Error handling request (?:\S+ )?)(/.*)", re.DOTALL)
_INVALID_REQUEST = re.compile(r"Invalid request from ip=\S*: [^:'\"]*")
# The members of a JSON line. Any other text is an extra and is cut to EXTRA_LENGTH.
_LENGTHS = {"message": MESSAGE_LENGTH, "traceback": TRACEBACK_LENGTH, "stack": TRACEBACK_LENGTH}


def redact(text: str) -> str:
    """Hide secrets, link tokens, e-mail addresses and mobile numbers in a text."""
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text


def cut(text: str, length: int) -> str:
    """Cut a text before the word at this length: `redact` would not know half a token."""
    if len(text) <= length:
        return text
    return _LAST_WORD.sub("", text[:length]).rstrip("0123456789 ()+-") + CUT


@lru_cache(maxsize=1024)
def _short(value: str) -> str:
    """Cut and redact an extra. Most repeat the line before: the cache saves 0.1 ms a request."""
    return redact(cut(value, EXTRA_LENGTH))


def filter_request(record: logging.LogRecord) -> bool:
    """Shorten what Django logs of a request, and drop a 500 that a test project asked for.

    A 4xx becomes one line, at most a warning: anybody can cause these, so they must not bury a
    crash or raise an alarm.
    """
    request = getattr(record, "request", None)
    if "assess.is_simulated" in getattr(request, "META", {}):
        return False  # its access line stays
    path = getattr(request, "path", None)
    if path and isinstance(record.args, tuple):
        record.args = tuple(our_path(path) if each == path else each for each in record.args)
    is_djangos = record.name == "django.request" or record.name.startswith("django.security.")
    if is_djangos and getattr(record, "status_code", 500) < 500:
        record.exc_info = record.exc_text = None
        record.levelno = min(record.levelno, logging.WARNING)
        record.levelname = logging.getLevelName(record.levelno)
    return True


class JSONFormatter(JsonFormatter):
    def __init__(self) -> None:
        super().__init__(
            ["asctime", "levelname", "name", "message"],
            rename_fields={
                "asctime": "time",
                "levelname": "level",
                "name": "logger",
                "exc_info": "traceback",
                "stack_info": "stack",
            },
            # gunicorn's and Django's servers add color_message.
            reserved_attrs=[*RESERVED_ATTRS, "taskName", "color_message"],
        )

    # logging.Formatter calls it by this name.
    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802
        return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")

    def process_log_record(self, log_data: LogData) -> LogData:
        """Redact the finished texts. Leave out objects: Django logs the whole request."""
        if request_id := current_request_id.get():
            log_data.setdefault("request_id", request_id)
        line: LogData = {}
        for name, value in log_data.items():
            if name in _LENGTHS and len(str(value)) > EXTRA_LENGTH:
                line[name] = redact(cut(str(value), _LENGTHS[name]))
            elif name == "time" or (name == "request_id" and _OUR_ID.fullmatch(str(value))):
                line[name] = value
            elif isinstance(value, str):
                line[name] = _short(value)
            elif value is None or isinstance(value, str | int | float):
                line[name] = value
        return line


class PlainFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return redact(cut(super().format(record), TRACEBACK_LENGTH))


def configuration(mode: str, level: str) -> dict[str, Any]:
    """Return Django's LOGGING: JSON on stderr, plain text in the demo and the tests."""
    if mode == "production":
        logging.captureWarnings(True)  # so that every line is JSON
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {"()": JSONFormatter},
            "plain": {"()": PlainFormatter, "format": "%(levelname)s %(name)s: %(message)s"},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                # On the handler, because a logger's filter does not see records of its children.
                "filters": [filter_request],
                "formatter": "json" if mode == "production" else "plain",
            }
        },
        "root": {"handlers": ["stderr"], "level": level},
        # Django's own handlers print to a terminal or mail ADMINS.
        "loggers": {
            "django": {"handlers": [], "level": level, "propagate": True},
            "django.server": {"handlers": [], "level": level, "propagate": True},
            # It logs addresses of webhooks, which may contain a password.
            "httpx": {"level": "WARNING"},
        },
    }


def without_request(record: logging.LogRecord) -> bool:
    """Reduce gunicorn's message to the kind of error and our path."""
    message = record.getMessage().partition("?")[0]
    if failed := _FAILED_REQUEST.match(message):
        message = failed[1] + our_path(failed[2])
    if kind := _INVALID_REQUEST.match(message):
        message = kind[0].rstrip()
    record.msg, record.args = message, ()
    return True


class GunicornLines(Logger):
    """A mixin for gunicorn's Logger. The access line has our part of the path, and no query."""

    def setup(self, cfg: Config) -> None:
        super().setup(cfg)
        self.error_log.addFilter(without_request)
        for logger in (self.error_log, self.access_log):
            for handler in logger.handlers:
                handler.setFormatter(JSONFormatter())

    def access(self, resp: Any, req: Any, environ: dict[str, Any], request_time: timedelta) -> None:
        if not self.access_log_enabled:
            return
        values = {
            "method": environ.get("REQUEST_METHOD"),
            "path": our_path(environ.get("PATH_INFO", "")),
            "status": int(str(resp.status).split(None, 1)[0]),
            "bytes": getattr(resp, "sent", None),
            "milliseconds": round(request_time.total_seconds() * 1000, 1),
            # Set by a middleware, so missing if the request never reached Django.
            "address": environ.get("service.client_address", environ.get("REMOTE_ADDR")),
            "request_id": environ.get("service.request_id"),
            "agent": environ.get("HTTP_USER_AGENT", "")[:200],
        }
        self.access_log.info("request", extra=values)
