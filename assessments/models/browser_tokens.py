"""Digests of the tokens in students' cookies, by which attempts know their browsers."""

from __future__ import annotations

import hashlib
import re
import secrets

BROWSER_TOKEN = re.compile(r"[0-9a-f]{64}")


def browser_digest(browser_token: str) -> str:
    """Return the digest of a browser's token, which an attempt stores."""
    return hashlib.sha256(browser_token.encode()).hexdigest()


def digest_of_no_browser() -> str:
    """Return a random digest, for an attempt that no browser opens any more."""
    return secrets.token_hex(32)
