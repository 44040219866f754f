"""Requests that two servers might split differently, each with another request hidden inside.

OUTER and INNER are placeholders for the ids of the two requests, HOST for the service's name,
LENGTH for the length of the body. If the inner one is answered, or answers are shifted, it was
smuggled past nginx.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

INNER = b"GET /smuggled/INNER HTTP/1.1\r\nHost: HOST\r\nX-Request-ID: INNER\r\n\r\n"
CHUNKED = b"0\r\n\r\n" + INNER
LINE = b"POST /partner/get-redirect-url HTTP/1.1\r\n"
COMMON = b"Host: HOST\r\nX-Request-ID: OUTER\r\nContent-Type: application/json\r\n"


def filled(text: bytes, outer: str, inner: str, host: str) -> bytes:
    """Fill in the placeholders for ids and host."""
    text = text.replace(b"OUTER", outer.encode()).replace(b"INNER", inner.encode())
    return text.replace(b"HOST", host.encode())


@dataclass(frozen=True)
class Attack:
    """A request whose length is ambiguous."""

    name: str
    headers: bytes
    body: bytes = CHUNKED
    line: bytes = LINE

    def bytes_of(self, outer: str, inner: str, host: str) -> bytes:
        body = filled(self.body, outer, inner, host)
        if b"SIZE" in body:
            chunk = filled(CHUNKED, outer, inner, host)
            body = body.replace(b"SIZE", b"%x\r\n%s\r\n0\r\n\r\n" % (len(chunk), chunk))
        headers = self.headers.replace(b"LENGTH", b"%d" % len(body))
        return filled(self.line + COMMON + headers, outer, inner, host) + b"\r\n" + body


# Both lengths at once, in every spelling: one server may believe Content-Length, the other not.
BOTH = {
    "length, then chunked": b"Content-Length: LENGTH\r\nTransfer-Encoding: chunked\r\n",
    "chunked, then length": b"Transfer-Encoding: chunked\r\nContent-Length: LENGTH\r\n",
    "a tab before chunked": b"Content-Length: LENGTH\r\nTransfer-Encoding:\tchunked\r\n",
    "a space before the colon": b"Content-Length: LENGTH\r\nTransfer-Encoding : chunked\r\n",
    "a coding that ends like it": b"Content-Length: LENGTH\r\nTransfer-Encoding: xchunked\r\n",
    "chunked, identity": b"Content-Length: LENGTH\r\nTransfer-Encoding: chunked, identity\r\n",
    "identity, chunked": b"Content-Length: LENGTH\r\nTransfer-Encoding: identity, chunked\r\n",
    "two codings in two lines": b"Content-Length: LENGTH\r\nTransfer-Encoding: chunked\r\n"
    b"Transfer-Encoding: identity\r\n",
    "chunked twice": b"Content-Length: LENGTH\r\nTransfer-Encoding: chunked\r\n"
    b"Transfer-Encoding: chunked\r\n",
    "a vertical tab before": b"Content-Length: LENGTH\r\nTransfer-Encoding: \x0bchunked\r\n",
    "a vertical tab after": b"Content-Length: LENGTH\r\nTransfer-Encoding: chunked\x0b\r\n",
    "a folded line": b"Content-Length: LENGTH\r\nTransfer-Encoding:\r\n chunked\r\n",
    "folded into another": b"Content-Length: LENGTH\r\nX: a\r\n Transfer-Encoding: chunked\r\n",
    "an underscore": b"Content-Length: LENGTH\r\nTransfer_Encoding: chunked\r\n",
    "quotes": b'Content-Length: LENGTH\r\nTransfer-Encoding: "chunked"\r\n',
    "capitals": b"Content-Length: LENGTH\r\nTRANSFER-ENCODING: CHUNKED\r\n",
    "after a bare line feed": b"Content-Length: LENGTH\r\nX: y\nTransfer-Encoding: chunked\r\n",
    "after a bare return": b"Content-Length: LENGTH\r\nX: y\rTransfer-Encoding: chunked\r\n",
    "a NUL in the name": b"Content-Length: LENGTH\r\nTransfer-Encoding\0: chunked\r\n",
    "a parameter": b"Content-Length: LENGTH\r\nTransfer-Encoding: chunked;q=1\r\n",
    "an empty coding": b"Content-Length: LENGTH\r\nTransfer-Encoding:\r\n",
    "named as a header of this hop": b"Content-Length: LENGTH\r\nConnection: Content-Length\r\n",
    "an upgrade": b"Content-Length: LENGTH\r\nConnection: Upgrade, HTTP2-Settings\r\n"
    b"Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n",
    "a length, in an underscore too": b"Content-Length: LENGTH\r\nContent_Length: 0\r\n",
}
# Lengths that can be read in two ways.
LENGTHS = {
    "two lengths": b"Content-Length: 0\r\nContent-Length: LENGTH\r\n",
    "two lengths, the other way round": b"Content-Length: LENGTH\r\nContent-Length: 0\r\n",
    "two lengths in a line": b"Content-Length: 0, LENGTH\r\n",
    "a plus": b"Content-Length: +0\r\n",
    "a minus": b"Content-Length: -1\r\n",
    "hexadecimal": b"Content-Length: 0x0\r\n",
    "two numbers": b"Content-Length: 0 LENGTH\r\n",
    "a space before the colon": b"Content-Length : LENGTH\r\n",
    "a folded length": b"Content-Length:\r\n LENGTH\r\n",
    "thirty digits": b"Content-Length: 100000000000000000000000000000\r\n",
    "no digits": b"Content-Length:\r\n",
    "a vertical tab": b"Content-Length: \x0bLENGTH\r\n",
    "digits of another script": "Content-Length: ٠\r\n".encode(),
}
# Chunks that may end in two places. At SIZE comes a chunk with the hidden request, and the end.
CHUNKS = {
    "a size with 0x": b"0x5\r\nhello\r\nSIZE",
    "a size with a minus": b"-1\r\nhello\r\nSIZE",
    "a size beyond 64 bits": b"10000000000000005\r\nhello\r\nSIZE",
    "a size with a space": b"5 5\r\nhello\r\nSIZE",
    "data longer than its size": b"2\r\nhello\r\nSIZE",
    "data shorter than its size": b"ff\r\nhello\r\nSIZE",
    "a line feed in an extension": b"2;\nxx\r\nSIZE",
    "a carriage return in an extension": b"2;\rxx\r\nSIZE",
    "no size": b"\r\nhello\r\nSIZE",
    "a line feed for an end": b"5\nhello\nSIZE",
}
# Bodies that the service does not read. They must not become the next request.
UNREAD = {
    "a GET with a body": b"GET /.well-known/security.txt HTTP/1.1\r\n",
    "a HEAD with a body": b"HEAD /.well-known/security.txt HTTP/1.1\r\n",
    "a POST to nowhere": b"POST /partner/nowhere HTTP/1.1\r\n",
    "a POST to a page": b"POST /prj_0123456789abcdef/assessment HTTP/1.1\r\n",
    "an older version": b"POST /partner/get-redirect-url HTTP/1.0\r\n",
    "an absolute address": b"POST http://HOST/partner/get-redirect-url HTTP/1.1\r\n",
}


def attacks() -> Iterator[Attack]:
    length = b"Content-Length: LENGTH\r\n"
    for name, headers in BOTH.items():
        yield Attack(f"both lengths, {name}", headers)
    for name, headers in LENGTHS.items():
        yield Attack(f"length, {name}", headers, INNER)
    for name, body in CHUNKS.items():
        yield Attack(f"chunks, {name}", b"Transfer-Encoding: chunked\r\n", body)
    for name, line in UNREAD.items():
        yield Attack(f"unread, {name}", length, INNER, line)
    large = b'{"projectId": "' + b"x" * 40_000 + INNER
    yield Attack("unread, more than is read", length, large)
    yield Attack("unread, sent without waiting", b"Expect: 100-continue\r\n" + length, INNER)
    yield Attack("two hosts", b"Host: other.example.com\r\n" + length, INNER)
    line = b"GET /%0d%0aX:%20y HTTP/1.1\r\n"
    yield Attack("an address with a line break", length, INNER, line)
