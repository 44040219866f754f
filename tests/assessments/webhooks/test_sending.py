"""One call: to a checked address, within its time, without redirects."""

import errno
import socket
import ssl
import subprocess
import time
from datetime import timedelta
from email.utils import format_datetime
from itertools import chain, repeat
from urllib.parse import urlsplit

import anyio
import pytest
from django.test import override_settings
from django.utils import timezone

from assessments.webhooks import sender
from assessments.webhooks.endpoints import is_public
from assessments.webhooks.sender import SendResult, send
from tests.support.receiver import drip, hang, listening, status

HEADERS = {"webhook-id": "msg_1", "webhook-timestamp": "1", "webhook-signature": "v1,x"}


def post(url, seconds=5):
    return send(url, HEADERS, '{"type":"webhook.test"}', seconds)


def raising(error):
    def fail(*_, **__):
        raise error

    return fail


@pytest.fixture
def receiver():
    with listening() as receiver:
        yield receiver


def resolving(monkeypatch, *addresses):
    """Let every name lead to these addresses; return the connections that are tried."""
    tried = []

    async def connect(remote_host, remote_port, **_):
        tried.append((remote_host, remote_port))
        raise ConnectionRefusedError

    def look_up(host, port, **kind):
        return [(0, 0, 0, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(anyio, "connect_tcp", connect)
    return tried


@pytest.mark.parametrize(
    ("code", "error"),
    [
        *((200, ""), (204, ""), (299, ""), (301, "redirect"), (308, "redirect")),
        *((400, "status"), (410, "status"), (429, "status"), (503, "status")),
    ],
)
def test_only_2xx_is_success_without_redirects(receiver, code, error):
    with listening() as other:
        receiver.answer = status(code, Location=other.url)

        assert post(receiver.url) == SendResult(code, error)
        assert other.calls == []


@pytest.mark.parametrize("slow", [hang(3), drip(3)], ids=["hangs", "drips"])
def test_a_slow_receiver_is_given_up_at_the_deadline(receiver, slow):
    receiver.answer = slow
    began = time.monotonic()

    assert post(receiver.url, seconds=0.5) == SendResult(None, "timeout")
    assert time.monotonic() - began < 1.5


def test_another_protocol_nobody_listening_and_an_error_of_this_machine_are_failures(
    receiver, monkeypatch
):
    receiver.answer = lambda handler: handler.wfile.writelines([b"SSH-2.0-OpenSSH\r\n"])
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

    assert post(receiver.url) == SendResult(None, "answer")
    assert post(f"http://127.0.0.1:{port}/") == SendResult(None, "connection")
    no_file = raising(OSError(errno.EMFILE, "Too many open files"))
    monkeypatch.setattr(anyio, "connect_tcp", no_file)
    assert post(receiver.url) == SendResult(None, "connection")


def raw(*parts):
    return lambda handler: handler.wfile.writelines(parts)


OK = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    "answer",
    [
        raw(b"HTTP/1.1 102 Processing\r\n\r\n", OK, b"\r\n"),
        raw(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", OK, b"\r\n"),
        raw(OK, *(b"X-%d: 1\r\n" % number for number in range(120)), b"\r\n"),
        raw(OK, b"X-Long: ", b"a" * 65_000, b"\r\n\r\n"),
        lambda handler: handler.wfile.writelines(chain([OK, b"\r\n"], repeat(b"a" * 1000))),
    ],
    ids=["102", "103", "120 headers", "a header of 64 kB", "a body without end"],
)
def test_a_success_is_one_whatever_comes_before_or_beside_it(receiver, answer):
    receiver.answer = answer

    assert post(receiver.url) == SendResult(200)


def test_the_pause_that_a_receiver_asks_for_is_read(receiver):
    for header, seconds in (
        *(("120", 120), ("0", 0), ("7200", 3600), ("999999999", 3600), ("-1", 0), ("soon", 0)),
        ("1" * 5000, 0),
    ):
        receiver.answer = status(429, **{"Retry-After": header})
        assert post(receiver.url) == SendResult(429, "status", timedelta(seconds=seconds))
    for hours, least in ((1, 3500), (-1, 0), (10**4, 3600)):
        until = format_datetime(timezone.now() + timedelta(hours=hours), usegmt=True)
        receiver.answer = status(503, **{"Retry-After": until})
        assert least <= post(receiver.url).retry_after.total_seconds() <= max(0, hours) * 3600


@pytest.mark.parametrize("host", ["[2606:4700::abcd]", "[2606:4700::abcd]:443", "8.8.8.8"])
def test_an_address_in_place_of_a_name_is_reached(monkeypatch, host):
    real = socket.getaddrinfo
    tried = resolving(monkeypatch, "127.0.0.1")
    monkeypatch.setattr(socket, "getaddrinfo", real)

    assert post(f"https://{host}/x") == SendResult(None, "connection")
    assert tried == [(host.removesuffix(":443").strip("[]"), 443)]


def test_the_next_address_of_a_name_is_tried_and_no_proxy(monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    tried = resolving(monkeypatch, "8.8.8.8", "8.8.4.4")

    assert post("https://hooks.example.com/x") == SendResult(None, "connection")
    assert [address for address, _ in tried] == ["8.8.8.8", "8.8.4.4"]


PUBLIC = ["8.8.8.8", "13.107.42.14", "2606:4700::1111", "2a00:1450::1"]


@pytest.mark.parametrize(
    "address",
    [
        *PUBLIC,
        *("127.0.0.1", "127.255.0.9", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255"),
        *("192.168.1.1", "169.254.169.254", "100.64.0.1", "192.0.0.8", "192.0.2.1", "198.18.0.1"),
        *("198.51.100.7", "203.0.113.7", "192.88.99.1", "224.0.0.1", "239.255.255.250"),
        *("240.0.0.1", "255.255.255.255"),
        *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "fec0::1", "ff02::1"),
        *("::ffff:127.0.0.1", "::ffff:8.8.8.8", "::8.8.8.8", "::ffff:0:8.8.8.8"),
        *("64:ff9b::808:808", "64:ff9b:1::1", "2002:7f00:1::", "2002:808:808::1"),
        *("2001::1", "2001:0:53aa:64c::1", "2001:10::1", "2001:20::1", "2001:db8::1", "3fff::1"),
        *("2606:4700::1111%1", "100::1", "5f00::1", "4000::1", "", "localhost", "8.8.8.8/32", "1"),
    ],
)
def test_only_public_addresses_are_allowed(address):
    assert is_public(address) is (address in PUBLIC)


@pytest.mark.parametrize(
    "addresses", [["127.0.0.1"], ["169.254.169.254"], ["::ffff:10.0.0.1"], ["8.8.8.8", "10.0.0.1"]]
)
def test_a_name_that_leads_inside(monkeypatch, addresses):
    tried = resolving(monkeypatch, *addresses)
    assert (post("https://hooks.example.com/x"), tried) == (SendResult(None, "address"), [])


@override_settings(WEBHOOK_TEST_RECEIVER=False)
def test_only_public_https_is_allowed(monkeypatch):
    real = socket.getaddrinfo
    tried = resolving(monkeypatch, "8.8.8.8")
    for url in (
        *("http://hooks.example.com/", "https://hooks.example.com:8443/"),
        *("https://user:word@hooks.example.com/", "https://127.0.0.1/", "https://[::1]/"),
        *("https://2130706433/", "https://0x7f.1/", "https://localhost/", "http://127.0.0.1:9/"),
    ):
        if "example.com" not in url:
            monkeypatch.setattr(socket, "getaddrinfo", real)
        assert (post(url), tried) == (SendResult(None, "address"), []), url


def test_a_name_that_does_not_resolve(monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", raising(socket.gaierror()))

    assert post("https://hooks.example.com/x") == SendResult(None, "resolve")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """Give a file with a key and a certificate for hooks.example.com that it signed itself."""
    file = tmp_path_factory.mktemp("tls") / "both.pem"
    options = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
    names = ["-subj", "/CN=hooks.example.com", "-addext", "subjectAltName=DNS:hooks.example.com"]
    key = file.with_name("key.pem")
    command = ["openssl", *options.split(), *names, "-keyout", str(key), "-out", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    with file.open("a") as both:
        both.write(key.read_text())
    return file


@pytest.mark.parametrize(
    ("host", "trusted", "error"),
    [
        ("hooks.example.com:443", True, ""),
        ("hooks.example.com.", True, ""),
        ("hooks.example.com", False, "tls"),  # an unknown issuer
        ("other.example.com", True, "tls"),  # a certificate for another name
    ],
)
def test_a_call_goes_to_a_trusted_certificate_of_the_name_only(
    monkeypatch, certificate, host, trusted, error
):
    """Sends to a TLS server on loopback that public DNS seems to name."""
    context, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    context.load_cert_chain(certificate)
    named = []
    context.sni_callback = lambda connection, name, _: named.append(name)
    if trusted:
        client.load_verify_locations(certificate)
    real = anyio.connect_tcp
    resolving(monkeypatch, "8.8.8.8")
    monkeypatch.setattr(sender, "_tls", lambda: client)
    with listening(tls=context) as receiver:

        async def connect(remote_host, remote_port, **options):
            assert (remote_host, remote_port) == ("8.8.8.8", 443)
            return await real("127.0.0.1", urlsplit(receiver.url).port, **options)

        monkeypatch.setattr(anyio, "connect_tcp", connect)
        outcome = post(f"https://{host}/x")

    name = host.partition(":")[0].removesuffix(".")
    assert named == [name]
    assert outcome == (SendResult(None, error) if error else SendResult(204))
    hosts = [call.headers["host"] for call in receiver.calls]
    assert hosts == ([] if error else [name])
