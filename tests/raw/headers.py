"""Headers that are no headers, that come twice, that speak for somebody else."""

from __future__ import annotations

from tests.raw.connection import Caller, Case
from tests.raw.lines import CLOSE, HOST, HTTP_1_0, call

HOSTS: dict[str, tuple[bytes, int]] = {
    "none": (b"", 200),  # Django then takes the address that gunicorn listens on
    "empty": (b"Host: \r\n", 400),
    "another": (b"Host: evil.example\r\n", 400),
    "ours as a part": (b"Host: 127.0.0.1.evil.example\r\n", 400),
    "ours as a user": (b"Host: 127.0.0.1@evil.example\r\n", 400),
    "with a user": (b"Host: a@127.0.0.1\r\n", 400),
    "with a path": (b"Host: 127.0.0.1/x\r\n", 400),
    "with a port": (b"Host: 127.0.0.1:1\r\n", 200),
    "with a port of letters": (b"Host: 127.0.0.1:http\r\n", 400),
    "with a dot after": (b"Host: 127.0.0.1.\r\n", 200),
    "twice": (HOST + b"Host: evil.example\r\n", 400),
    "twice the same": (HOST + HOST, 400),
    "two in a line": (b"Host: 127.0.0.1, evil.example\r\n", 400),
    "a space within": (b"Host: 127.0.0.1 evil.example\r\n", 400),
    "a tab within": (b"Host: 127.0.0.1\tx\r\n", 400),
    "a NUL": (b"Host: 127.0.0.1\x00\r\n", 400),
    "an underscore": (b"Host: a_b\r\n", 400),
    "half of an address": (b"Host: [::1\r\n", 400),
    "beyond ASCII": ("Host: कॉलेज\r\n".encode(), 400),
    "of 300 characters": (b"Host: " + b"a" * 300 + b"\r\n", 400),
    "with a colon in its name": (b"Host:: 127.0.0.1\r\n", 400),
    "folded": (b"Host:\r\n 127.0.0.1\r\n", 400),
    "everything": (b"Host: *\r\n", 400),
    "another, forwarded": (HOST + b"X-Forwarded-Host: evil.example\r\n", 200),
    "another, by Forwarded": (HOST + b"Forwarded: host=evil.example;proto=https\r\n", 200),
}
MORE: dict[str, tuple[bytes, int]] = {
    "no colon": (b"HeaderWithoutColon\r\n", 400),
    "no name": (b": value\r\n", 400),
    "a space in the name": (b"A B: c\r\n", 400),
    "a space before the colon": (b"X : y\r\n", 400),
    "a tab before the name": (b"\tX: y\r\n", 400),
    "folded": (b"X: y\r\n z\r\n", 400),
    "a NUL in the name": (b"X\x00: y\r\n", 400),
    "a NUL in the value": (b"X: y\x00z\r\n", 400),
    "a carriage return in the value": (b"X: y\rz\r\n", 400),
    "a line feed in the value": (b"X: y\nZ: z\r\n", 400),
    "a bell in the value": (b"X: \x07\r\n", 400),
    "an escape in the value": (b"User-Agent: \x1b[31m\r\n", 400),
    "a name beyond ASCII": ("Ä: y\r\n".encode(), 400),
    "a value beyond ASCII": ("X: ä\r\n".encode(), 200),
    "a value not UTF-8": (b"User-Agent: \xff\xfe\r\n", 200),
    "a line break, encoded": (b"X: %0d%0aSet-Cookie: a=b\r\n", 200),
    "a value of 8,000 bytes": (b"X: " + b"a" * 8000 + b"\r\n", 200),
    "a value of 9,000 bytes": (b"X: " + b"a" * 9000 + b"\r\n", 431),
    "a value of a megabyte": (b"X: " + b"a" * 1_000_000 + b"\r\n", 431),
    "90 headers": (b"".join(b"X-%d: y\r\n" % n for n in range(90)), 200),
    "200 headers": (b"".join(b"X-%d: y\r\n" % n for n in range(200)), 431),
    "10,000 headers": (b"".join(b"X-%d: y\r\n" % n for n in range(10_000)), 431),
    "another content type": (b"Content-Type: text/plain\r\n", 400),
    "the same content type": (b"Content-Type: application/json\r\n", 400),
    "an underscore in a name": (b"Content_Type: text/plain\r\n", 200),
    "a session that is none": (b"Cookie: sessionid=%00\r\n", 200),
    "a cookie not UTF-8": (b"Cookie: attempt=\xff\xfe; csrftoken=\xff\r\n", 200),
    "cookies of nothing": (b"Cookie: ;;=;=;a;\r\n", 200),
    "500 cookies": (b"Cookie: " + b"a=b; " * 500 + b"\r\n", 200),
    "a language not ASCII": (b"Accept-Language: \xff,;q=\xff\r\n", 200),
    "800 languages": (b"Accept-Language: " + b"en," * 800 + b"\r\n", 200),
    "an Accept of 4,000 bytes": (b"Accept: " + b"*/*;q=0.1," * 400 + b"\r\n", 200),
    "an Accept of nothing": (b"Accept: ;;;,,,\r\n", 200),
    "a date that is none": (b"If-Modified-Since: yesterday\r\n", 200),
    "a tag that is none": (b'If-None-Match: "\xff"\r\n', 200),
    "a range": (b"Range: bytes=0-0,0-0,-1\r\n", 200),
    "another authorization": (b"Authorization: Basic ///\r\n", 200),
    "an upgrade to HTTP/2": (b"Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n", 200),
    "an upgrade to a socket": (b"Upgrade: websocket\r\nSec-WebSocket-Key: x\r\n", 200),
    "a proxy": (b"Proxy: http://evil.example\r\n", 200),
    "another method": (b"X-HTTP-Method-Override: DELETE\r\n", 200),
    "another path": (b"X-Original-URL: /admin/\r\nX-Rewrite-URL: /admin/\r\n", 200),
    "another script": (b"SCRIPT_NAME: /admin\r\nScript-Name: /admin\r\n", 200),
    "the secret as hop by hop": (b"Connection: X-Access-Token\r\n", 200),
    "an address that is none": (b"X-Forwarded-For: \x7f,,;DROP TABLE\r\n", 400),
    "a long way": (b"X-Forwarded-For: " + b"10.0.0.1, " * 500 + b"\r\n", 200),
    "a scheme": (b"X-Forwarded-Proto: https\r\n", 200),
    "a scheme that is none": (b"X-Forwarded-Proto: ://\r\nX-Scheme: \xff\r\n", 200),
    "an id with a blank": (b"X-Request-ID: a b c d e f\r\n", 200),
    "an id not ASCII": (b"X-Request-ID: \xff\xff\xff\xff\xff\xff\xff\xff\r\n", 200),
    "an id of 5,000": (b"X-Request-ID: " + b"a" * 5000 + b"\r\n", 200),
    "two ids": (b"X-Request-ID: aaaaaaaa\r\nX-Request-ID: bbbbbbbb\r\n", 200),
    "an origin": (b"Origin: https://evil.example\r\n", 200),
    "a preflight": (b"Access-Control-Request-Method: POST\r\n", 200),
}
TYPES: dict[str, bytes] = {
    "none": b"",
    "empty": b"Content-Type: \r\n",
    "text": b"Content-Type: text/plain\r\n",
    "a form": b"Content-Type: application/x-www-form-urlencoded\r\n",
    "in parts": b"Content-Type: multipart/form-data; boundary=x\r\n",
    "in parts, a long end": b"Content-Type: multipart/form-data; boundary=%b\r\n" % (b"x" * 300),
    "UTF-16": b"Content-Type: application/json; charset=utf-16\r\n",
    "a codec that is no charset": b"Content-Type: application/json; charset=rot13\r\n",
    "a charset that is none": b"Content-Type: application/json; charset=\xff\r\n",
    "two charsets": b"Content-Type: application/json; charset=utf-8; charset=utf-16\r\n",
    "an encoded parameter": b"Content-Type: application/json; x*=nope''a\r\n",
    "1,000 parameters": b"Content-Type: application/json" + b";a=b" * 1000 + b"\r\n",
    "nothing but signs": b"Content-Type: ;;;=;/\r\n",
}


def credentials(caller: Caller) -> dict[str, tuple[bytes, int]]:
    """Return lines in place of the credential's, and the answers."""
    good = caller.credential
    token_id, _, secret = good.partition(b":")
    name = b"X-Access-Token: "
    return {
        "none": (b"", 401),
        "empty": (name + b"\r\n", 401),
        "a blank": (name + b"   \r\n", 401),
        "in small letters": (b"x-access-token: " + good + b"\r\n", 200),
        "blanks around": (name + b"  " + good + b" \t\r\n", 200),
        "no blank before": (b"X-Access-Token:" + good + b"\r\n", 200),
        "an underscore in its name": (b"X_Access_Token: " + good + b"\r\n", 401),
        "twice": (name + good + b"\r\n" + name + good + b"\r\n", 401),
        "a bad one, then it": (name + b"x\r\n" + name + good + b"\r\n", 401),
        "it, then a bad one": (name + good + b"\r\n" + name + b"x\r\n", 401),
        "two in a line": (name + good + b", " + good + b"\r\n", 401),
        "in quotes": (name + b'"' + good + b'"\r\n', 401),
        "as a bearer": (name + b"Bearer " + good + b"\r\n", 401),
        "as authorization": (b"Authorization: Bearer " + good + b"\r\n", 401),
        "as a cookie": (b"Cookie: X-Access-Token=" + good + b"\r\n", 401),
        "the parts exchanged": (name + secret + b":" + token_id + b"\r\n", 401),
        "only the id": (name + token_id + b"\r\n", 401),
        "only the secret": (name + secret + b"\r\n", 401),
        "a colon more": (name + good + b":\r\n", 401),
        "the colon encoded": (name + token_id + b"%3A" + secret + b"\r\n", 401),
        "in capitals": (name + good.upper() + b"\r\n", 401),
        "one letter short": (name + good[:-1] + b"\r\n", 401),
        "another id": (name + b"tok_" + b"A" * 16 + b":" + secret + b"\r\n", 401),
        "an id of SQL": (name + b"tok_' OR 1=1 --:" + secret + b"\r\n", 401),
        "not UTF-8": (name + b"\xff:\xfe\r\n", 401),
        "beyond ASCII": (name + "tok_९९९९९९९९९९९९९९९९:".encode() + secret + b"\r\n", 401),
        "a NUL within": (name + token_id + b"\x00:" + secret + b"\r\n", 400),
        "folded": (name + token_id + b":\r\n " + secret + b"\r\n", 400),
        "8,000 colons": (name + b":" * 8000 + b"\r\n", 401),
    }


def of(caller: Caller) -> list[Case]:
    """Return all cases of headers."""
    usual_type = b"Content-Type: application/json\r\n"
    usual_credential = b"X-Access-Token: %b\r\n" % caller.credential
    whole = call(caller)
    cases = [
        Case(f"host: {name}", call(caller, host=host), (status,))
        for name, (host, status) in HOSTS.items()
    ]
    cases += [
        Case(f"header: {name}", call(caller, more=more), (status,))
        for name, (more, status) in MORE.items()
    ]
    cases += [
        Case(f"type: {name}", whole.replace(usual_type, line), (400,))
        for name, line in TYPES.items()
    ]
    cases += [
        Case(f"credential: {name}", whole.replace(usual_credential, line), (status,))
        for name, (line, status) in credentials(caller).items()
    ]
    return [
        *cases,
        Case("host: none, HTTP/1.0", call(caller, line=HTTP_1_0, host=b""), (200,)),
        Case("header: kept alive", whole.replace(CLOSE, b"Connection: keep-alive\r\n"), (200,)),
    ]
