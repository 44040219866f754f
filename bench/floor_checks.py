"""The checks of the two operations, by hand: what a call must be, with nothing around it.

The rules are those of tokens/crypto.py, config/parsing.py, assessments/api/serializers.py and
assessments/identity.py. What is plain (a flat object, an ASCII name and address, ten digits) takes
the shortest way; anything else takes the product's own rules, which no measured call needs.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import zlib
from collections.abc import Mapping
from typing import Any, NoReturn

HEADER = re.compile(r"(tok_[0-9A-Za-z]{16}):(sec_[0-9A-Za-z]{49})")
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
MAX_BODY_BYTES = 16 * 1024
CHARSETS = ("", "charset=utf-8", "charset=utf8")
MAX_DEPTH = 5
PLAIN_ADDRESS = re.compile(
    r"([a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*)"
    r"@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)",
    re.ASCII,
)
INDIAN_MOBILE = re.compile(r"[6-9][0-9]{9}")
LENGTHS = {"projectId": 64, "name": 200, "email": 254, "mobile": 20}


class BadRequest(Exception):
    """The body is not what the operation takes."""


def credential(header: str) -> tuple[str, str] | None:
    """Return the TokenId and the digest of the secret; None if the header is not well formed."""
    found = HEADER.fullmatch(header)
    if found is None:
        return None
    token_id, secret = found.groups()
    number, checksum = zlib.crc32(secret[:-6].encode()), ""
    for _ in range(6):
        number, digit = divmod(number, 62)
        checksum = DIGITS[digit] + checksum
    if checksum != secret[-6:]:
        return None
    return token_id, hashlib.sha256(secret.encode()).hexdigest()


def is_same(digest: str, stored: str) -> bool:
    return hmac.compare_digest(digest, stored)


def fields(environ: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, str]:
    """Read the body and return these fields, trimmed. Raise BadRequest."""
    if not _is_json(environ.get("CONTENT_TYPE", "")) or "HTTP_CONTENT_ENCODING" in environ:
        raise BadRequest
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if length > MAX_BODY_BYTES:
        raise BadRequest
    value = loads(environ["wsgi.input"].read(length))
    found = {}
    for name in names:
        text = value.get(name)
        if type(text) is not str or not (text := text.strip()) or len(text) > LENGTHS[name]:
            raise BadRequest
        found[name] = text
    return found


def loads(body: bytes) -> dict[str, Any]:
    """Return the object. Raise BadRequest for what config/parsing.py refuses."""
    try:
        value = _DECODER.decode(body.decode())
    except (ValueError, RecursionError):
        raise BadRequest from None
    if type(value) is not dict:
        raise BadRequest
    # A NUL or half of a pair can only be written as \u; a flat object has one brace.
    if b"\\u" in body or body.count(b"{") + body.count(b"[") > MAX_DEPTH:
        _check(value, 1)
    return value


def _is_json(content_type: str) -> bool:
    media_type, _, parameters = content_type.lower().partition(";")
    charset = parameters.strip()
    return media_type.strip() == "application/json" and charset in CHARSETS


def check_name(name: str) -> None:
    """Raise BadRequest for a name that is not plain text."""
    if not (name.isascii() and name.isprintable()):
        from partners.plain_text import is_plain_text

        if not is_plain_text(name):
            raise BadRequest


def email_key(address: str) -> str:
    """Return the form in which the address is compared. Raise BadRequest."""
    key = address.lower()
    if address.isascii() and PLAIN_ADDRESS.fullmatch(key):
        return key
    from assessments import identity

    try:
        return identity.email_key(address)
    except ValueError:
        raise BadRequest from None


def normal_mobile(mobile: str) -> str:
    """Return the number in one spelling. Raise BadRequest."""
    if INDIAN_MOBILE.fullmatch(mobile):
        return "+91" + mobile
    from assessments import identity

    if not identity.is_mobile(mobile):
        raise BadRequest
    return identity.normal_mobile(mobile)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise BadRequest
    return value


def _number(digits: str) -> float:
    if len(digits) > 100 or float(digits) in (float("inf"), float("-inf")):
        raise BadRequest
    return float(digits)


def _refuse(_: str) -> NoReturn:
    raise BadRequest


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_refuse, parse_int=_number, parse_float=_number
)


def _check(value: Any, depth: int) -> None:
    if isinstance(value, str):
        if "\0" in value or not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
            raise BadRequest
    elif isinstance(value, dict | list):
        if depth > MAX_DEPTH:
            raise BadRequest
        for part in [*value, *value.values()] if isinstance(value, dict) else value:
            _check(part, depth + 1)
