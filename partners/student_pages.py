"""A project's settings for student pages: accent colour, consent, return address."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import models

from partners.plain_text import fault_of_address

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
    """Raise ValidationError unless `address` is a plain https address without a fragment."""
    if fault := fault_of_address(address, ["https"], "https://college.example/apply"):
        raise ValidationError(fault)
    if "#" in address:
        raise ValidationError("Remove the # and everything after it.")
