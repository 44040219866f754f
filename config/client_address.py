"""The client's address and scheme behind TRUSTED_PROXY_COUNT proxies."""

from __future__ import annotations

import ipaddress
import logging
from functools import cache

from django.conf import settings
from django.http import HttpRequest

UNKNOWN = "unknown"
# Asked on the machine itself, not through the proxy.
DIRECT = {"/healthz", "/readyz", "/metrics"}
NOT_THROUGH_PROXIES = (
    "TRUSTED_PROXY_COUNT is %s, but a request came through %s proxies. If all should come through "
    "the proxy, let nothing else reach this port. Otherwise lower the number, or clients can "
    "choose their address"
)
NO_PROXY_COUNTED = (
    "A proxy calls a request https, but TRUSTED_PROXY_COUNT is 0, so it counts as http: pages "
    "redirect to themselves, and calls get https_required although they came encrypted. Set "
    "TRUSTED_PROXY_COUNT to the number of proxies in front"
)

logger = logging.getLogger(__name__)


def trust_proxies(request: HttpRequest) -> str:
    """Return the client's address, take the scheme from the same hop, and drop the headers.

    Each proxy appends the address that called it. So with n trusted proxies, the client is n places
    before the end of [X-Forwarded-For…, peer]. The client may have forged everything to the left.
    """
    meta = request.META
    forwarded_for = _entries(meta.pop("HTTP_X_FORWARDED_FOR", ""))
    schemes = _entries(meta.pop("HTTP_X_FORWARDED_PROTO", ""))
    for header in ("HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PORT", "HTTP_FORWARDED"):
        meta.pop(header, None)
    hops = settings.TRUSTED_PROXY_COUNT
    if len(forwarded_for) < hops and request.path not in DIRECT:
        _log_once(NOT_THROUGH_PROXIES, hops, len(forwarded_for))
    if not hops and settings.SECURE_COOKIES and "https" in map(str.lower, schemes):
        _log_once(NO_PROXY_COUNTED)
    if hops and schemes:
        # Most proxies overwrite this header instead of appending to it, so it has one entry.
        meta["wsgi.url_scheme"] = (
            "https" if schemes[max(len(schemes) - hops, 0)].lower() == "https" else "http"
        )
    chain = [*forwarded_for, meta.get("REMOTE_ADDR", "")]
    return _address(chain[max(len(chain) - 1 - hops, 0)])


@cache
def _log_once(text: str, *values: int) -> None:
    logger.error(text, *values)


def _entries(header: str) -> list[str]:
    return [entry.strip() for entry in header.split(",")] if header else []


def _address(text: str) -> str:
    """Return a normalised address without a port, or UNKNOWN, for example for a unix socket."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text.partition("%")[0])  # without a zone such as %eth0
    except ValueError:
        return UNKNOWN
    return str(getattr(address, "ipv4_mapped", None) or address)
