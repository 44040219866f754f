"""Webhooks go to public addresses only."""

from __future__ import annotations

import pytest

from assessments.webhooks.models import is_loopback_url
from assessments.webhooks.sender import is_public


@pytest.mark.parametrize("address", ["8.8.8.8", "13.107.42.14", "2606:4700::1111", "2a00:1450::1"])
def test_public_addresses_are_allowed(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
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
def test_all_others_are_refused(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:9000/hook", True),
        ("http://localhost/", True),
        ("http://[::1]:9000/", True),
        ("https://127.0.0.1/", False),
        ("http://127.0.0.1.example.com/", False),
        ("http://127.0.0.1@example.com/", False),
        ("http://10.0.0.1/", False),
    ],
)
def test_a_test_receiver_is_on_this_machine(url: str, expected: bool) -> None:
    assert is_loopback_url(url) is expected
