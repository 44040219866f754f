"""How long a body is: announced wrongly, twice, not at all, or in chunks that do not add up."""

from __future__ import annotations

from tests.raw.connection import NOTHING, Caller, Case
from tests.raw.lines import CLOSE, HOST, HTTP_1_0, call

# What a request that should be the last smuggles along: its answer would be a second one.
SMUGGLED = b"GET /healthz HTTP/1.1\r\n" + HOST + CLOSE + b"\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"

LENGTHS: dict[str, tuple[bytes, int]] = {
    "none": (b"", 400),
    "nought": (b"Content-Length: 0\r\n", 400),
    "empty": (b"Content-Length: \r\n", 400),
    "a minus": (b"Content-Length: -1\r\n", 400),
    "a plus": (b"Content-Length: +2\r\n", 400),
    "hexadecimal": (b"Content-Length: 0x2\r\n", 400),
    "a fraction": (b"Content-Length: 2.0\r\n", 400),
    "an exponent": (b"Content-Length: 1e1\r\n", 400),
    "a word": (b"Content-Length: two\r\n", 400),
    "with an underscore": (b"Content-Length: 1_0\r\n", 400),
    "two numbers": (b"Content-Length: 1 2\r\n", 400),
    "a list of two": (b"Content-Length: 2, 3\r\n", 400),
    "a list of the same": (b"Content-Length: 2, 2\r\n", 400),
    "two lines": (b"Content-Length: 2\r\nContent-Length: 3\r\n", 400),
    "two lines of the same": (b"Content-Length: 2\r\nContent-Length: 2\r\n", 400),
    "other digits": ("Content-Length: ٢\r\n".encode(), 400),
    "a space before the colon": (b"Content-Length : 2\r\n", 400),
    "of 5,000 digits": (b"Content-Length: " + b"9" * 5000 + b"\r\n", 400),
    "of a gigabyte": (b"Content-Length: 1073741824\r\n", 400),
    "of a megabyte": (b"Content-Length: 1048576\r\n", 400),
    "one byte too many": (b"Content-Length: 16385\r\n", 400),
    "with chunks": (b"Content-Length: 5\r\n" + CHUNKED, 400),
    "with chunks, the other way": (CHUNKED + b"Content-Length: 5\r\n", 400),
}
ENCODINGS: dict[str, tuple[bytes, int]] = {
    "in capitals": (b"Transfer-Encoding: CHUNKED\r\n", 200),
    "spaces around": (b"Transfer-Encoding:   chunked  \r\n", 200),
    "twice in a line": (b"Transfer-Encoding: chunked, chunked\r\n", 400),
    "twice": (CHUNKED + CHUNKED, 400),
    "identity after it": (b"Transfer-Encoding: chunked, identity\r\n", 400),
    "identity before it": (b"Transfer-Encoding: identity, chunked\r\n", 200),
    "gzip before it": (b"Transfer-Encoding: gzip, chunked\r\n", 200),
    "gzip after it": (b"Transfer-Encoding: chunked, gzip\r\n", 400),
    "of one letter more": (b"Transfer-Encoding: xchunked\r\n", 501),
    "with a parameter": (b"Transfer-Encoding: chunked;q=1\r\n", 501),
    "in quotes": (b'Transfer-Encoding: "chunked"\r\n', 501),
    "with a tab": (b"Transfer-Encoding:\tchunked\r\n", 200),
    "with a line tabulator": (b"Transfer-Encoding: \x0bchunked\r\n", 400),
    "with a NUL": (b"Transfer-Encoding: chunked\x00\r\n", 400),
    "empty": (b"Transfer-Encoding: \r\n", 501),
    "a space before the colon": (b"Transfer-Encoding : chunked\r\n", 400),
    "an underscore in its name": (b"Transfer_Encoding: chunked\r\n", 400),
    "folded": (b"X: y\r\n Transfer-Encoding: chunked\r\n", 400),
    "folded after its name": (b"Transfer-Encoding:\r\n chunked\r\n", 400),
}


def chunks(body: bytes) -> dict[str, tuple[bytes, tuple[int, ...]]]:
    """Return bodies in chunks and the answers: 200 for the body itself, 400 for another one."""
    size = b"%x" % len(body)
    end = b"\r\n0\r\n\r\n"
    whole = size + b"\r\n" + body + end
    return {
        "whole": (whole, (200,)),
        "of single bytes": (b"".join(b"1\r\n%c\r\n" % byte for byte in body) + end[2:], (200,)),
        "size in capitals": (b"AB\r\n" + body.ljust(0xAB) + end, (200,)),
        "noughts before the size": (b"000000" + size + b"\r\n" + body + end, (200,)),
        "an extension": (size + b";a=b\r\n" + body + end, (200,)),
        "a long extension": (size + b";" + b"a" * 20_000 + b"\r\n" + body + end, (400,)),
        "size with 0x": (b"0x" + size + b"\r\n" + body + end, (400,)),
        "size with a minus": (b"-" + size + b"\r\n" + body + end, (400,)),
        "size with a plus": (b"+" + size + b"\r\n" + body + end, (400,)),
        "size with a space": (b" " + size + b"\r\n" + body + end, (400,)),
        "size with an underscore": (b"0_" + size + b"\r\n" + body + end, (400,)),
        "no size": (b"\r\n" + body + end, (400,)),
        "a word as size": (b"zz\r\n" + body + end, (400,)),
        "size of 16 digits": (b"F" * 16 + b"\r\n" + body + end, NOTHING),
        "size of 400 digits": (b"F" * 400 + b"\r\n" + body + end, NOTHING),
        "size too small": (b"1\r\n" + body + end, (400,)),
        "size too large": (b"fff\r\n" + body + end, NOTHING),
        "line feeds alone": (size + b"\n" + body + b"\n0\n\n", NOTHING),
        "no line break after the data": (size + b"\r\n" + body + b"0\r\n\r\n", (400,)),
        "no last chunk": (size + b"\r\n" + body + b"\r\n", NOTHING),
        "cut off in the data": (size + b"\r\n" + body[:5], NOTHING),
        "cut off in the size": (size[:1], NOTHING),
        "nothing at all": (b"", NOTHING),
        "only the last chunk": (b"0\r\n\r\n", (400,)),
        "too long in all": ((b"1000\r\n" + b" " * 4096 + b"\r\n") * 5 + b"0\r\n\r\n", (400,)),
        "a megabyte": (b"100000\r\n" + b" " * 1_048_576 + end, (400,)),
        "a trailer": (whole[:-2] + b"X: y\r\n\r\n", (200,)),
        "a length as trailer": (whole[:-2] + b"Content-Length: 5\r\n\r\n", (400,)),
        "a credential as trailer": (whole[:-2] + b"X-Access-Token: x\r\n\r\n", (200,)),
        "a request after it": (whole + SMUGGLED, (200,)),
    }


def bodies(caller: Caller) -> dict[str, tuple[bytes, tuple[int, ...]]]:
    """Return whole requests whose body is not as long as they say, or not alone."""
    body = caller.results_body
    keep = call(caller).replace(CLOSE, b"")
    shorter = b"Content-Length: %d\r\n" % (len(body) - 1)
    longer = b"Content-Length: %d\r\n" % (len(body) + 1)
    expect = b"Expect: 100-continue\r\n"
    return {
        "longer than it says": (call(caller, length=shorter), (400,)),
        "shorter than it says": (call(caller, length=longer), (400,)),
        "half": (call(caller)[: -len(body) // 2], (400,)),
        "none of it": (call(caller)[: -len(body)], (400,)),
        "two calls": (keep + call(caller), (200, 200)),
        "three calls": (keep * 2 + call(caller), (200, 200, 200)),
        "a call, then nonsense": (keep + b"nonsense\r\n\r\n", (200, 400)),
        "nonsense, then a call": (b"nonsense\r\n\r\n" + call(caller), (400,)),
        "a call that closes, then another": (call(caller) + call(caller), (200,)),
        "a request as body": (call(caller, body=SMUGGLED), (400,)),
        "a refused call, then another": (
            call(caller, body=b"[").replace(CLOSE, b"") + call(caller),
            (400, 200),
        ),
        "a call without a length, then another": (
            call(caller, body=b"", length=b"").replace(CLOSE, b"") + call(caller),
            (400, 200),
        ),
        "a length of nought, then the body": (
            call(caller, length=b"Content-Length: 0\r\n").replace(CLOSE, b"") + b"\r\n\r\n",
            (400, 400),
        ),
        "waits to be told to go on": (call(caller, more=expect), (100, 200)),
        "waits, and is refused": (
            call(caller, more=expect, length=b"Content-Length: 99999\r\n"),
            (100, 400),
        ),
        "expects something else": (call(caller, more=b"Expect: tea\r\n"), (417,)),
        "compressed, it says": (call(caller, more=b"Content-Encoding: gzip\r\n"), (400,)),
        "a chunked page": (
            b"POST /nothing HTTP/1.1\r\n" + HOST + CLOSE + CHUNKED + b"\r\n1\r\na\r\n0\r\n\r\n",
            (404,),
        ),
        "chunks in HTTP/1.0": (
            call(caller, line=HTTP_1_0, length=CHUNKED, body=b"0\r\n\r\n"),
            (400,),
        ),
    }


def halves(caller: Caller) -> list[bytes]:
    """Return beginnings of a request, after which the client hangs up."""
    whole = call(caller)
    body = len(caller.results_body)
    lines = whole.split(b"\r\n")
    return [
        whole[:1],
        whole[:6],
        lines[0],
        lines[0] + b"\r\n",
        b"\r\n".join(lines[:3])[:-2],
        b"\r\n".join(lines[:4]),
        whole[: -body - 2],
        whole[: -body - 1],
    ]


def of(caller: Caller) -> list[Case]:
    """Return all cases of lengths, encodings and bodies."""
    body = caller.results_body
    whole = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    cases = [
        Case(f"length: {name}", call(caller, length=length, body=b""), (status,))
        for name, (length, status) in LENGTHS.items()
    ]
    cases += [
        Case(f"encoding: {name}", call(caller, length=line, body=whole + SMUGGLED), (status,))
        for name, (line, status) in ENCODINGS.items()
    ]
    cases += [
        Case(f"chunks: {name}", call(caller, length=CHUNKED, body=sent), statuses)
        for name, (sent, statuses) in chunks(body).items()
    ]
    cases += [
        Case(f"body: {name}", sent, statuses, is_page="page" in name)
        for name, (sent, statuses) in bodies(caller).items()
    ]
    return cases + [
        Case(f"half of a request: {number}", sent, NOTHING)
        for number, sent in enumerate(halves(caller), 1)
    ]
