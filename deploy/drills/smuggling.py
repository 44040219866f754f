"""Send requests that two servers might split differently, and compare their logs.

    python -m deploy.drills.smuggling

Every request hides another one: no request may get two answers, no hidden one may reach gunicorn,
and later harmless requests must get their own answers. Takes about three minutes. Needs root, and
the programs of docs/cluster.md.
"""

import contextlib
import json
import re
import socket
import ssl
import struct
import sys
import time
from collections import Counter

from deploy.drills.parts import main
from lab.figures import at_least, exactly
from tests.support.clients import HOST, Client, Failed
from tests.support.ledger import Ledger

VARIANTS = 65
OTHERS = 4  # harmless requests after each
QUIET = 0.6  # seconds after which nothing more is expected
_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3}) ")
# The ids of the two requests, which the drill replaces by others of the same length.
OUTER, INNER, NAME = b"outer-000", b"inner-000", HOST.encode()
HIDDEN = b"GET /smuggled/%s HTTP/1.1\r\nHost: %s\r\nX-Request-ID: %s\r\n\r\n" % (INNER, NAME, INNER)
CHUNKED = b"0\r\n\r\n" + HIDDEN
LINE = b"POST /partner/get-redirect-url HTTP/1.1\r\n"
COMMON = b"Host: %s\r\nX-Request-ID: %s\r\nContent-Type: application/json\r\n" % (NAME, OUTER)

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
    "an absolute address": b"POST http://%s/partner/get-redirect-url HTTP/1.1\r\n" % NAME,
}


def attacks():
    """Yield the name, protocol and bytes of each attack."""
    length = b"Content-Length: LENGTH\r\n"
    for name, headers in BOTH.items():
        yield f"both lengths, {name}", "http/1.1", request(headers, CHUNKED)
    for name, headers in LENGTHS.items():
        yield f"length, {name}", "http/1.1", request(headers, HIDDEN)
    chunk = b"%x\r\n%s\r\n0\r\n\r\n" % (len(CHUNKED), CHUNKED)
    for name, body in CHUNKS.items():
        data = request(b"Transfer-Encoding: chunked\r\n", body.replace(b"SIZE", chunk))
        yield f"chunks, {name}", "http/1.1", data
    for name, line in UNREAD.items():
        yield f"unread, {name}", "http/1.1", request(length, HIDDEN, line)
    large = b'{"projectId": "' + b"x" * 40_000 + HIDDEN
    waiting = b"Expect: 100-continue\r\n"
    broken = b"GET /%0d%0aX:%20y HTTP/1.1\r\n"
    for name, data in {
        "unread, more than is read": request(length, large),
        "unread, sent without waiting": request(waiting + length, HIDDEN),
        "two hosts": request(b"Host: other.example.com\r\n" + length, HIDDEN),
        "an address with a line break": request(length, HIDDEN, broken),
    }.items():
        yield name, "http/1.1", data
    for name, (changed, body) in FRAMES.items():
        yield f"HTTP/2: {name}", "h2", frames(changed, body)


def request(headers, body, line=LINE):
    headers = headers.replace(b"LENGTH", b"%d" % len(body))
    return line + COMMON + headers + b"\r\n" + body


# Frames of HTTP/2 are written by hand, because libraries refuse to send malformed ones.
DATA, HEADERS, SETTINGS, END_STREAM, END_HEADERS = 0, 1, 4, 1, 4
Fields = list[tuple[bytes, bytes]]
START = [
    (b":method", b"POST"),
    (b":scheme", b"https"),
    (b":authority", NAME),
    (b":path", b"/partner/get-redirect-url"),
    (b"x-request-id", OUTER),
]
_REQUEST = b"/.well-known/security.txt HTTP/1.1\r\nHost: %s\r\n\r\n%s" % (NAME, HIDDEN)
# Headers whose text may end up as part of the HTTP/1.1 request made from them, and a body.
FRAMES = {
    "a length of 0 and a body": ([(b"content-length", b"0")], HIDDEN),
    "a length beyond the body": ([(b"content-length", b"900")], HIDDEN),
    "two lengths": ([(b"content-length", b"0"), (b"content-length", b"90")], HIDDEN),
    "chunked": ([(b"transfer-encoding", b"chunked")], CHUNKED),
    "chunked in a value": ([(b"x", b"y\r\ntransfer-encoding: chunked")], CHUNKED),
    "a request in a value": ([(b"x", b"y\r\n\r\n" + HIDDEN)], b""),
    "a header in a name": ([(b"x: y\r\ntransfer-encoding", b"chunked")], CHUNKED),
    "a request in the path": ([(b":path", _REQUEST)], b""),
    "a request in the method": ([(b":method", b"GET " + _REQUEST)], b""),
    "a header of the connection": ([(b"connection", b"content-length")], HIDDEN),
}


def frames(changed, body):
    """Return a connection's first bytes, with START's headers but those that are changed."""
    names = {name for name, _ in changed}
    kept = [(name, value) for name, value in START if name not in names]
    # Names with a colon must come first.
    fields = sorted([*kept, *changed], key=lambda field: not field[0].startswith(b":"))
    block = b"".join(b"\0" + _literal(name) + _literal(value) for name, value in fields)
    last = 0 if body else END_STREAM
    sent = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + _frame(SETTINGS, 0, 0, b"")
    sent += _frame(HEADERS, END_HEADERS | last, 1, block)
    return sent + (_frame(DATA, END_STREAM, 1, body) if body else b"")


def _frame(kind, flags, stream, payload):
    header = struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream)
    return header + payload


def _literal(text):
    """Return an uncompressed HPACK string."""
    if len(text) < 127:
        return bytes([len(text)]) + text
    rest, size = len(text) - 127, bytearray([127])
    while rest >= 128:
        size.append(rest % 128 + 128)
        rest //= 128
    return bytes(size) + bytes([rest]) + text


def frame_kinds(received):
    """Yield the kind of each complete frame."""
    while len(received) >= 9 and len(received) >= 9 + (size := int.from_bytes(received[:3], "big")):
        yield received[3]
        received = received[9 + size :]


def smuggling(deployed, partner, _):
    """Send all attacks, each followed by harmless requests."""
    gate, sent, twice, astray = deployed.gate, {}, [], 0
    seen_before = seen_by_gunicorn(deployed)
    for number, (name, protocol, data) in enumerate(attacks()):
        outer, inner = f"outer-{number:03}", f"inner-{number:03}"
        sent[name] = outer, inner
        data = data.replace(OUTER, outer.encode()).replace(INNER, inner.encode())
        received = exchange(gate, data, protocol)
        if answers(received, protocol) > 1:
            twice.append(name)
        astray += sum(not gets_its_own(gate, f"other-{number:03}-{n}") for n in range(OTHERS))
    time.sleep(1)  # until the last log line is written
    seen = seen_by_gunicorn(deployed) - seen_before
    ids = {request_id for request_id, _ in seen}
    smuggled = [name for name, (_, inner) in sent.items() if inner in ids]
    unknown = seen - passed_on(deployed)
    for each in (*twice, *smuggled, *unknown):
        print(f"     {each}")
    passed = sum(outer in ids for outer, _ in sent.values())
    yield at_least("variants sent", len(sent), VARIANTS)
    yield at_least("of these passed on, in nginx's words", passed, 1)
    yield exactly("with two answers", len(twice), 0)
    yield exactly("whose hidden request gunicorn saw", len(smuggled), 0)
    yield exactly("seen by gunicorn, not passed on by nginx", unknown.total(), 0)
    yield exactly("requests after them that got no answer of their own", astray, 0)


def exchange(gate, data, protocol):
    """Send data; return all that comes back until nginx hangs up or falls silent."""
    context = ssl.create_default_context(cafile=gate.certificate)
    context.set_alpn_protocols([protocol])
    received = b""
    with (
        socket.create_connection((gate.host, gate.port), timeout=10) as plain,
        context.wrap_socket(plain, server_hostname=HOST) as connection,
    ):
        connection.settimeout(QUIET)
        with contextlib.suppress(OSError):
            connection.sendall(data)
            while block := connection.recv(65536):
                received += block
    return received


def answers(received, protocol):
    if protocol == "h2":
        return sum(kind == HEADERS for kind in frame_kinds(received))
    # "100 Continue" is not the answer.
    return sum(status != b"100" for status in _STATUS.findall(received))


def gets_its_own(gate, request_id):
    """Return whether a harmless request gets the answer with its id."""
    client = Client(gate, Ledger())
    try:
        headers = {"X-Request-ID": request_id}
        answer = client.ask("GET", "/.well-known/security.txt", headers=headers)
    except Failed:
        return False
    finally:
        client.close()
    return answer.headers["X-Request-ID"] == request_id and b"Contact:" in answer.content


def seen_by_gunicorn(deployed):
    """Return the id and path of every request in the web machines' access logs."""
    lines = [
        json.loads(line)
        for web in deployed.webs
        for line in web.logs().splitlines()
        # The machines' own probes don't come through nginx.
        if '"gunicorn.access"' in line and '"/readyz"' not in line
    ]
    return Counter((str(line.get("request_id")), str(line["path"])) for line in lines)


def passed_on(deployed):
    """Return the id and path of every request that nginx has logged as passed on."""
    lines = [line for line in deployed.nginx.access_log() if line["upstream"]]
    return Counter((line["request_id"], line["path"]) for line in lines)


if __name__ == "__main__":
    sys.exit(main("deploy.drills.smuggling", __doc__, {"smuggling": smuggling}))
