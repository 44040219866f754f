"""Mail programs and people damage links. No log gets the token, wherever in the path it lands."""

import re
import secrets
import shutil
import socket

import pytest

from tests.support.databases import free_port
from tests.support.programs import ROOT, Program, until

pytestmark = pytest.mark.slow

PAGE = "/prj_0123456789abcdef/assessment"
# {t} is the token, {head} and {tail} its two halves.
SPELLINGS = [
    PAGE + damaged
    for damaged in (
        # the question mark: encoded once and more, lost, or another character
        *("?token={t}", "%3Ftoken={t}", "%3ftoken%3D{t}", "%253Ftoken%253D{t}", "%25253Ftoken={t}"),
        *("token={t}", "&token={t}", "%26token={t}", "&amp;token={t}", "&%3Btoken={t}"),
        *("/token={t}", "/?token={t}", "/%3Ftoken={t}", "//token={t}", ";token={t}", "!token={t}"),
        *("%20?token={t}", "%20token={t}", "%C2%A0token={t}", "%EF%BC%9Ftoken={t}", "%0Atoken={t}"),
        *("%5C?token={t}", "%5Ctoken={t}", "%3C?token={t}", "#token={t}", "%23token={t}", "??{t}"),
        # the name of the parameter, or its equals sign
        *("&TOKEN={t}", "%3F%74oken={t}", "&token%253D{t}", "&token:{t}", "&token={t}&token={t}"),
        *("/token/{t}", "/{t}", "%2F{t}", "{t}", "&t={t}"),
        # the token: broken over two lines, quoted-printable, with what stood behind it
        *("&token=3D{t}", "&token={head}=%0D%0A{tail}", "&token={head}%20{tail}"),
        *("&token={t}%22%3Ehttps", "&token={t}.", "%3Ftoken=%3C{t}%3E"),
    )
]


def sent(port, target):
    """Send a GET of the target as it is; return the first line of the answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as peer:
        head = f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        peer.sendall(head.encode())
        with peer.makefile("rb") as answer:
            return answer.readline().decode()


@pytest.fixture
def nginx(service, tmp_path):
    """Start the shipped nginx in front of the service, over plain http."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin")
    if program is None:
        pytest.skip("nginx is not installed: apt-get install nginx-light")
    port, folder = free_port(), tmp_path / "nginx"
    folder.mkdir()
    text = (ROOT / "deploy" / "nginx.conf").read_text()
    text = re.sub(r"^ *(listen (443|\[)|ssl_).*\n", "", text, flags=re.MULTILINE)
    own = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("fastcgi", "uwsgi", "scgi"))
    changes = {
        "listen 80": f"listen 127.0.0.1:{port}",
        "10.0.0.11:8000": f"127.0.0.1:{service.port}",
        "10.0.0.12:8000": f"127.0.0.1:{service.port}",
        "assess.example.com": "127.0.0.1",
        "/run/nginx.pid": f"{folder}/pid",
        "/var/log/nginx": str(folder),
        "/var/lib/nginx": str(folder),
        "http {\n": f"http {{\n{own}",
    }
    for word, replacement in changes.items():
        assert word in text
        text = text.replace(word, replacement)
    file = tmp_path / "nginx.conf"
    file.write_text(text)
    server = Program(folder / "out")
    server.port = port
    server.run([program, "-e", "stderr", "-c", str(file), "-g", "daemon off;"])
    server.wait_for_port(port)
    yield server
    server.stop()


def test_no_log_has_a_part_of_the_token(service, nginx, tmp_path):
    token = secrets.token_urlsafe(32)
    before = len(service.logs())

    for spelling in SPELLINGS:
        target = spelling.format(t=token, head=token[:21], tail=token[21:])
        for port in (service.port, nginx.port):
            assert sent(port, target).startswith("HTTP/1.1 ")

    access_log = tmp_path / "nginx" / "access.log"
    until(lambda: access_log.read_text().count("\n") == len(SPELLINGS), 10)
    until(lambda: service.logs()[before:].count('"gunicorn.access"') == 2 * len(SPELLINGS), 10)
    logs = [file.read_text() for file in (tmp_path / "nginx").iterdir() if file.is_file()]
    lines = [service.logs()[before:], *logs]
    lines = [line for log in lines for line in log.splitlines()]
    pieces = [token[start : start + 6] for start in range(len(token) - 5)]
    assert [line for line in lines if any(piece in line for piece in pieces)] == []
    assert sum(PAGE in line for line in lines) > 1
