"""How hard a password of staff must be to guess."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, User
from django.core.exceptions import ValidationError
from zxcvbn import zxcvbn

from partners.models import Partner

# Of zxcvbn: more than 10^10 guesses. At 3, 10^8, "Password12345678!" and "chitra-chitra-2024" pass;
# four random words take 10^16.
LEAST_SCORE = 4
# Its time grows with the square of the length: 0.2 s at 72. The rest only makes guessing harder.
MOST_CHARACTERS = 72
ADVICE = "Use four words chosen at random, or let a password manager make it."


class StrengthValidator:
    """Refuse a blank password, and one that zxcvbn guesses with the names that are known here."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        if not password.strip() or _score(password, user) < LEAST_SCORE:
            raise ValidationError(
                f"This password is easy to guess. {ADVICE}", code="password_too_easy"
            )

    def get_help_text(self) -> str:
        return f"Your password must not be easy to guess. {ADVICE}"


def _score(password: str, user: AbstractBaseUser | None) -> int:
    found = zxcvbn(password[:MOST_CHARACTERS], user_inputs=_known_words(user))
    return int(found["score"])


def _known_words(user: AbstractBaseUser | None) -> list[str]:
    """Return the names of the user, the service and the partners, and the words in them."""
    names = ["assessment service", "assess", urlsplit(settings.APP_URL).hostname or ""]
    if isinstance(user, User):
        names += [user.username, user.get_full_name(), user.email]
    names += Partner.objects.values_list("name", flat=True)
    return [*dict.fromkeys(spelling for name in names for spelling in _spellings(name))]


def _spellings(name: str) -> Iterable[str]:
    words = re.findall(r"[^\W_]+", name)
    return [name, *(gap.join(words) for gap in ("", " ", "-")), *words]
