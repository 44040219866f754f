"""The admin site: its start page, and the pages that belong to no model."""

from collections import ChainMap
from datetime import timedelta
from http import HTTPStatus
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils import timezone

from assessments.desk.attention import attention
from assessments.desk.invite import invite_check_page, invite_columns_page, invite_page
from assessments.made_up.student_preview import preview_page
from partners.models import AuditEvent, staff_actor
from staff import passwords, sessions, sign_in, sign_in_limits

# All lists, grouped by task, each under the name that staff use.
GROUPS = {
    "Partners": {
        "partners.partner": "Partners",
        "partners.project": "Projects",
        "assessments.projectfigures": "Figures",
        "tokens.accesstoken": "Access tokens",
        "assessments.refusedcall": "Refused calls",
        "assessments.webhookendpoint": "Webhooks",
    },
    "Students": {
        "assessments.assessmentlink": "Links",
        "assessments.student": "Students",
        "assessments.attempt": "Attempts",
    },
    "Content": {
        "assessments.course": "Courses",
        "assessments.item": "Items",
        "assessments.itembank": "Item banks",
    },
    "Accounts and audit": {
        "auth.user": "Staff accounts",
        "auth.group": "Roles",
        "partners.auditevent": "Audit trail",
    },
}
# Buttons of the start page, the most common first: words, page, and the permission it needs.
SUGGESTED_BUTTONS = (
    ("Onboard a partner", "onboard", "partners.add_partner"),
    ("Issue an access token", "tokens_accesstoken_issue", "tokens.issue_token"),
    ("Add a course", "assessments_course_add", "assessments.add_course"),
    ("See the figures", "assessments_projectfigures_changelist", "partners.view_project"),
    ("Read the audit trail", "partners_auditevent_changelist", "partners.view_auditevent"),
    ("Add a staff account", "auth_user_add", "auth.add_user"),
)
# New tokens, as administrators see them.
NEW_FOR, MAX_NEW = timedelta(days=14), 10


class StaffSite(AdminSite):
    site_url = None  # hides "View site"

    def has_permission(self, request: HttpRequest) -> bool:
        user: Any = request.user  # django-otp's middleware adds is_verified()
        is_passed = not settings.SECOND_FACTOR_REQUIRED or user.is_verified()
        return super().has_permission(request) and is_passed

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        minutes = sessions.IDLE // timedelta(minutes=1)
        own = {"version": settings.VERSION, "idle_minutes": minutes}
        return super().each_context(request) | own | {"docs": f"{settings.APP_URL}/docs/"}

    def get_urls(self) -> list[URLPattern | URLResolver]:
        # It imports an admin, which registers itself here: this module must have been read.
        from assessments.desk.onboarding import onboard_page

        wrap, invite = self.admin_view, "partners/project/<int:pk>/invite"
        return [
            path("login/", sign_in.password_page, name="login"),
            # Before Django's own, which does not let you sign out between password and code.
            path("logout/", sign_in.sign_out_page, name="logout"),
            path("login/code/", sign_in.code_page, name="sign_in_code"),
            path("login/set-up/", sign_in.set_up_page, name="second_factor"),
            path("choose-password/", passwords.choose_password_page, name="choose_password"),
            path("account/alive/", wrap(sessions.alive), name="alive"),
            path("account/", wrap(sign_in.account_page), name="account"),
            path(
                "account/recovery-codes/", wrap(sign_in.recovery_codes_page), name="recovery_codes"
            ),
            path("onboard/", wrap(onboard_page), name="onboard"),
            path(f"{invite}/", wrap(invite_page), name="invite"),
            path(f"{invite}/<int:upload>/", wrap(invite_check_page), name="invite_check"),
            path(
                f"{invite}/<int:upload>/columns/", wrap(invite_columns_page), name="invite_columns"
            ),
            path(
                "partners/project/<int:pk>/student-pages/<slug:name>/",
                wrap(preview_page),
                name="preview",
            ),
            # No form of ours looks rows up, so nothing is offered for it.
            *(each for each in super().get_urls() if getattr(each, "name", "") != "autocomplete"),
        ]

    def password_change(  # type: ignore[override]  # the stub omits the redirect
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Change your own password, and end the account's other sessions. Audited."""
        if request.method == "POST" and (seconds := sign_in_limits.seconds_to_wait(request)):
            messages.error(request, f"{sign_in.too_many(seconds)} Nothing was changed.")
            return redirect("admin:password_change")
        with transaction.atomic():
            response = super().password_change(request, extra_context)
            if response.status_code == HTTPStatus.FOUND:
                user = cast("User", request.user)
                AuditEvent.record("staff.password_changed", user, by=staff_actor(request))
                messages.success(request, "Your password was changed.")
                return redirect("admin:account")
        context = response.context_data if isinstance(response, TemplateResponse) else None
        if context and "old_password" in context["form"].errors:
            sign_in_limits.count_failure(request)  # as at sign-in: a stolen session cannot guess it
        return response

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Return the lists that the user may open, grouped by task instead of by app."""
        entries = {
            entry["model"]._meta.label_lower: entry
            for app in super().get_app_list(request, app_label)
            for entry in app["models"]
        }
        return [
            {
                "name": name,
                "app_label": name.split()[0].lower(),
                "models": [entries[each] | {"name": labels[each]} for each in listed],
            }
            for name, labels in GROUPS.items()
            if (listed := [each for each in labels if each in entries])
        ]

    def name_of_list(self, model: type[Model]) -> str:
        return ChainMap(*GROUPS.values())[model._meta.label_lower]

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        context = {
            "title": "Home",
            "acts": [
                {"words": words, "address": reverse(f"admin:{page}")}
                for words, page, permission in SUGGESTED_BUTTONS
                if request.user.has_perm(permission)
            ],
            "attention": [each for each in attention() if request.user.has_perm(each.permission)],
        }
        if request.user.has_perm("auth.change_user"):
            # A user who issues a token can read outcomes with it, so administrators see each one.
            issued = AuditEvent.objects.of_actions(["token.issued"]).with_staff_names()
            issued = issued.filter(at__gt=timezone.now() - NEW_FOR).select_related("project")
            context["new_tokens"] = list(issued.newest_first()[:MAX_NEW])
        return super().index(request, context)
