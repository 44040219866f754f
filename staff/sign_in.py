"""Sign-in, and the pages of your own account.

The password starts a session, but before the code `StaffSite.has_permission` opens no page.
"""

import base64
import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, cast

import django_otp
import segno
from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.admin.views.decorators import staff_member_required
from django.contrib.auth.models import User
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex

from partners.back_office.pages import admin_page
from partners.models import AuditEvent, request_actor, staff_actor
from staff import second_factor, sessions, sign_in_limits

# Hide the admin's navigation: it lists pages that cannot be opened yet.
FRAME = {"has_permission": False, "is_nav_sidebar_enabled": False}

# Each session sets up a key of its own. If sessions shared it, a thief with the password could read
# the key before the owner's first sign-in and use it afterwards.
NEW_KEY = "staff_new_key"


class CodeField(forms.CharField):
    """A code from the app, or a recovery code, cleaned of spaces and dashes."""

    def __init__(self, label: str, **attrs: Any) -> None:
        super().__init__(max_length=60, label=label, widget=forms.TextInput(attrs=attrs))

    def to_python(self, value: Any) -> str:
        code = re.sub(r"[\s-]+", "", super().to_python(value) or "").lower()
        if code and not re.fullmatch(r"[0-9]{6}|[a-z2-7]{16}", code):
            raise ValidationError("A code has six digits, a recovery code sixteen characters.")
        return code


class LimitedForm(forms.Form):
    """Refused after too many wrong forms; `wait` is the seconds until the next try."""

    request: HttpRequest
    wait = 0

    def clean(self) -> dict[str, Any] | None:
        self.wait = sign_in_limits.seconds_to_wait(self.request)
        if self.wait:
            raise ValidationError(too_many(self.wait), code="too_many")
        return super().clean()


class HashingForm(AdminAuthenticationForm):
    """Hashes a password if it gets a turn; else sets `wait`."""

    request: HttpRequest

    def clean(self) -> dict[str, Any]:
        with sign_in_limits.turn_to_hash(self.request) as has_turn:
            if has_turn:
                return super().clean()
        self.wait = 2
        raise ValidationError(
            "Many people are trying to sign in. Wait two seconds, then try again.", code="too_many"
        )


class SignInForm(LimitedForm, HashingForm):  # type: ignore[misc]
    pass


class CodeForm(LimitedForm):
    code = CodeField("Six-digit code", autocomplete="one-time-code", autofocus=True)

    def __init__(self, request: HttpRequest, data: Any = None) -> None:
        super().__init__(data)
        self.request = request

    def refuse(self, field: str = "code") -> None:
        sign_in_limits.count_failure(self.request)
        self.add_error(
            field,
            "This code is wrong or was already used, or it came too soon after a wrong one. Wait "
            "for the next one that your app shows.",
        )


class NewAppForm(CodeForm):
    present = CodeField("Code of your present app, or a recovery code", autocomplete="off")


def too_many(seconds: int) -> str:
    return f"Too many tries. Try again in {seconds} s."


@never_cache
@sensitive_post_parameters("username", "password")
def password_page(request: HttpRequest) -> HttpResponse:
    form = SignInForm(request, request.POST or None)
    if form.is_valid():
        sessions.begin(request, form.get_user())
        if settings.SECOND_FACTOR_REQUIRED:
            return to_step("admin:sign_in_code", request)
        return finish_sign_in(request, HttpResponseRedirect(next_page(request)))
    if not form.is_bound and admin.site.has_permission(request):
        return HttpResponseRedirect(next_page(request))
    if not form.is_bound and request.user.is_staff:
        return to_step("admin:sign_in_code", request)
    if form.has_error(NON_FIELD_ERRORS, "invalid_login"):
        sign_in_limits.count_failure(request)
        # Unknown user names are not recorded: people type their password into that field.
        if user := User.objects.filter(username=form.cleaned_data["username"]).first():
            AuditEvent.record("staff.sign_in_refused", user, by=request_actor("unknown", request))
    context = {
        "title": "Sign in",
        "ended": sessions.END_MESSAGES.get(request.GET.get("ended", "")),
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
        mark_verified(request, device)
        return finish_sign_in(request, HttpResponseRedirect(next_page(request)))
    return answer(request, "admin/account/code.html", form, {**FRAME, "title": "Enter your code"})


@never_cache
@staff_member_required
@sensitive_post_parameters("code", "present")
def set_up_page(request: HttpRequest) -> HttpResponse:
    """Accept a new key with a code of it, and with a code of the second factor that it replaces."""
    user = cast("User", request.user)
    was_in, replaces = admin.site.has_permission(request), second_factor.device_of(user) is not None
    if replaces and not was_in:
        return to_step("admin:sign_in_code", request)
    key = request.session.setdefault(NEW_KEY, random_hex(20))
    device = TOTPDevice(user=user, name="app", key=key)
    form = (NewAppForm if replaces else CodeForm)(request, request.POST or None)
    # Without focus, or a phone scrolls past the QR code.
    form.fields["code"].widget.attrs |= {"autofocus": False, "inputmode": "numeric"}
    if form.is_valid():
        by, code = staff_actor(request), form.cleaned_data["code"]
        if not second_factor.belongs_to(key, code):
            AuditEvent.record("staff.second_factor_refused", user, by=by)
            form.refuse()
        elif replaces and not second_factor.verify(user, form.cleaned_data["present"], by=by):
            form.refuse("present")
        elif codes := second_factor.set_up(device, code, replaces=replaces, by=by):
            del request.session[NEW_KEY]
            mark_verified(request, device)
            if was_in:
                return _codes_page(request, codes, then=reverse("admin:account"))
            return finish_sign_in(request, _codes_page(request, codes, then=next_page(request)))
        else:  # another window finished the set-up first
            return to_step("admin:sign_in_code", request)
    qr = segno.make(device.config_url, error="m")
    context = {
        **FRAME,
        "title": "Set up your second factor",
        "qr": qr.svg_inline(border=4, light="#fff", omitsize=True, svgclass="qr"),
        "uri": device.config_url,
        "key": second_factor.in_groups(base64.b32encode(device.bin_key).decode(), " "),
        "issuer": settings.OTP_TOTP_ISSUER,
    }
    return answer(request, "admin/account/set_up.html", form, context)


@never_cache
def sign_out_page(request: HttpRequest) -> HttpResponse:
    """Sign out by POST only, so that no link can do it."""
    if request.method != "POST":
        return redirect("admin:index")
    if request.user.is_authenticated:
        sessions.sign_out(request)
    return sessions.to_sign_in(ended="out")


def account_page(request: HttpRequest) -> HttpResponse:
    user = cast("User", request.user)
    return admin_page(
        request,
        "admin/account/account.html",
        "Your account",
        device=second_factor.device_of(user),
        left=StaticToken.objects.filter(device__user=user).count(),
        made=second_factor.RECOVERY_CODES,
        is_required=settings.SECOND_FACTOR_REQUIRED,
    )


@sensitive_post_parameters("code")
def recovery_codes_page(request: HttpRequest) -> HttpResponse:
    user = cast("User", request.user)
    if second_factor.device_of(user) is None:
        return redirect("admin:account")
    form = CodeForm(request, request.POST or None)
    if try_code(request, form):
        codes = second_factor.make_recovery_codes(user, by=staff_actor(request))
        return _codes_page(request, codes, then=reverse("admin:account"))
    context = {**admin.site.each_context(request), "title": "Make new recovery codes"}
    return answer(request, "admin/account/recovery_codes.html", form, context)


def try_code(request: HttpRequest, form: CodeForm) -> Any:
    """Return the device of a correct code, else add the error to the form."""
    if not form.is_valid():
        return None
    user = cast("User", request.user)
    device = second_factor.verify(user, form.cleaned_data["code"], by=staff_actor(request))
    if device is None:
        form.refuse()
    return device


def mark_verified(request: HttpRequest, device: Any) -> None:
    django_otp.login(request, device)
    request.session.cycle_key()


def finish_sign_in(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Record the sign-in and let the browser be known, of whose last step this is the response."""
    AuditEvent.record("staff.signed_in", cast("User", request.user), by=staff_actor(request))
    sign_in_limits.remember_browser(request, response)
    return response


def next_page(request: HttpRequest) -> str:
    """Return the page to open after sign-in: the requested one if it is ours, else the start."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(wanted, allowed_hosts=None)
    return wanted if is_ours else reverse("admin:index")


def to_step(name: str, request: HttpRequest) -> HttpResponse:
    """Redirect to another step of sign-in. It keeps the page to open afterwards."""
    wanted = next_page(request)
    query = {} if wanted == reverse("admin:index") else {"next": wanted}
    return redirect(reverse(name, query=query))


def answer(
    request: HttpRequest, template: str, form: LimitedForm, context: dict[str, Any]
) -> HttpResponse:
    """Render a page with a form; status 429 with `Retry-After` after too many tries."""
    response = TemplateResponse(request, template, {**context, "form": form})
    if form.wait:
        response.status_code = HTTPStatus.TOO_MANY_REQUESTS
        response.headers["Retry-After"] = str(form.wait)
    return response


def _codes_page(request: HttpRequest, codes: Sequence[str], *, then: str) -> HttpResponse:
    """Show new recovery codes, only in the response to the POST that made them."""
    context = {"title": "Your recovery codes", "codes": codes, "then": then}
    return TemplateResponse(request, "admin/account/codes.html", FRAME | context)
