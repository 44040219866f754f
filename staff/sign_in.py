"""The pages of sign-in: password, then code. The first sign-in sets up the authenticator app.

The password alone starts a session, but `StaffSite.has_permission` does not let it open a page.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import urlencode

import django_otp
import segno
from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth.models import User
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.debug import sensitive_post_parameters

from partners.actor_context import staff_actor, unknown_actor
from partners.models import AuditEvent
from staff import second_factor, sessions, sign_in_limits
from staff.sign_in_forms import CodeForm, SignInForm

View = Callable[..., HttpResponse]

# Session keys: the device being set up, and when the session last passed the second factor.
PENDING = "staff_pending_device"
PROVED_AT = "staff_proved_at"
PROOF_LASTS = 10 * 60

# Hide the admin's navigation: it lists pages that cannot be opened yet.
FRAME = {"has_permission": False, "is_nav_sidebar_enabled": False}


def after_password(view: View) -> View:
    """Require the password, but not yet the second factor."""

    @never_cache
    @csrf_protect
    @sensitive_post_parameters("code")
    @wraps(view)
    def checked(request: HttpRequest, site: AdminSite) -> HttpResponse:
        if not (request.user.is_active and request.user.is_staff):
            return _redirect("admin:login", request)
        return view(request, site)

    return cast("View", checked)


@never_cache
@csrf_protect
@sensitive_post_parameters("username", "password")
def password_page(request: HttpRequest, site: AdminSite) -> HttpResponse:
    form = SignInForm(request, request.POST if request.method == "POST" else None)
    if form.is_valid():
        sessions.begin(request, form.get_user(), at=timezone.now())
        if second_factor.is_passed(request.user):
            return _signed_in(request, HttpResponseRedirect(next_page(request)))
        return _redirect("admin:sign_in_code", request)
    if not form.is_bound:
        if site.has_permission(request):
            return HttpResponseRedirect(next_page(request))
        if request.user.is_active and request.user.is_staff:
            return _redirect("admin:sign_in_code", request)
    elif form.has_error(NON_FIELD_ERRORS, "invalid_login"):
        _note_refusal(request, form.cleaned_data["username"])
    return _step(
        request,
        "admin/login.html",
        form,
        title="Sign in",
        ended=sessions.ENDED.get(request.GET.get("ended", "")),
        is_unsaved=request.GET.get("unsaved") == "1",
    )


@after_password
def code_page(request: HttpRequest, site: AdminSite) -> HttpResponse:
    user = cast("User", request.user)
    if site.has_permission(request):
        return HttpResponseRedirect(next_page(request))
    if second_factor.device_of(user) is None:
        return _redirect("admin:second_factor", request)
    form = code_form(request)
    device = try_code(request, form)
    if device:
        _verified(request, device)
        if len(form.cleaned_data["code"]) > device.digits:
            note_proof(request)
            _say_what_is_left(request, user)
        return _signed_in(request, HttpResponseRedirect(next_page(request)))
    title = "Enter a recovery code" if form.is_recovery else "Enter your code"
    return _step(request, "admin/account/code.html", form, title=title, next=next_page(request))


@after_password
def set_up_page(request: HttpRequest, site: AdminSite) -> HttpResponse:
    """Show a new key, and accept it once the app makes a correct code with it.

    If the account has a second factor, this session must have passed it within PROOF_LASTS.
    """
    user = cast("User", request.user)
    replaces = site.has_permission(request) and is_proved(request)
    if second_factor.device_of(user) and not replaces:
        return _already_set_up(request, site)
    device = second_factor.set_up_of(user, request.session.get(PENDING))
    is_new = device is None
    if device is None:
        device = second_factor.begin_set_up(user)
        request.session[PENDING] = device.pk
    # A code that was typed for an earlier key is not a wrong code for this one.
    data = None if is_new else request.POST or None
    # Without focus at first, or a phone scrolls past the QR code.
    form = CodeForm(data, is_focused=data is not None)
    if form.is_valid():
        try:
            outcome, codes = second_factor.confirm(
                user,
                device.pk,
                form.cleaned_data["code"],
                replaces=replaces,
                **staff_actor(request),
            )
        except (second_factor.AlreadySetUp, second_factor.NothingToSetUp):
            # Another window finished the set-up first.
            return _already_set_up(request, site)
        if outcome.device:
            was_in = site.has_permission(request)
            _verified(request, outcome.device)
            page = codes_page(request, codes, then=next_page(request))
            return page if was_in else _signed_in(request, page)
        _refuse(request, form, outcome)
    return _step(
        request,
        "admin/account/set_up.html",
        form,
        title="Set up your second factor",
        qr=segno.make(device.config_url, error="m").svg_inline(
            border=4, light="#fff", omitsize=True, svgclass="qr"
        ),
        uri=device.config_url,
        key=second_factor.key_text(device),
        issuer=settings.OTP_TOTP_ISSUER,
        replaces=replaces,
    )


@never_cache
@csrf_protect
def sign_out_page(request: HttpRequest, site: AdminSite) -> HttpResponse:
    """Sign out by POST only, so that no link can do it. A GET redirects to the start page."""
    if request.method != "POST":
        return HttpResponseRedirect(reverse("admin:index"))
    if request.user.is_authenticated:
        sessions.sign_out(request)
    return sessions.to_sign_in(ended="out")


def code_form(request: HttpRequest) -> CodeForm:
    """Return the code form; `?with=recovery` asks for a recovery code."""
    return CodeForm(request.POST or None, is_recovery=request.GET.get("with") == "recovery")


def note_proof(request: HttpRequest) -> None:
    """Record that the session has passed the second factor, so that it may set up another app."""
    request.session[PROVED_AT] = int(timezone.now().timestamp())


def is_proved(request: HttpRequest) -> bool:
    seconds = timezone.now().timestamp() - request.session.get(PROVED_AT, 0)
    return bool(seconds < PROOF_LASTS)


def try_code(request: HttpRequest, form: CodeForm) -> Any:
    """Return the device if the form holds a correct code, else add the error to the form."""
    if not form.is_valid():
        return None
    wait = sign_in_limits.address_wait(request)
    outcome = second_factor.Answer(wait=wait)
    if not wait:
        user = cast("User", request.user)
        outcome = second_factor.verify(user, form.cleaned_data["code"], **staff_actor(request))
    if outcome.device is None:
        _refuse(request, form, outcome)
    return outcome.device


def codes_page(request: HttpRequest, codes: list[str], *, then: str) -> HttpResponse:
    """Show new recovery codes, only in the response to the POST that made them."""
    context = {"title": "Your recovery codes", "codes": codes, "then": then}
    return TemplateResponse(request, "admin/account/codes.html", FRAME | context)


def next_page(request: HttpRequest) -> str:
    """Return the admin page to open after sign-in: the requested one, else the start page."""
    index = reverse("admin:index")
    wanted = request.POST.get("next") or request.GET.get("next") or index
    is_plain = wanted.isprintable() and "\\" not in wanted
    is_ours = wanted.startswith(index) and url_has_allowed_host_and_scheme(wanted, None)
    leads_back = wanted.startswith((reverse("admin:login"), reverse("admin:logout")))
    return wanted if is_plain and is_ours and not leads_back else index


def _redirect(name: str, request: HttpRequest) -> HttpResponse:
    """Redirect to another step of sign-in, and keep the page to open afterwards."""
    wanted = next_page(request)
    query = "" if wanted == reverse("admin:index") else f"?{urlencode({'next': wanted})}"
    return HttpResponseRedirect(f"{reverse(name)}{query}")


def _already_set_up(request: HttpRequest, site: AdminSite) -> HttpResponse:
    if not site.has_permission(request):
        return _redirect("admin:sign_in_code", request)
    messages.info(
        request,
        "Your second factor is set up. If you did not save the recovery codes, make new ones here.",
    )
    return HttpResponseRedirect(reverse("admin:account"))


def _verified(request: HttpRequest, device: Any) -> None:
    """Mark the session as verified, and change its key."""
    django_otp.login(request, device)
    request.session.pop(PENDING, None)
    request.session.pop(PROVED_AT, None)
    request.session.cycle_key()


def _signed_in(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    user = cast("User", request.user)
    AuditEvent.record("staff.signed_in", user, **staff_actor(request))
    sign_in_limits.remember_browser(request, response, user)
    return response


def _note_refusal(request: HttpRequest, name: str) -> None:
    """Count a wrong password, and audit it if the account exists.

    Unknown user names are not recorded: people type their password into that field.
    """
    sign_in_limits.count_failure(request)
    try:
        user = User.objects.get_by_natural_key(name)
    except User.DoesNotExist:
        return
    AuditEvent.record("staff.sign_in_refused", user, **unknown_actor(request))


def _refuse(request: HttpRequest, form: CodeForm, outcome: second_factor.Answer) -> None:
    if not outcome.wait:
        sign_in_limits.count_failure(request)
    form.refuse(outcome)


def _say_what_is_left(request: HttpRequest, user: User) -> None:
    messages.warning(
        request,
        f"You signed in with a recovery code. {second_factor.recovery_codes_left(user)} are left. "
        "If you no longer have your phone, set up another one on your account page.",
    )


def _step(
    request: HttpRequest, template: str, form: SignInForm | CodeForm, **context: Any
) -> HttpResponse:
    """Render a step of sign-in."""
    return answer(request, template, form, FRAME | context)


def answer(
    request: HttpRequest, template: str, form: SignInForm | CodeForm, context: dict[str, Any]
) -> HttpResponse:
    """Render a page with a form; status 429 with `Retry-After` after too many tries."""
    response = TemplateResponse(request, template, {**context, "form": form})
    if form.wait:
        response.status_code = HTTPStatus.TOO_MANY_REQUESTS
        response.headers["Retry-After"] = str(form.wait)
    return response
