"""The admin site, with the pages that belong to no model."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse

from staff.index import StartPage

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class StaffSite(StartPage):
    site_url = None  # hides "View site"

    # Imports are inside methods: Django makes the site before the models are ready.

    def has_permission(self, request: HttpRequest) -> bool:
        """Require the second factor too, where the settings ask for it."""
        from staff import second_factor

        return super().has_permission(request) and second_factor.is_passed(request.user)

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        from staff import sign_in

        return sign_in.password_page(request, self)

    def password_change(  # type: ignore[override]  # the stub omits the redirect
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Change your own password. Ends the account's other sessions. Audited.

        A wrong old password counts as it does at sign-in, so a stolen session cannot guess it.
        """
        from partners.actor_context import staff_actor
        from partners.models import AuditEvent
        from staff import sign_in_limits

        if request.method == "POST" and (seconds := sign_in_limits.address_wait(request)):
            said = f"Too many tries. Wait {seconds} seconds, then try again. Nothing was changed."
            messages.error(request, said)
            return HttpResponseRedirect(reverse("admin:password_change"))
        with transaction.atomic():
            response = super().password_change(request, extra_context)
            if isinstance(response, TemplateResponse) and request.method == "POST":
                form = (response.context_data or {})["form"]
                if "old_password" in form.errors:
                    sign_in_limits.count_failure(request)
            if response.status_code == HTTPStatus.FOUND:
                user = cast("User", request.user)
                AuditEvent.record("staff.password_changed", user, **staff_actor(request))
                messages.success(request, "Your password was changed.")
                return HttpResponseRedirect(reverse("admin:account"))
        return response

    def get_urls(self) -> list[URLPattern | URLResolver]:
        from assessments.admin.onboard_page import onboard_page
        from staff import account, password_links, sign_in

        pages = [
            ("account/", account.account_page, "account"),
            ("account/recovery-codes/", account.recovery_codes_page, "recovery_codes"),
            ("account/new-app/", account.new_app_page, "new_app"),
        ]
        return [
            # Before Django's own, which does not let you sign out between password and code.
            path("logout/", partial(sign_in.sign_out_page, site=self), name="logout"),
            path("login/code/", partial(sign_in.code_page, site=self), name="sign_in_code"),
            path("login/set-up/", partial(sign_in.set_up_page, site=self), name="second_factor"),
            path(
                "choose-password/",
                partial(password_links.choose_password_page, site=self),
                name="choose_password",
            ),
            *(
                path(at, self.admin_view(partial(page, site=self)), name=name)
                for at, page, name in pages
            ),
            path("onboard/", self.admin_view(onboard_page), name="onboard"),
            *super().get_urls(),
        ]
