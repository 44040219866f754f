"""Pages of your own account: the second factor and how to change it."""

from __future__ import annotations

from typing import Any, cast

from django.conf import settings
from django.contrib.admin import AdminSite
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters

from partners.actor_context import staff_actor
from staff import second_factor, sign_in
from staff.sign_in_forms import CodeForm


def account_page(request: HttpRequest, site: AdminSite) -> HttpResponse:
    user = cast("User", request.user)
    context = {
        **site.each_context(request),
        "title": "Your account",
        "device": second_factor.device_of(user),
        "left": second_factor.recovery_codes_left(user),
        "made": second_factor.RECOVERY_CODES,
        "is_required": settings.SECOND_FACTOR_REQUIRED,
        "roles": [group.name for group in user.groups.all()],
    }
    return TemplateResponse(request, "admin/account/account.html", context)


@sensitive_post_parameters("code")
def recovery_codes_page(request: HttpRequest, site: AdminSite) -> HttpResponse:
    """Ask for a current code, then make new recovery codes and show them once."""
    form = sign_in.code_form(request)
    if sign_in.try_code(request, form):
        codes = second_factor.make_recovery_codes(
            cast("User", request.user), **staff_actor(request)
        )
        return sign_in.codes_page(request, codes, then=reverse("admin:account"))
    return _ask_for_code(
        request,
        site,
        form,
        title="Make new recovery codes",
        says="You get ten new codes. Your present codes stop working.",
        button="Make new codes",
    )


@sensitive_post_parameters("code")
def new_app_page(request: HttpRequest, site: AdminSite) -> HttpResponse:
    """Ask for a current code, then redirect to the page that sets up another app.

    No code is needed right after a sign-in with a recovery code: the phone is probably lost.
    """
    form = sign_in.code_form(request)
    if sign_in.try_code(request, form):
        sign_in.note_proof(request)
    if sign_in.is_proved(request):
        back = reverse("admin:account")
        return HttpResponseRedirect(f"{reverse('admin:second_factor')}?next={back}")
    return _ask_for_code(
        request,
        site,
        form,
        title="Move to another phone",
        says="Your present app keeps working until you confirm the new one. If you no longer have "
        "the phone, type a recovery code.",
        button="Go on",
    )


def _ask_for_code(
    request: HttpRequest, site: AdminSite, form: CodeForm, **context: Any
) -> HttpResponse:
    if second_factor.device_of(cast("User", request.user)) is None:
        return HttpResponseRedirect(reverse("admin:account"))
    return sign_in.answer(
        request, "admin/account/ask.html", form, site.each_context(request) | context
    )
