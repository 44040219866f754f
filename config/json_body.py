"""Parsing of the API's request bodies: a small JSON object."""

import json
import math
from collections.abc import Iterable, Mapping
from typing import IO, Any, NoReturn, cast

from django.http import UnreadablePostError
from django.utils.http import parse_header_parameters
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from assessments.api.serializers import MAX_NAME, json_type

MAX_BODY_BYTES = 16 * 1024
MAX_DEPTH = 5
MAX_NUMBER_LENGTH = 100  # characters; no field is a number, so this only limits the work
TOO_LONG = f"The body is longer than {MAX_BODY_BYTES} bytes."
TOO_DEEP = f"The body is nested deeper than {MAX_DEPTH} levels."
REFUSED_TYPE = "service.refused_type"  # the Content-Type that config/wsgi.py hid from Django
# What is wrong with a media type, without the text of the header.
FAULTS = {
    "": "is missing or can't be read",
    "application/x-www-form-urlencoded": "is that of a form",
    "multipart/form-data": "is that of a form",
}


class AlwaysJSON(BaseContentNegotiation):
    """Answer in JSON for any Accept, and use one parser for every Content-Type."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser:
        return next(iter(parsers))

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


class StrictJSONParser(BaseParser):
    """Refuses duplicate names, NaN and lone surrogates, on which parsers disagree, and NUL."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return the object in the body. Raise ParseError with a message for the caller."""
        meta = cast("Mapping[str, Any]", parser_context)["request"].META
        kind, is_utf8 = read_content_type(meta.get(REFUSED_TYPE) or media_type or "")
        if kind != "application/json" or not is_utf8:
            seen = FAULTS.get(kind, "is another one" if is_utf8 else "names another charset")
            raise ParseError(f"Content-Type must be application/json, in UTF-8. It {seen}.")
        if meta.get("HTTP_CONTENT_ENCODING", "identity").lower() not in ("", "identity"):
            raise ParseError("Send the body uncompressed, without Content-Encoding.")
        # The stream ends at the announced length. An oversized body is refused unread.
        announced = int(meta["CONTENT_LENGTH"])
        if announced > MAX_BODY_BYTES:
            raise ParseError(TOO_LONG)
        try:
            body = stream.read()
        except UnreadablePostError:
            body = b""
        # If a caller hangs up early, the body is shorter, but may still be valid JSON.
        if len(body) < announced:
            raise ParseError("The body could not be read to its end.")
        return loads(body)


def read_content_type(value: str) -> tuple[str, bool]:
    """Return the media type, and whether the charset is UTF-8 or not given."""
    try:
        media_type, parameters = parse_header_parameters(value.lower())
    except Exception:  # hostile headers raise many kinds
        return "", False
    charset = parameters.get("charset", "utf-8").strip()
    is_utf8 = charset in ("utf-8", "utf8") and value.lower().count("charset") <= 1
    return media_type.strip(), is_utf8


def loads(body: bytes) -> dict[str, Any]:
    """Return the object in a body, or raise ParseError."""
    try:
        # RFC 8259 lets us ignore a byte order mark, which Windows clients send.
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ParseError("The body is not valid UTF-8.") from None
    if not text.strip():
        raise ParseError("The body is empty: send a JSON object.")
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ParseError(f"The body is not valid JSON ({error.msg}, {where}).") from None
    except RecursionError:
        raise ParseError(TOO_DEEP) from None
    _check(value)
    if not isinstance(value, dict):
        raise ParseError(f"The body must be a JSON object, but it is {json_type(value)}.")
    return value


def _check(value: Any, depth: int = 1) -> None:
    if isinstance(value, str):
        if "\0" in value:
            raise ParseError("The body holds a NUL character.")
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise ParseError("The body holds half of a surrogate pair.") from None
    elif isinstance(value, dict | list):
        if depth > MAX_DEPTH:
            raise ParseError(TOO_DEEP)
        for part in [*value, *value.values()] if isinstance(value, dict) else value:
            _check(part, depth + 1)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ParseError(f"The body gives the name {twice[:MAX_NAME]!r} twice in one object.")
    return result


def _number(digits: str) -> float:
    if len(digits) > MAX_NUMBER_LENGTH or math.isinf(float(digits)):
        raise ParseError("The body holds a number that is too large.")
    return int(digits) if digits.removeprefix("-").isdigit() else float(digits)


def _constant(name: str) -> NoReturn:
    raise ParseError(f"The body holds {name}, which is not JSON.")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_number, parse_float=_number, parse_constant=_constant
)
