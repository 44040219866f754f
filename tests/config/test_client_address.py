"""Who is calling, behind proxies that are trusted or not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from config import client_address
from config.middleware import request_context

PEER = "10.0.0.9"


def seen(headers: dict[str, str], path: str = "/") -> HttpRequest:
    """Return the request as the views get it."""
    requests: list[HttpRequest] = []

    def view(request: HttpRequest) -> HttpResponse:
        requests.append(request)
        return HttpResponse()

    request_context(view)(RequestFactory().get(path, **{"REMOTE_ADDR": PEER, **headers}))
    return requests[0]


@pytest.mark.parametrize(
    ("proxies", "forwarded_for", "expected"),
    [
        (0, None, PEER),
        (0, "1.2.3.4", PEER),
        (0, "1.2.3.4, 5.6.7.8", PEER),
        (1, None, PEER),
        (1, "1.2.3.4", "1.2.3.4"),
        (1, "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        (1, " 6.6.6.6 ,1.2.3.4 ", "1.2.3.4"),
        (2, "1.2.3.4, 10.0.0.1", "1.2.3.4"),
        (2, "6.6.6.6, 1.2.3.4, 10.0.0.1", "1.2.3.4"),
        (2, "1.2.3.4", "1.2.3.4"),
        (2, None, PEER),
        (1, "1.2.3.4:5678", "1.2.3.4"),
        (1, "[2001:DB8::1]:5678", "2001:db8::1"),
        (1, "2001:DB8:0::1", "2001:db8::1"),
        (1, "::ffff:1.2.3.4", "1.2.3.4"),
        (1, "fe80::1%eth0", "fe80::1"),
        (1, '"1.2.3.4"', "1.2.3.4"),
        (1, "unknown", "unknown"),
        (1, "1.2.3.4, ", "unknown"),
        (1, "<script>", "unknown"),
        (1, "1.2.3.4\n5.6.7.8", "unknown"),
        (1, "9" * 5000, "unknown"),
    ],
)
def test_the_address_is_the_one_the_outermost_trusted_proxy_saw(
    settings: Settings, proxies: int, forwarded_for: str | None, expected: str
) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies
    headers = {"HTTP_X_FORWARDED_FOR": forwarded_for} if forwarded_for is not None else {}

    request = seen(headers)

    assert request.client_address == expected


def test_a_unix_socket_has_no_address(settings: Settings) -> None:
    settings.TRUSTED_PROXY_COUNT = 0

    request = seen({"REMOTE_ADDR": ""})

    assert request.client_address == "unknown"


def test_behind_a_proxy_on_a_unix_socket_the_client_is_known(settings: Settings) -> None:
    settings.TRUSTED_PROXY_COUNT = 1

    request = seen({"REMOTE_ADDR": "", "HTTP_X_FORWARDED_FOR": "1.2.3.4"})

    assert request.client_address == "1.2.3.4"


@pytest.mark.parametrize(
    ("proxies", "proto", "secure"),
    [
        (0, "https", False),
        (1, "https", True),
        (1, "HTTPS", True),
        (1, "http", False),
        (1, "https, http", False),
        (1, "http, https", True),
        (2, "https, http", True),
        (2, "https", True),
        (1, None, False),
    ],
)
def test_the_scheme_comes_from_the_same_hop(
    settings: Settings, proxies: int, proto: str | None, secure: bool
) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies
    headers = {"HTTP_X_FORWARDED_PROTO": proto} if proto else {}

    request = seen(headers)

    assert request.is_secure() is secure


@pytest.mark.parametrize("proxies", [0, 1])
def test_no_view_sees_the_headers_themselves(settings: Settings, proxies: int) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies

    request = seen(
        {
            "HTTP_X_FORWARDED_FOR": "1.2.3.4",
            "HTTP_X_FORWARDED_PROTO": "https",
            "HTTP_X_FORWARDED_HOST": "evil.example",
            "HTTP_X_FORWARDED_PORT": "1",
            "HTTP_FORWARDED": "for=1.2.3.4",
        }
    )

    assert not [name for name in request.META if "FORWARDED" in name]


@pytest.fixture
def _forgetful() -> Iterator[None]:
    client_address._warn_once.cache_clear()
    yield
    client_address._warn_once.cache_clear()


@pytest.mark.usefixtures("_forgetful")
def test_too_high_a_number_of_proxies_is_logged_once(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.TRUSTED_PROXY_COUNT = 2

    seen({"HTTP_X_FORWARDED_FOR": "1.2.3.4, 10.0.0.1"})
    assert caplog.messages == []
    for _ in range(3):
        seen({"HTTP_X_FORWARDED_FOR": "1.2.3.4"})

    [said] = caplog.messages
    assert said.startswith("TRUSTED_PROXY_COUNT is 2, but a request passed only 1.")
    assert "1.2.3.4" not in said


@pytest.mark.usefixtures("_forgetful")
def test_the_machines_own_probes_are_no_sign_of_a_wrong_number(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.TRUSTED_PROXY_COUNT = 1

    seen({}, path="/readyz")

    assert caplog.messages == []
