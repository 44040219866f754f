"""Whose address and scheme a request has, behind proxies that are trusted or not."""

import pytest
from django.core.checks import run_checks
from django.http import HttpResponse
from django.test import RequestFactory

from config import middleware
from config.middleware import request_context

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
