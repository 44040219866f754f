"""Which web addresses staff may enter for student pages to link to."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator


def fault_of_address(address: str, schemes: Sequence[str], example: str) -> str:
    """Say in a sentence how to correct an address; "" if it is a plain one with a host.

    A user name before the host is refused, because it can disguise whose site it is.
    """
    starts = " or ".join(f"{scheme}://" for scheme in schemes)
    try:
        URLValidator(schemes=schemes)(address)
        if not address.isprintable():
            raise ValidationError("a control character")
    except ValidationError:
        return f"Enter one address that starts with {starts} and has no spaces, such as {example}."
    parts = urlsplit(address)
    if not address.startswith(f"{parts.scheme}://"):
        return f"Write {parts.scheme}:// in lower case."
    try:
        port = parts.port
    except ValueError:  # beyond 65535
        port = 0
    if port == 0:
        return "The port after the host is not valid."
    if "@" in parts.netloc:
        return "Remove the user name and the @ before the host."
    return ""
