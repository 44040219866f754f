"""How hard a password of staff must be to guess, and the one-time links to choose one.

An administrator makes a link and hands it over; the service sends no mail. The token is Django's:
it ends after PASSWORD_RESET_TIMEOUT, or once the account has another password, another e-mail
address or a newer sign-in. It is in the query string, which is not logged, and never in a path.
"""

import re
from datetime import timedelta
from http import HTTPStatus
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import AbstractBaseUser, User
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from zxcvbn import zxcvbn

from partners.back_office.pages import admin_page
from partners.models import Actor, AuditEvent, Partner, request_actor, staff_actor
from partners.times import DEFAULT_ZONE, moment_in_words
from staff import sessions
from staff.sign_in import FRAME

# Of zxcvbn: more than 10^10 guesses. At 3, 10^8, "Password12345678!" and "chitra-chitra-2024" pass;
# four random words take 10^16.
LEAST_SCORE = 4
# Its time grows with the square of the length: 0.2 s at 72. The rest only makes guessing harder.
MAX_CHARACTERS = 72
ADVICE = "Use four words chosen at random, or let a password manager make it."
HOURS = settings.PASSWORD_RESET_TIMEOUT // 3600  # that a link works
# The account's number, then Django's token.
_TOKEN = re.compile(r"([0-9]{1,18})-(.+)")


class StrengthValidator:
    """Refuse a password that is blank, or that zxcvbn guesses, given the names known here."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        names = ["assessment service", "assess", urlsplit(settings.APP_URL).hostname or ""]
        if isinstance(user, User):
            names += [user.username, user.get_full_name(), user.email]
        names += Partner.objects.values_list("name", flat=True)
        known = [spelling for name in names for spelling in _spellings(name)]
        if password.strip():
            found = zxcvbn(password[:MAX_CHARACTERS], user_inputs=list(dict.fromkeys(known)))
            if found["score"] >= LEAST_SCORE:
                return
        raise ValidationError(f"This password is easy to guess. {ADVICE}", code="password_too_easy")

    def get_help_text(self) -> str:
        return f"Your password must not be easy to guess. {ADVICE}"


def _spellings(name: str) -> list[str]:
    words = re.findall(r"[^\W_]+", name)
    return [name, *(gap.join(words) for gap in ("", " ", "-")), *words]


def make_link(user: User, *, by: Actor) -> str:
    """Return a link to choose a password. The present one is valid until it is used. Audited."""
    AuditEvent.record("staff.password_link_made", user, by=by)
    token = f"{user.pk}-{default_token_generator.make_token(user)}"
    return settings.APP_URL + reverse("admin:choose_password", query={"token": token})


@sensitive_variables("link")
def link_page(request: HttpRequest, user: User) -> HttpResponse:
    link = make_link(user, by=staff_actor(request))
    until = timezone.now() + timedelta(hours=HOURS)
    return admin_page(
        request,
        "admin/auth/user/password_link.html",
        "Hand over this link",
        opts=user._meta,
        account=user,
        link=link,
        until=moment_in_words(until, DEFAULT_ZONE),
    )


@never_cache
@sensitive_post_parameters("token", "new_password1", "new_password2")
@sensitive_variables("token")
def choose_password_page(request: HttpRequest) -> HttpResponse:
    """Set the password of the link's account, and end the account's sessions. Signs nobody in."""
    token = request.POST.get("token") or request.GET.get("token", "")
    with transaction.atomic():
        user = _owner(token)
        if user is None:
            context = FRAME | {"title": "This link does not work", "hours": HOURS}
            template = "admin/account/dead_link.html"
            return TemplateResponse(request, template, context, status=HTTPStatus.GONE)
        form = SetPasswordForm(user, request.POST or None)
        if form.is_valid():
            form.save()
            AuditEvent.record("staff.password_chosen", user, by=request_actor("unknown", request))
            return sessions.to_sign_in(ended="password")
    context = FRAME | {"title": "Choose your password", "form": form, "token": token}
    return TemplateResponse(request, "admin/account/choose_password.html", context)


@sensitive_variables()
def _owner(text: str) -> User | None:
    """Return the account of a link, locked so that two forms take turns; None for a dead link."""
    parts = _TOKEN.fullmatch(text)
    if parts is None:
        return None
    users = User.objects.select_for_update().filter(is_active=True, is_staff=True)
    user = users.filter(pk=int(parts[1])).first()
    return user if user and default_token_generator.check_token(user, parts[2]) else None
