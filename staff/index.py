"""The start page of the admin: search and shortcuts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, cast

from django.apps import apps
from django.contrib.admin import AdminSite
from django.contrib.auth import get_user_model
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from staff import roles

# Lists grouped by task, each under the name that staff use.
GROUPS = {
    "Partners": {
        "partners.partner": "Partners",
        "partners.project": "Projects",
        "tokens.accesstoken": "Access tokens",
        "assessments.refusedcall": "Refused calls",
        "assessments.webhookendpoint": "Webhooks",
    },
    "Students": {
        "assessments.assessmentlink": "Links",
        "assessments.student": "Students",
        "assessments.assessment": "Assessments",
    },
    "Content": {
        "assessments.course": "Courses",
        "assessments.item": "Items",
        "assessments.itembank": "Item banks",
    },
    "Figures": {
        "assessments.figures": "Figures",
    },
    "Accounts and audit": {
        "auth.user": "Staff accounts",
        "auth.group": "Roles",
        "partners.auditevent": "Audit trail",
    },
}
# How many administrators to name to a user without a role.
NAMED_AT_MOST = 5
# New tokens, as administrators see them.
NEW_FOR, NEW_AT_MOST = timedelta(days=14), 10


@dataclass(frozen=True)
class Act:
    """A button of the start page, for users who have all of the permissions."""

    words: str
    page: str
    permissions: tuple[str, ...]


ACTS = (
    Act(
        "Onboard a partner",
        "admin:onboard",
        ("partners.add_partner", "partners.add_project", "tokens.issue_token"),
    ),
    Act("Issue an access token", "admin:tokens_accesstoken_issue", ("tokens.issue_token",)),
    Act("Add a course", "admin:assessments_course_add", ("assessments.add_course",)),
    Act("See the figures", "admin:assessments_figures_changelist", ("partners.view_project",)),
    Act(
        "Read the audit trail",
        "admin:partners_auditevent_changelist",
        ("partners.view_auditevent",),
    ),
    Act("Add a staff account", "admin:auth_user_add", ("auth.add_user",)),
)


class StartPage(AdminSite):
    """The admin site's start page and lists."""

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Return the lists that the user may open, grouped by task instead of by app.

        A model in no group comes last, under "Other".
        """
        found = {
            f"{app}.{entry['object_name'].lower()}": {"app": app, **entry}
            for app, of_app in self._build_app_dict(request, app_label).items()
            for entry in of_app["models"]
        }
        groups = [
            (
                name,
                [
                    {**found.pop(label), "name": words}
                    for label, words in labels.items()
                    if label in found
                ],
            )
            for name, labels in GROUPS.items()
        ]
        groups.append(("Other", list(found.values())))
        return [
            {
                "name": name,
                "app_label": name.split()[0].lower(),
                "app_url": reverse("admin:index"),
                "has_module_perms": True,
                "models": models,
            }
            for name, models in groups
            if models
        ]

    def app_index(
        self, request: HttpRequest, app_label: str, extra_context: dict[str, Any] | None = None
    ) -> Any:
        """Show the lists of one app; the breadcrumbs link here."""
        title = {"title": apps.get_app_config(app_label).verbose_name}
        return super().app_index(request, app_label, {**title, **(extra_context or {})})

    def autocomplete_view(self, request: HttpRequest) -> HttpResponse:
        # Imported here because it needs the apps' models.
        from staff.choices import OfferedRows

        return cast("HttpResponse", OfferedRows.as_view(admin_site=self)(request))

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        has_something = bool(self.get_app_list(request))
        context = {
            "title": "Start",
            "acts": acts_for(request),
            "may_find": request.user.has_perm("assessments.view_assessmentlink"),
            "attention": needs_attention(request),
            "new_tokens": new_tokens() if request.user.has_perm("auth.change_user") else [],
            "ask": [] if has_something else administrators(),
            **(extra_context or {}),
        }
        return super().index(request, context)


def acts_for(request: HttpRequest) -> list[dict[str, str]]:
    """Return the buttons for this user's permissions, the most common first."""
    return [
        {"words": act.words, "address": reverse(act.page)}
        for act in ACTS
        if request.user.has_perms(act.permissions)
    ]


def needs_attention(request: HttpRequest) -> list[Any]:
    """Return what needs attention and the user may act on, the most urgent first."""
    from assessments.support.attention import attention

    return [each for each in attention() if request.user.has_perm(each.permission)]


def new_tokens() -> list[Any]:
    """Return the tokens of the last two weeks, the newest first.

    Whoever issues a token can read outcomes with it, so administrators see each one.
    """
    from tokens.models import AccessToken

    tokens = AccessToken.objects.with_project().with_issuer().newest_first()
    return list(tokens.filter(issued_at__gt=timezone.now() - NEW_FOR)[:NEW_AT_MOST])


def administrators() -> list[str]:
    """Return the names of users who can give a role."""
    active = get_user_model()._default_manager.filter(is_active=True, is_staff=True)
    may_give = active.filter(Q(groups__name=roles.ADMINISTRATOR) | Q(is_superuser=True)).distinct()
    return [
        user.get_full_name() or user.get_username()
        for user in may_give.order_by("pk")[:NAMED_AT_MOST]
    ]
