"""Sign-in: the password, then a code of the second factor.

The password alone starts a session, but `StaffSite.has_permission` does not let it open a page.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any, cast

import django_otp
from django import forms
from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.admin.views.decorators import staff_member_required
from django.contrib.auth.models import User
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from partners.models import AuditEvent
from partners.models.audit import staff_actor, unknown_actor
from staff import second_factor, sessions
from tokens import limits

# The one limit of sign-in: wrong passwords and codes a minute from an address. It goes on without
# Redis, because support must be able to revoke a leaked token while Redis is down.
FAILURES_OF_ADDRESS = 10
_LIMIT = "staff-address"

# Hide the admin's navigation: it lists pages that cannot be opened yet.
FRAME = {"has_permission": False, "is_nav_sidebar_enabled": False}

_CODE = re.compile(r"[0-9]{6}|[a-z2-7]{16}")


class LimitedForm(forms.Form):
    """A form that is refused after too many wrong ones; `wait` is the seconds until the next."""

    wait = 0

    def check_limit(self, request: HttpRequest) -> None:
        self.wait = seconds_to_wait(request)
        if self.wait:
            raise ValidationError(too_many(self.wait), code="too_many")


class SignInForm(AdminAuthenticationForm, LimitedForm):
    def clean(self) -> dict[str, Any]:
        self.check_limit(cast("HttpRequest", self.request))
        return super().clean()


class CodeForm(LimitedForm):
    """A code from the app, or a recovery code, without spaces and dashes when it is cleaned."""

    code = forms.CharField(
        max_length=60,
        label="Six-digit code",
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "autofocus": True}),
    )

    def __init__(self, request: HttpRequest, data: Any = None) -> None:
        super().__init__(data)
        self.request = request

    def clean_code(self) -> str:
        self.check_limit(self.request)
        return plain_code(self.cleaned_data["code"])

    def refuse(self, field: str = "code") -> None:
        """Count a wrong code, and add the error to the form."""
        count_failure(self.request)
        self.add_error(
            field,
            "This code is wrong or was already used, or it came too soon after a wrong one. Wait "
            "for the next one that your app shows.",
        )


def plain_code(typed: str) -> str:
    code = re.sub(r"[\s-]+", "", typed).lower()
    if not _CODE.fullmatch(code):
        raise ValidationError("A code has six digits, a recovery code sixteen characters.")
    return code


def seconds_to_wait(request: HttpRequest) -> int:
    """Return 0, or the seconds until this address may try again."""
    return limits.seconds_to_wait(_address(request), _LIMIT, FAILURES_OF_ADDRESS)


def count_failure(request: HttpRequest) -> None:
    """Count a wrong password or code. Correct ones do not count: an office shares one address."""
    limits.count_failure(_address(request), _LIMIT, FAILURES_OF_ADDRESS)


def too_many(seconds: int) -> str:
    return f"Too many tries. Try again in {seconds} s."


@never_cache
@sensitive_post_parameters("username", "password")
def password_page(request: HttpRequest) -> HttpResponse:
    form = SignInForm(request, request.POST if request.method == "POST" else None)
    if form.is_valid():
        sessions.begin(request, form.get_user())
        if not second_factor.is_passed(request.user):
            return to_step("admin:sign_in_code", request)
        return signed_in(request, HttpResponseRedirect(next_page(request)))
    if not form.is_bound and admin.site.has_permission(request):
        return HttpResponseRedirect(next_page(request))
    if not form.is_bound and request.user.is_active and request.user.is_staff:
        return to_step("admin:sign_in_code", request)
    if form.has_error(NON_FIELD_ERRORS, "invalid_login"):
        count_failure(request)
        # Unknown user names are not recorded: people type their password into that field.
        if user := User.objects.filter(username=form.cleaned_data["username"]).first():
            AuditEvent.record("staff.sign_in_refused", user, **unknown_actor(request))
    context = {
        "title": "Sign in",
        "ended": sessions.ENDED.get(request.GET.get("ended", "")),
        "is_unsaved": request.GET.get("unsaved") == "1",
    }
    return answer(request, "admin/login.html", form, FRAME | context)


@never_cache
@staff_member_required
@sensitive_post_parameters("code")
def code_page(request: HttpRequest) -> HttpResponse:
    user = cast("User", request.user)
    if admin.site.has_permission(request):
        return HttpResponseRedirect(next_page(request))
    if second_factor.device_of(user) is None:
        return to_step("admin:second_factor", request)
    form = CodeForm(request, request.POST or None)
    if device := try_code(request, form):
        verified(request, device)
        return signed_in(request, HttpResponseRedirect(next_page(request)))
    return answer(request, "admin/account/code.html", form, {**FRAME, "title": "Enter your code"})


@never_cache
def sign_out_page(request: HttpRequest) -> HttpResponse:
    """Sign out by POST only, so that no link can do it. A GET redirects to the start page."""
    if request.method != "POST":
        return HttpResponseRedirect(reverse("admin:index"))
    if request.user.is_authenticated:
        sessions.sign_out(request)
    return sessions.to_sign_in(ended="out")


def try_code(request: HttpRequest, form: CodeForm) -> Any:
    """Return the device if the form holds a correct code, else add the error to the form."""
    if not form.is_valid():
        return None
    user = cast("User", request.user)
    device = second_factor.verify(user, form.cleaned_data["code"], **staff_actor(request))
    if device is None:
        form.refuse()
    return device


def verified(request: HttpRequest, device: Any) -> None:
    """Mark the session as verified, and change its key."""
    django_otp.login(request, device)
    request.session.cycle_key()


def signed_in(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Audit a complete sign-in."""
    AuditEvent.record("staff.signed_in", cast("User", request.user), **staff_actor(request))
    return response


def next_page(request: HttpRequest) -> str:
    """Return the page of this site to open after sign-in: the requested one or the start page."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(wanted, allowed_hosts=None)
    return wanted if is_ours else reverse("admin:index")


def to_step(name: str, request: HttpRequest) -> HttpResponse:
    """Redirect to another step of sign-in, and keep the page to open afterwards."""
    wanted = next_page(request)
    query = "" if wanted == reverse("admin:index") else f"?{urlencode({'next': wanted})}"
    return HttpResponseRedirect(f"{reverse(name)}{query}")


def answer(
    request: HttpRequest, template: str, form: forms.Form, context: dict[str, Any]
) -> HttpResponse:
    """Render a page with a form; status 429 with `Retry-After` after too many tries."""
    response = TemplateResponse(request, template, {**context, "form": form})
    if wait := getattr(form, "wait", 0):
        response.status_code = HTTPStatus.TOO_MANY_REQUESTS
        response.headers["Retry-After"] = str(wait)
    return response


def _address(request: HttpRequest) -> str:
    address: str = request.client_address  # type: ignore[attr-defined]  # set by a middleware
    return address
