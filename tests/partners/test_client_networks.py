"""Limits by address count a home as one client."""

from __future__ import annotations

import pytest

from partners.client_networks import counted_as


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("unknown", "unknown"),
        ("2001:db8:0:1::1", "2001:db8::/56"),
        ("2001:db8:0:ff:ffff::9", "2001:db8::/56"),
        ("2001:db8:0:100::1", "2001:db8:0:100::/56"),
    ],
)
def test_a_home_of_ipv6_is_one_client(address: str, counted: str) -> None:
    assert counted_as(address) == counted
