"""Pages of your own account: the second factor, its set-up, and recovery codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import segno
from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.views.decorators import staff_member_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex

from partners.models.audit import staff_actor
from staff import second_factor, sign_in

# Each session sets up a key of its own. If sessions shared it, a thief with the password could read
# the key before the owner's first sign-in and use it afterwards.
NEW_KEY = "staff_new_key"


class NewAppForm(sign_in.CodeForm):
    """A code of the new app, and one of the present app or a recovery code."""

    present = forms.CharField(
        max_length=60,
        label="Code of your present app, or a recovery code",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean_present(self) -> str:
        return sign_in.plain_code(self.cleaned_data["present"])


def account_page(request: HttpRequest) -> HttpResponse:
    user = cast("User", request.user)
    context = {
        **admin.site.each_context(request),
        "title": "Your account",
        "device": second_factor.device_of(user),
        "left": StaticToken.objects.filter(device__user=user).count(),
        "made": second_factor.RECOVERY_CODES,
        "is_required": settings.SECOND_FACTOR_REQUIRED,
        "roles": [group.name for group in user.groups.all()],
    }
    return TemplateResponse(request, "admin/account/account.html", context)


@sensitive_post_parameters("code")
def recovery_codes_page(request: HttpRequest) -> HttpResponse:
    """Ask for a current code, then make new recovery codes and show them once."""
    user = cast("User", request.user)
    if second_factor.device_of(user) is None:
        return HttpResponseRedirect(reverse("admin:account"))
    form = sign_in.CodeForm(request, request.POST or None)
    if sign_in.try_code(request, form):
        codes = second_factor.make_recovery_codes(user, **staff_actor(request))
        return _codes_page(request, codes, then=reverse("admin:account"))
    context = {**admin.site.each_context(request), "title": "Make new recovery codes"}
    return sign_in.answer(request, "admin/account/recovery_codes.html", form, context)


@never_cache
@staff_member_required
@sensitive_post_parameters("code", "present")
def set_up_page(request: HttpRequest) -> HttpResponse:
    """Show a new key, and accept it once the app makes a correct code with it.

    An account with a second factor also needs a code of that one.
    """
    user = cast("User", request.user)
    was_in, replaces = admin.site.has_permission(request), second_factor.device_of(user) is not None
    if replaces and not was_in:
        return sign_in.to_step("admin:sign_in_code", request)
    key = request.session.get(NEW_KEY)
    # A code that was typed for an earlier key is not a wrong code for this one.
    data = request.POST or None if key else None
    key = request.session.setdefault(NEW_KEY, random_hex(20))
    form = (NewAppForm if replaces else sign_in.CodeForm)(request, data)
    # Without focus at first, or a phone scrolls past the QR code.
    form.fields["code"].widget.attrs |= {"autofocus": form.is_bound, "inputmode": "numeric"}
    if form.is_valid():
        device, codes, wrong = second_factor.set_up(
            user, key, **form.cleaned_data, **staff_actor(request)
        )
        if device:
            del request.session[NEW_KEY]
            sign_in.verified(request, device)
            then = reverse("admin:account") if was_in else sign_in.next_page(request)
            page = _codes_page(request, codes, then=then)
            return page if was_in else sign_in.signed_in(request, page)
        if wrong not in form.fields:  # another window finished the set-up first
            return sign_in.to_step("admin:sign_in_code", request)
        form.refuse(wrong)
    return sign_in.answer(request, "admin/account/set_up.html", form, _key_context(user, key))


def _key_context(user: User, key: str) -> dict[str, Any]:
    device = TOTPDevice(user=user, key=key)
    qr = segno.make(device.config_url, error="m")
    return {
        **sign_in.FRAME,
        "title": "Set up your second factor",
        "qr": qr.svg_inline(border=4, light="#fff", omitsize=True, svgclass="qr"),
        "uri": device.config_url,
        "key": second_factor.key_text(key),
        "issuer": settings.OTP_TOTP_ISSUER,
    }


def _codes_page(request: HttpRequest, codes: Sequence[str], *, then: str) -> HttpResponse:
    """Show new recovery codes, only in the response to the POST that made them."""
    context = {"title": "Your recovery codes", "codes": codes, "then": then}
    return TemplateResponse(request, "admin/account/codes.html", sign_in.FRAME | context)
