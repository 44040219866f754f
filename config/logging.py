"""One JSON line for each log record, without secrets or personal data.

The same formatter serves Django, our own loggers and gunicorn. Redaction works on the finished
text, so it also covers tracebacks and what a database driver puts into its messages.
"""

from __future__ import annotations

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gunicorn.config import Config
    from gunicorn.glogging import Logger
else:
    # gunicorn reads WEB_CONCURRENCY as it is imported and breaks on one that is no number, before
    # config/env.py can say so. Only gunicorn.conf.py imports it.
    Logger = object

current_request_id: ContextVar[str] = ContextVar("current_request_id", default="")

HIDDEN = "[hidden]"
CUT = "[cut]"
# Whoever sends a long path must not buy much work with it.
MESSAGE_LENGTH = 2_000
EXTRA_LENGTH = 300  # the path and other values beside the message
TRACEBACK_LENGTH = 20_000
_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    # PostgreSQL repeats the row's values: DETAIL:  Key (email_key)=(…) already exists.
    (re.compile(r"(DETAIL|CONTEXT|QUERY):[^\n]*"), rf"\1: {HIDDEN}"),
    (re.compile(r"LINE \d+:[^\n]*(?:\n[ \t]*\^)?"), f"LINE: {HIDDEN}"),
    (re.compile(r"invalid input [^\n]*"), f"invalid input {HIDDEN}"),
    (re.compile(r"(x[-_]access[-_]token['\"]?\s*[:=,]\s*)[^\n]*", re.I), rf"\1{HIDDEN}"),
    (re.compile(r"sec_[A-Za-z0-9_\-]+"), HIDDEN),
    (re.compile(r"(token(?:=|%3D|['\"]\s*:\s*['\"]))[^&\s\"'<>]+", re.I), rf"\1{HIDDEN}"),
    # a link token wherever it stands alone
    (re.compile(r"(?:(?<![\w\-])|(?<=%[\dA-F]{2}))[\w\-]{43}(?![\w\-])", re.I), HIDDEN),
    # also the user:password@host of a database address; tried only where a word begins, and no
    # part of it is given back, so that the work grows with the text and not with its square
    (
        re.compile(
            # (?=(…))\1 holds what it has, as (?>…) should: Python 3.11.2 takes that apart
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
# What config/middleware.py makes of a request. It holds nothing, and is another each time.
_IS_OUR_ID = re.compile(r"[0-9a-f]{32}")
_LAST_WORD = re.compile(r"(?<![^\s<>\"'()\[\],;=/?&])[^\s<>\"'()\[\],;=/?&]*\Z")
_INVALID_REQUEST = re.compile(r"Invalid request from ip=\S*: [^:'\"]*")
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "taskName",
    "color_message",
}


def redact(text: str) -> str:
    """Return the text with secrets, link tokens, e-mail addresses and mobile numbers hidden."""
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text


def _message(record: logging.LogRecord) -> str:
    return redact(cut(record.getMessage(), MESSAGE_LENGTH))


@lru_cache(maxsize=256)
def _known_message(text: str) -> str:
    """Return a message that logging does not put together. Most are those of the last line."""
    return redact(cut(text, MESSAGE_LENGTH))


@lru_cache(maxsize=1024)
def _short(value: str) -> str:
    """Return what a line shows of a value beside its message. Most are those of the last line."""
    return redact(cut(value, EXTRA_LENGTH))


def cut(text: str, length: int) -> str:
    """Return no more of the text than the length, without the word that the cut goes through.

    No rule would know half a token, address or number, so all of it is left out.
    """
    if len(text) <= length:
        return text
    return _LAST_WORD.sub("", text[:length]).rstrip("0123456789 ()+-") + CUT


def without_refused_traceback(record: logging.LogRecord) -> bool:
    """Make of what Django refused with 4xx one line, a warning at most. A crash stays as it is.

    Anybody can send too many fields or name a wrong host: such a line must neither bury a crash
    under tracebacks nor raise an alarm.
    """
    is_djangos = record.name == "django.request" or record.name.startswith("django.security.")
    if is_djangos and getattr(record, "status_code", 500) < 500:
        record.exc_info = record.exc_text = None
        record.levelno = min(record.levelno, logging.WARNING)
        record.levelname = logging.getLevelName(record.levelno)
    return True


def _shown(value: str) -> str:
    return value if _IS_OUR_ID.fullmatch(value) else _short(value)


def _time(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds")


class AccessLine(logging.LogRecord):
    """A record with its line already made: one is written with every request.

    It is for JSONFormatter alone: it has nothing of what logging finds out about other records.
    """

    def __init__(self, **values: str | int | float | None) -> None:
        self.name, self.levelno, self.levelname = "gunicorn.access", logging.INFO, "INFO"
        line: dict[str, str | int | float | None] = {
            "time": _time(datetime.now(UTC)),
            "level": self.levelname,
            "logger": self.name,
            "message": "request",
        }
        for name, value in values.items():
            line[name] = _shown(value) if isinstance(value, str) else value
        self.text = json.dumps(line)


class JSONFormatter(logging.Formatter):
    """Render a record, its `extra` values and its traceback as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        if isinstance(record, AccessLine):
            return record.text
        line: dict[str, Any] = {
            "time": _time(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname,
            "logger": record.name,
            # Without arguments it is mostly the same each time.
            "message": _message(record) if record.args else _known_message(str(record.msg)),
        }
        if request_id := current_request_id.get():
            line["request_id"] = request_id
        for name, value in vars(record).items():
            if name in _STANDARD:
                continue
            if isinstance(value, str):
                line[name] = _shown(value)
            elif value is None or isinstance(value, bool | int | float):
                line[name] = value
            # anything else (Django adds the whole request) may hold what must not be logged
        if record.exc_info:
            traceback = self.formatException(record.exc_info)
            line["traceback"] = redact(cut(traceback, TRACEBACK_LENGTH))
        if record.stack_info:
            line["stack"] = redact(cut(record.stack_info, TRACEBACK_LENGTH))
        # ASCII only: control characters and line separators of a hostile value come out escaped
        return json.dumps(line)


class PlainFormatter(logging.Formatter):
    """Render a record for a person at a terminal, redacted like the JSON lines."""

    def format(self, record: logging.LogRecord) -> str:
        return redact(cut(super().format(record), TRACEBACK_LENGTH))


def configuration(mode: str, level: str) -> dict[str, Any]:
    """Return Django's LOGGING: JSON on stderr, plain text in the demo and the tests.

    In production Python's warnings become records too, so that every line is JSON.
    """
    if mode == "production":
        logging.captureWarnings(True)
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
                # Of the handler: a logger's filter does not see what its children log.
                "filters": [without_refused_traceback],
                "formatter": "json" if mode == "production" else "plain",
            }
        },
        "root": {"handlers": ["stderr"], "level": level},
        # Django's own handlers print to a terminal or mail to ADMINS; ours is enough.
        "loggers": {
            "django": {"handlers": [], "level": level, "propagate": True},
            "django.server": {"handlers": [], "level": level, "propagate": True},
        },
    }


def without_request(record: logging.LogRecord) -> bool:
    """Leave of gunicorn's message the kind of error: no query string, no bytes of the request."""
    message = record.getMessage().partition("?")[0]
    if kind := _INVALID_REQUEST.match(message):
        message = kind[0].rstrip()
    record.msg, record.args = message, ()
    return True


class GunicornLines(Logger):
    """Our lines, for gunicorn's Logger to inherit before its own.

    The access line has the path and never the query string.
    """

    def setup(self, cfg: Config) -> None:
        super().setup(cfg)
        self.error_log.addFilter(without_request)
        for logger in (self.error_log, self.access_log):
            for handler in logger.handlers:
                handler.setFormatter(JSONFormatter())

    def access(self, resp: Any, req: Any, environ: dict[str, Any], request_time: timedelta) -> None:
        if not self.access_log_enabled:
            return
        agent = environ.get("HTTP_USER_AGENT", "")
        line = AccessLine(
            method=environ.get("REQUEST_METHOD"),
            path=environ.get("PATH_INFO"),
            status=int(str(resp.status).split(None, 1)[0]),
            bytes=getattr(resp, "sent", None),
            milliseconds=round(request_time.total_seconds() * 1000, 1),
            # the middleware leaves both there; absent for what never reached Django
            address=environ.get("service.client_address", environ.get("REMOTE_ADDR")),
            request_id=environ.get("service.request_id"),
            agent=agent[:200],
        )
        self.access_log.handle(line)
