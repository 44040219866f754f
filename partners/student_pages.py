"""A project's settings for student pages: accent colour, consent, return address."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import models

RETURN_URL_MAX = 500


class Accent(models.TextChoices):
    """The approved accent colours; static/student.css defines them."""

    TEAL = "teal", "Teal"
    BLUE = "blue", "Blue"
    INDIGO = "indigo", "Indigo"
    PLUM = "plum", "Plum"
    ROSE = "rose", "Rose"
    BRICK = "brick", "Brick"
    AMBER = "amber", "Amber"
    GREEN = "green", "Green"


class ConsentMode(models.TextChoices):
    """Who obtains a guardian's consent for students under 18."""

    OBTAINED = "obtained", "The partner has obtained consent"
    ASK = "ask", "Ask the age and, under 18, a guardian's name and contact"


def validate_return_url(address: str) -> None:
    """Raise ValidationError unless `address` is a plain https address.

    A user name before the host is refused, because it can disguise whose site it is.
    """
    try:
        URLValidator(schemes=["https"])(address)
        if not address.isprintable():
            raise ValidationError("a control character")
    except ValidationError as refused:
        raise ValidationError(
            "Enter one address that starts with https:// and has no spaces, such as "
            "https://college.example/apply."
        ) from refused
    parts = urlsplit(address)
    if not address.startswith("https://"):
        raise ValidationError("Write https:// in lower case.")
    try:
        port = parts.port
    except ValueError:  # beyond 65535
        port = 0
    if port == 0:
        raise ValidationError("The port after the host is not valid.")
    if "@" in parts.netloc:
        raise ValidationError("Remove the user name and the @ before the host.")
    if "#" in address:
        raise ValidationError("Remove the # and everything after it.")
