"""Headers: whose address and scheme a request has, and what every answer carries."""

import pytest
from django.core.checks import run_checks
from django.http import HttpResponse
from django.test import Client, RequestFactory

from config import middleware
from config.middleware import request_context

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.config.probe_urls")]

HTTPS = {"HTTP_X_FORWARDED_PROTO": "https"}


@pytest.fixture
def on_https(settings):
    settings.SECURE_COOKIES = settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_HSTS_SECONDS = 60
    settings.TRUSTED_PROXY_COUNT = 1
    return settings


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/healthz", {"HTTP_HOST": "10.1.2.3"}, 200),
        ("POST", "/healthz", {}, 405),
        ("POST", "/readyz", {}, 405),
        ("GET", "/readyz", {}, 200),
        ("POST", "/partner/echo", {}, 400),
        ("POST", "/partner/nothing", HTTPS, 404),
        ("GET", "/form", {}, 301),
        ("GET", "/form", {"HTTP_HOST": "evil.example"}, 400),
        ("POST", "/form", {"CONTENT_LENGTH": "5242881"}, 400),
        ("GET", "/form", HTTPS, 200),
        ("POST", "/form", HTTPS, 403),
        ("GET", "/nothing", HTTPS, 404),
        ("GET", "/crash", HTTPS, 500),
        ("GET", "/forbidden", HTTPS, 403),
        ("GET", "/docs/", HTTPS, 200),
        ("GET", "/openapi.json", HTTPS, 200),
        ("GET", "/admin/", HTTPS, 302),
        ("GET", "/admin/login/", HTTPS, 200),
        ("GET", "/static/student.css", HTTPS, 200),
    ],
)
def test_every_kind_of_answer_has_every_header(on_https, method, path, headers, status):
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)

    response = client.generic(method, path, **headers)

    assert response.status_code == status
    assert "default-src 'none'; object-src 'none'" in response.headers["Content-Security-Policy"]
    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "strict-origin"
    assert response.headers["X-Request-ID"]
    if path.startswith(("/static/", "/docs/", "/openapi")):
        assert "max-age" in response.headers["Cache-Control"]
        assert "no-store" not in response.headers["Cache-Control"]
    else:
        assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.parametrize(
    ("path", "encoding"),
    [
        *(("/docs/", "gzip"), ("/openapi.json", "gzip")),
        *(("/admin/login/", None), ("/partner/nothing", None)),
    ],
)
def test_a_compressed_answer_has_a_random_length(client, path, encoding):
    answers = [client.get(path, headers={"Accept-Encoding": "gzip"}) for _ in range(9)]

    assert {each.headers.get("Content-Encoding") for each in answers} == {encoding}
    assert (len({len(each.content) for each in answers}) > 1) is (encoding == "gzip")


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    ("path", "proxies", "headers"),
    [("/partner/echo", 1, {}), ("/partner/nothing", 1, {}), ("/partner/echo", 0, HTTPS)],
)
def test_the_api_over_http_is_refused_not_redirected(
    on_https, client, path, method, proxies, headers
):
    on_https.TRUSTED_PROXY_COUNT = proxies

    response = client.generic(method, path, content_type="application/json", **headers)

    assert (response.status_code, response.json()["code"]) == (400, "https_required")
    assert response.headers["Cache-Control"] == "no-store"
    assert "Location" not in response.headers


@pytest.mark.parametrize(
    ("given", "is_kept"),
    [
        *((text, True) for text in ("order-4711.a_b", "a" * 8, "a" * 64)),
        *(
            (text, False)
            for text in ("", "a" * 7, "a" * 65, "a b c d e f", "<script>1", "añadidos1")
        ),
    ],
)
def test_a_suitable_request_id_of_the_caller_is_kept(client, given, is_kept):
    first, second = [client.get("/partner/nothing", HTTP_X_REQUEST_ID=given) for _ in range(2)]

    found = first.headers["X-Request-ID"]
    assert first.json()["requestId"] == found
    assert (found == given) is (found == second.headers["X-Request-ID"]) is is_kept
    assert is_kept or len(found) == 32


PEER = "10.0.0.9"


def seen(path="/", **meta):
    """Return a request with these headers, and no other, as the views get it."""
    requests = []

    def view(request):
        requests.append(request)
        return HttpResponse()

    given = {name: text for name, text in meta.items() if text is not None}
    request_context(view)(RequestFactory().get(path, **{"REMOTE_ADDR": PEER, **given}))
    return requests[0]


@pytest.mark.parametrize(
    ("proxies", "forwarded_for", "expected"),
    [
        (0, "1.2.3.4, 5.6.7.8", PEER),
        (1, "1.2.3.4", "1.2.3.4"),
        (1, " 6.6.6.6 ,1.2.3.4 ", "1.2.3.4"),
        (2, "6.6.6.6, 1.2.3.4, 10.0.0.1", "1.2.3.4"),
        (2, "1.2.3.4", "1.2.3.4"),
        (2, None, PEER),
        (1, "1.2.3.4:5678", "1.2.3.4"),
        (1, "[2001:DB8::1]:5678", "2001:db8::1"),
        (1, "::ffff:1.2.3.4", "1.2.3.4"),
        (1, "fe80::1%eth0", "fe80::1"),
        (1, '"1.2.3.4"', "1.2.3.4"),
        *(
            (1, text, "unknown")
            for text in ("unknown", "1.2.3.4, ", "<script>", "1.2.3.4\n5.6.7.8", "9" * 5000)
        ),
    ],
)
def test_the_address_is_the_one_the_outermost_trusted_proxy_saw(
    settings, proxies, forwarded_for, expected
):
    settings.TRUSTED_PROXY_COUNT = proxies

    assert seen(HTTP_X_FORWARDED_FOR=forwarded_for).client_address == expected


@pytest.mark.parametrize(
    ("proxies", "proto", "secure"),
    [
        (0, "https", False),
        (1, "https", True),
        (1, "https, http", False),
        (1, "http, HTTPS", True),
        (2, "https, http", True),
        (2, "https", True),
        (1, None, False),
    ],
)
def test_the_scheme_comes_from_the_same_hop(settings, proxies, proto, secure):
    settings.TRUSTED_PROXY_COUNT = proxies

    assert seen(HTTP_X_FORWARDED_PROTO=proto).is_secure() is secure


@pytest.mark.parametrize(
    ("proxies", "on_https", "proto", "is_explained"),
    [
        (0, True, "HTTPS", True),
        (0, True, "http", False),
        (0, True, None, False),
        (0, False, "https", False),
        (1, True, "https", False),
    ],
)
def test_a_proxy_that_ends_https_but_is_not_counted_is_explained_once(
    settings, caplog, proxies, on_https, proto, is_explained
):
    settings.TRUSTED_PROXY_COUNT, settings.SECURE_COOKIES = proxies, on_https
    middleware._log_once.cache_clear()

    for _ in range(2):
        seen("/healthz", HTTP_X_FORWARDED_PROTO=proto)

    assert len(caplog.records) == is_explained


def test_the_deployment_check_warns_of_https_without_a_proxy(settings):
    for proxies, on_https, warns in ((0, True, True), (0, False, False), (1, True, False)):
        settings.TRUSTED_PROXY_COUNT, settings.SECURE_COOKIES = proxies, on_https
        found = run_checks(tags=["security"], include_deployment_checks=True)
        assert ("config.W003" in {each.id for each in found}) is warns
