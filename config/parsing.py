"""Parsing of request bodies: a small JSON object of the API, a small file of staff forms."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterable, Mapping
from typing import IO, Any, NoReturn, cast

from django.conf import settings
from django.contrib import admin
from django.core.files.uploadedfile import InMemoryUploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.http import UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.utils.http import parse_header_parameters
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

MAX_BODY_BYTES = 16 * 1024
MAX_DEPTH = 5
MAX_NUMBER_LENGTH = 100  # characters; no field is a number, so this only limits the work
MAX_CONTENT_TYPE_LENGTH = 200


class FilesOfStaff(FileUploadHandler):
    """Keep a small upload by staff in memory. Refuse uploads by anybody else.

    Only admin forms take files, and Django's own handlers would write them to disk. Of an
    oversized file, keep the beginning and the true `size`, so that the form can report it.
    """

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        request = self.request
        # There is no user yet if the form is read before authentication.
        if (
            request is None
            or not request.path_info.startswith("/admin/")
            or not hasattr(request, "user")
            or not admin.site.has_permission(request)
        ):
            # Django answers this with 400 and stops reading.
            raise MultiPartParserError("No form here takes a file.")
        self._kept = io.BytesIO()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self._kept.write(raw_data[: max(0, settings.FILE_UPLOAD_MAX_MEMORY_SIZE - start)])

    def file_complete(self, file_size: int) -> InMemoryUploadedFile:
        self._kept.seek(0)
        return InMemoryUploadedFile(
            self._kept,
            self.field_name,
            self.file_name or "",
            self.content_type or "",
            file_size,
            self.charset,
            self.content_type_extra,
        )


class AlwaysJSON(BaseContentNegotiation):
    """Answer in JSON for any Accept, and use one parser for every Content-Type."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser:
        return next(iter(parsers))

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


class StrictJSONParser(BaseParser):
    """Parse a small JSON object.

    Stricter than RFC 8259 where parsers disagree (duplicate names, NaN, lone surrogates) and where
    PostgreSQL cannot store a value (NUL).
    """

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return the object in the body. Raises ParseError with a message for the caller."""
        meta = cast("Mapping[str, Any]", parser_context)["request"].META
        _check_content_type(media_type or "")
        if meta.get("HTTP_CONTENT_ENCODING", "identity").lower() not in ("", "identity"):
            raise ParseError("Send the body uncompressed, without Content-Encoding.")
        # The stream ends at the announced length. An oversized body is refused unread.
        announced = int(meta["CONTENT_LENGTH"])
        if announced > MAX_BODY_BYTES:
            raise ParseError(f"The body is longer than {MAX_BODY_BYTES} bytes.")
        return loads(_read(stream, announced))


def loads(body: bytes) -> dict[str, Any]:
    """Return the object in a body. Raises ParseError if it is not acceptable."""
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
        _too_deep()
    _check(value)
    if not isinstance(value, dict):
        raise ParseError("The body must be a JSON object.")
    return value


def _check_content_type(value: str) -> None:
    """Accept application/json, with charset utf-8 or none; other parameters do not matter."""
    fault = "Content-Type must be application/json, in UTF-8."
    if len(value) > MAX_CONTENT_TYPE_LENGTH or value.lower().count("charset") > 1:
        raise ParseError(fault)
    try:
        media_type, parameters = parse_header_parameters(value)
    except (LookupError, ValueError):
        raise ParseError(fault) from None
    charset = parameters.get("charset", "utf-8").strip().lower()
    if media_type.strip().lower() != "application/json" or charset not in ("utf-8", "utf8"):
        raise ParseError(fault)


def _read(stream: IO[bytes], announced: int) -> bytes:
    cut_off = "The body could not be read to its end."
    try:
        body = stream.read()
    except UnreadablePostError:
        raise ParseError(cut_off) from None
    # If a caller hangs up early, the body is shorter, but may still be valid JSON.
    if len(body) < announced:
        raise ParseError(cut_off)
    return body


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ParseError("The body gives a name twice in one object.")
    return result


def _integer(digits: str) -> int:
    if len(digits) > MAX_NUMBER_LENGTH:
        raise ParseError("The body holds a number that is too long.")
    return int(digits)


def _float(digits: str) -> float:
    if len(digits) > MAX_NUMBER_LENGTH or math.isinf(float(digits)):
        raise ParseError("The body holds a number that is too large.")
    return float(digits)


def _constant(name: str) -> NoReturn:
    raise ParseError(f"The body holds {name}, which is not JSON.")


def _too_deep() -> NoReturn:
    raise ParseError(f"The body is nested deeper than {MAX_DEPTH} levels.")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=_integer,
    parse_float=_float,
    parse_constant=_constant,
)


def _check(value: Any) -> None:
    """Check depth and text without recursion."""
    to_visit = [(value, 1)]
    while to_visit:
        item, depth = to_visit.pop()
        if isinstance(item, str):
            _check_text(item)
        elif isinstance(item, dict | list):
            if depth > MAX_DEPTH:
                _too_deep()
            parts = [*item, *item.values()] if isinstance(item, dict) else item
            to_visit += [(part, depth + 1) for part in parts]


def _check_text(text: str) -> None:
    if "\0" in text:
        raise ParseError("The body holds a NUL character.")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ParseError("The body holds half of a surrogate pair.") from None
