"""Digests of the secrets in links and cookies, which are stored in their place."""

from __future__ import annotations

import hashlib
import re
import secrets

# As in links to start and private links, and as in students' cookies.
URL_SECRET = re.compile(r"[A-Za-z0-9_-]{43}")
BROWSER_TOKEN = re.compile(r"[0-9a-f]{64}")


def secret_digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def digest_of_no_browser() -> str:
    """Return a random digest, for an attempt that no browser opens any more."""
    return secrets.token_hex(32)
