"""Which addresses a webhook may be sent to. Pure: works on what a name resolved to."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

# Listed here and not taken from `is_global`, whose answers differ between versions of Python.
_REFUSED = tuple(
    map(
        ip_network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
            *("172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"),
            *("198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
            # Multicast, reserved, broadcast.
            *("224.0.0.0/4", "240.0.0.0/4"),
            # Teredo, ORCHID and other protocols; documentation; 6to4; documentation.
            *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
        ),
    )
)
# Global unicast. Mapped and translated addresses (::ffff:0:0/96, NAT64's 64:ff9b::/96), loopback,
# local and multicast ones are outside.
_IPV6 = ip_network("2000::/3")


def is_public(address: str) -> bool:
    """Return whether an IP address is a public one that contains or reaches no other network."""
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv6Address) and (ip.scope_id or ip not in _IPV6):
        return False
    return ip.is_global and not any(ip in network for network in _REFUSED)


def is_loopback_url(url: str) -> bool:
    """Return whether a URL is that of a test receiver on this machine."""
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost", "::1")
