"""The first line of a request: its method, its target, its version, its end."""

from __future__ import annotations

from tests.raw.connection import NOTHING, Caller, Case

PATH = b"/partner/get-assessments-info"
HOST = b"Host: 127.0.0.1\r\n"
CLOSE = b"Connection: close\r\n"
HTTP_1_0 = b"POST " + PATH + b" HTTP/1.0\r\n"
TLS_HELLO = bytes.fromhex("16030100c8010000c40303") + bytes(range(190))


def call(
    caller: Caller,
    *,
    line: bytes = b"POST " + PATH + b" HTTP/1.1\r\n",
    host: bytes = HOST,
    more: bytes = b"",
    body: bytes | None = None,
    length: bytes | None = None,
) -> bytes:
    """Return a good call of the results operation, one part of it exchanged."""
    content = caller.results_body if body is None else body
    length = b"Content-Length: %d\r\n" % len(content) if length is None else length
    return (
        line
        + host
        + CLOSE
        + b"Content-Type: application/json\r\n"
        + b"X-Access-Token: %b\r\n" % caller.credential
        + length
        + more
        + b"\r\n"
        + content
    )


LINES: dict[str, tuple[bytes, int]] = {
    "as it should be": (b"POST " + PATH + b" HTTP/1.1\r\n", 200),
    "HTTP/1.0": (HTTP_1_0, 200),
    "empty lines before": (b"\r\n\r\nPOST " + PATH + b" HTTP/1.1\r\n", 400),
    "two spaces": (b"POST  " + PATH + b" HTTP/1.1\r\n", 400),
    "two spaces before the version": (b"POST " + PATH + b"  HTTP/1.1\r\n", 400),
    "a space before": (b" POST " + PATH + b" HTTP/1.1\r\n", 400),
    "a space after": (b"POST " + PATH + b" HTTP/1.1 \r\n", 400),
    "tabs": (b"POST\t" + PATH + b"\tHTTP/1.1\r\n", 400),
    "no version": (b"POST " + PATH + b"\r\n", 400),
    "no target": (b"POST HTTP/1.1\r\n", 400),
    "only a method": (b"POST\r\n", 400),
    "a word more": (b"POST " + PATH + b" x HTTP/1.1\r\n", 400),
    "HTTP/0.9": (b"POST " + PATH + b" HTTP/0.9\r\n", 400),
    "HTTP/1.2": (b"POST " + PATH + b" HTTP/1.2\r\n", 200),
    "HTTP/1.10": (b"POST " + PATH + b" HTTP/1.10\r\n", 400),
    "HTTP/2.0": (b"POST " + PATH + b" HTTP/2.0\r\n", 400),
    "HTTP/-1": (b"POST " + PATH + b" HTTP/-1\r\n", 400),
    "http/1.1": (b"POST " + PATH + b" http/1.1\r\n", 400),
    "HTTPS/1.1": (b"POST " + PATH + b" HTTPS/1.1\r\n", 400),
    "RTSP/1.0": (b"POST " + PATH + b" RTSP/1.0\r\n", 400),
    "a NUL in the version": (b"POST " + PATH + b" HTTP/1.1\x00\r\n", 400),
    "a NUL in the line": (b"POST \x00" + PATH + b" HTTP/1.1\r\n", 400),
    "a line feed alone": (b"POST " + PATH + b" HTTP/1.1\n", 400),
    "a carriage return alone": (b"POST " + PATH + b" HTTP/1.1\r", 400),
    "a bell": (b"POST " + PATH + b"\x07 HTTP/1.1\r\n", 400),
    "a line of 5,000 bytes": (b"POST " + PATH + b"?" + b"a" * 5000 + b" HTTP/1.1\r\n", 414),
    "a line of 100,000 bytes": (b"POST " + PATH + b"?" + b"a" * 100_000 + b" HTTP/1.1\r\n", 414),
    "the method in small letters": (b"post " + PATH + b" HTTP/1.1\r\n", 400),
    "the method in mixed letters": (b"PoST " + PATH + b" HTTP/1.1\r\n", 400),
    "a method of punctuation": (b"(!) " + PATH + b" HTTP/1.1\r\n", 400),
    "a method of 300 letters": (b"X" * 300 + b" " + PATH + b" HTTP/1.1\r\n", 400),
    "a method beyond ASCII": (b"P\xc3\x96ST " + PATH + b" HTTP/1.1\r\n", 400),
    "two methods": (b"GET,POST " + PATH + b" HTTP/1.1\r\n", 400),
    "a NUL after the method": (b"POST\x00 " + PATH + b" HTTP/1.1\r\n", 400),
    "GET": (b"GET " + PATH + b" HTTP/1.1\r\n", 405),
    "HEAD": (b"HEAD " + PATH + b" HTTP/1.1\r\n", 405),
    "TRACE": (b"TRACE " + PATH + b" HTTP/1.1\r\n", 405),
    "OPTIONS": (b"OPTIONS " + PATH + b" HTTP/1.1\r\n", 405),
    "M-SEARCH": (b"M-SEARCH " + PATH + b" HTTP/1.1\r\n", 405),
    "PROPFIND": (b"PROPFIND " + PATH + b" HTTP/1.1\r\n", 405),
    "QUERY": (b"QUERY " + PATH + b" HTTP/1.1\r\n", 405),
    "CONNECT to the call": (b"CONNECT " + PATH + b" HTTP/1.1\r\n", 405),
}
# Not even the beginning of a request of ours.
STRANGERS: dict[str, tuple[bytes, tuple[int, ...]]] = {
    "nothing": (b"", NOTHING),
    "an empty line": (b"\r\n", NOTHING),
    "a TLS hello": (TLS_HELLO, (400,)),
    "the preface of HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", (400,)),
    "ssh": (b"SSH-2.0-OpenSSH_9.2\r\n", (400,)),
    "smtp": (b"EHLO evil.example\r\n", (400,)),
    "redis": (b"*1\r\n$4\r\nPING\r\n", (400,)),
    "the proxy protocol": (b"PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\nGET / HTTP/1.1\r\n\r\n", (400,)),
    "zeros": (b"\x00" * 10_000, (414,)),
    "bytes": (bytes(range(256)) * 40, (400,)),
}
TARGETS: dict[str, tuple[bytes, int]] = {
    "of the whole address": (b"http://127.0.0.1" + PATH, 200),
    "of another host": (b"http://evil.example" + PATH, 200),
    "of another scheme": (b"ftp://127.0.0.1" + PATH, 200),
    "of https": (b"https://127.0.0.1" + PATH, 200),
    "two slashes": (b"/" + PATH, 404),
    "three slashes": (b"//" + PATH, 404),
    "two slashes within": (b"/partner//get-assessments-info", 404),
    "a slash after": (PATH + b"/", 404),
    "no slash before": (PATH[1:], 400),
    "a dot": (b"/partner/./get-assessments-info", 404),
    "dots out of partner": (b"/partner/../admin/", 404),
    "dots, encoded": (b"/partner/%2e%2e/admin/", 404),
    "dots and a backslash": (b"/partner/..\\admin/", 404),
    "a semicolon": (PATH + b";a=b", 404),
    "a slash, encoded": (b"/partner%2Fget-assessments-info", 200),
    "a letter, encoded": (b"/partner/get%2dassessments-info", 200),
    "encoded twice": (b"/partner/get%252dassessments-info", 404),
    "a NUL, encoded": (PATH + b"%00", 404),
    "a line break, encoded": (PATH + b"%0d%0aX:%20y", 404),
    "half of an encoding": (PATH + b"%", 404),
    "no encoding": (PATH + b"%zz", 404),
    "not UTF-8": (PATH + b"%ff%fe", 404),
    "of an old encoding": (PATH + b"%u0041", 404),
    "beyond ASCII": ("/partner/परिणाम".encode(), 400),
    "latin-1": (b"/partner/\xe9", 400),
    "a fragment": (PATH + b"#x", 200),
    "a query": (PATH + b"?a=%ff&b=%00&c", 200),
    "a query of nothing": (PATH + b"?", 200),
    "a query of 1,500 fields": (PATH + b"?" + b"a&" * 1500, 200),
    "partner": (b"/partner", 404),
    "partner and a slash": (b"/partner/", 404),
}
# Beside /partner/: what answers is a page.
ELSEWHERE: dict[str, tuple[bytes, int]] = {
    "of no scheme": (b"//127.0.0.1" + PATH, 404),
    "dots": (b"/x/.." + PATH, 404),
    "a backslash": (b"/partner\\get-assessments-info", 404),
    "in capitals": (PATH.upper(), 404),
    "a line break after partner": (b"/partner%0A", 404),
    "overlong": (b"/partner%c0%afget-assessments-info", 404),
    "a page": (b"/nothing", 404),
    "a page, its path not UTF-8": (b"/%ff/assessment", 404),
    "a file beside the static files": (b"/static/../manage.py", 404),
    "the same, encoded": (b"/static/%2e%2e/%2e%2e/etc/passwd", 404),
    "a file of the machine": (b"/static//etc/passwd", 404),
    "a static file with a NUL": (b"/static/%00", 404),
    "a page of staff": (b"/admin/%2e%2e/partner/x", 403),
}


def of(caller: Caller) -> list[Case]:
    """Return all cases of first lines."""
    cases = [
        Case(f"line: {name}", call(caller, line=line), (status,))
        for name, (line, status) in LINES.items()
    ]
    cases += [
        Case(f"stranger: {name}", sent, statuses) for name, (sent, statuses) in STRANGERS.items()
    ]
    for targets, is_page in ((TARGETS, False), (ELSEWHERE, True)):
        for name, (target, status) in targets.items():
            sent = call(caller, line=b"POST " + target + b" HTTP/1.1\r\n")
            cases.append(Case(f"target: {name}", sent, (status,), is_page))
    return cases
