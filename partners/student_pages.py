"""What a project sets of its students' pages: the accent, how consent is asked, the way back."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import models

RETURN_URL_MAX = 500


class Accent(models.TextChoices):
    """The accent colours that were vetted; static/student.css says what each looks like."""

    TEAL = "teal", "Teal"
    BLUE = "blue", "Blue"
    INDIGO = "indigo", "Indigo"
    PLUM = "plum", "Plum"
    ROSE = "rose", "Rose"
    BRICK = "brick", "Brick"
    AMBER = "amber", "Amber"
    GREEN = "green", "Green"


class ConsentMode(models.TextChoices):
    """Who sees to it that a student under 18 takes part with a guardian's consent."""

    OBTAINED = "obtained", "The partner has obtained consent"
    ASK = "ask", "Ask the age and, under 18, a guardian's name and contact"


def validate_return_url(address: str) -> None:
    """Raise ValidationError unless `address` is an https one that can stand on a button.

    Someone who is sent there must see whose site it is, so nothing may stand before the host.
    """
    try:
        URLValidator(schemes=["https"])(address)
        if not address.isprintable():
            raise ValidationError("a control character")
    except ValidationError as refused:
        raise ValidationError(
            "Give one address that begins with https://, such as "
            "https://college.example/apply. It may not hold spaces."
        ) from refused
    parts = urlsplit(address)
    if not address.startswith("https://"):
        raise ValidationError("Write https:// in small letters.")
    try:
        port = parts.port
    except ValueError:  # beyond 65535
        port = 0
    if port == 0:
        raise ValidationError("The number after the host names a port that cannot exist.")
    if "@" in parts.netloc:
        raise ValidationError("Leave out the user name and the @ before the host.")
    if "#" in address:
        raise ValidationError("Leave out the # and what follows it.")
