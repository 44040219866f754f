"""Whom limits by address count as one client."""

from __future__ import annotations

import ipaddress

IPV6_PREFIX = 56


def counted_as(address: str) -> str:
    """Return an IPv4 address as it is, and the /56 of an IPv6 address.

    Providers give each home a /56 or more of IPv6, whose addresses cost nothing. `address` is the
    request's client_address, which is normalised.
    """
    if ":" not in address:
        return address
    return str(ipaddress.IPv6Network((address, IPV6_PREFIX), strict=False))
