"""Mail programs and people damage links. No log gets the token, wherever in the path it lands."""

import os
import re
import shutil
import socket
from urllib.parse import unquote

import pytest

from assessments.models.identity import new_url_secret
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


def installed(name, package):
    """Return the path of a server's program; skip if it is not installed."""
    program = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    if program is None:
        pytest.skip(f"{name} is not installed: apt-get install {package}")
    return program


def replace_all(text, changes):
    for word, replacement in changes.items():
        assert word in text
        text = text.replace(word, replacement)
    return text


@pytest.fixture
def nginx(service, tmp_path):
    """Start the shipped nginx in front of the service, over plain http."""
    program, port, folder = installed("nginx", "nginx-light"), free_port(), tmp_path / "nginx"
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
    file = tmp_path / "nginx.conf"
    file.write_text(replace_all(text, changes))
    server = Program(folder / "out")
    server.port, server.access_log = port, folder / "access.log"
    server.run([program, "-e", "stderr", "-c", str(file), "-g", "daemon off;"])
    server.wait_for_port(port)
    yield server
    server.stop()


@pytest.fixture
def caddy(service, tmp_path):
    """Start the shipped Caddy in front of the service, over plain http."""
    program, port, folder = installed("caddy", "caddy"), free_port(), tmp_path / "caddy"
    folder.mkdir()
    changes = {
        "http://{$NAME}, https://{$NAME} {": f"http://127.0.0.1:{port} {{",
        "web:8000": f"127.0.0.1:{service.port}",
        # Debian's Caddy is older than the image of compose.yaml.
        "request_buffers 5MB": "",
        "response_buffers 1MB": "",
    }
    file = tmp_path / "Caddyfile"
    file.write_text(replace_all((ROOT / "deploy" / "Caddyfile").read_text(), changes))
    server = Program(folder / "out")
    server.port, server.access_log = port, folder / "out"
    own = {"HOME": str(folder), "NAME": "127.0.0.1"}
    server.run(
        [program, "run", "--config", str(file), "--adapter", "caddyfile"], env=os.environ | own
    )
    server.wait_for_port(port)
    yield server
    server.stop()


def forms_of(token):
    """Return the token whole, cut, with surplus and escaped, each in parts that stay whole."""
    yield from (list(token)[: len(token) - cut] for cut in range(7))
    yield from (list(token + surplus) for surplus in (".", "aB3-_x9", "&utm=1"))
    yield [f"%{ord(character):02X}" for character in token]


def targets(token, key):
    """Yield a damaged address of a link, and of a private link, in each form and spelling."""
    for secret, name, page in ((token, "token", "assessment"), (key, "key", "result")):
        for form in forms_of(secret):
            for spelling in SPELLINGS:
                text = spelling.replace("token", name).replace("TOKEN", name.upper())
                yield text.replace("/assessment", f"/{page}").format(
                    t="".join(form), head="".join(form[:11]), tail="".join(form[11:])
                )


@pytest.mark.parametrize("proxy", ["nginx", "caddy"])
def test_no_log_has_a_part_of_the_token(request, service, proxy):
    proxy = request.getfixturevalue(proxy)
    secrets = new_url_secret(), new_url_secret()
    before, asked = len(service.logs()), list(targets(*secrets))

    for target in asked:
        assert sent(proxy.port, target).startswith("HTTP/1.1 ")

    def lines():
        texts = [file.read_text() for file in proxy.log.parent.iterdir() if file.is_file()]
        return [line for text in (service.logs()[before:], *texts) for line in text.splitlines()]

    until(lambda: sum('"gunicorn.access"' in line for line in lines()) == len(asked), 20)
    until(lambda: proxy.access_log.read_text().count('"status":') >= len(asked), 20)
    pieces = [secret[i : i + 6] for secret in secrets for i in range(len(secret) - 5)]
    assert [line for line in lines() if any(piece in unescape(line) for piece in pieces)] == []
    assert sum(PAGE in line for line in lines()) > 1


def unescape(line):
    """Return the line, with what was percent-encoded several times."""
    for _ in range(3):
        line += unquote(line)
    return line
