"""The start page of the staff's site: find a link, do one's usual acts, see the week."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from django.apps import apps
from django.contrib.admin import AdminSite
from django.contrib.auth import get_user_model
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from staff import roles

# What people do, and the lists for it, each by the name that staff call it.
GROUPS = {
    "Partners": {
        "partners.partner": "Partners",
        "partners.project": "Projects",
        "tokens.accesstoken": "Access tokens",
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
        "assessments.projectday": "Figures",
    },
    "Accounts and audit": {
        "auth.user": "Staff accounts",
        "auth.group": "Roles",
        "partners.auditevent": "Audit trail",
    },
}
# So many administrators are named to somebody who has to ask one.
NAMED_AT_MOST = 5


@dataclass(frozen=True)
class Act:
    """A button of the start page, for those who have all of the permissions."""

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
    Act(
        "Compare item banks",
        "admin:assessments_itembank_compare",
        ("assessments.publish_itembank",),
    ),
    Act("See the figures", "admin:assessments_projectday_changelist", ("partners.view_project",)),
    Act(
        "Read the audit trail",
        "admin:partners_auditevent_changelist",
        ("partners.view_auditevent",),
    ),
    Act("Add a staff account", "admin:auth_user_add", ("auth.add_user",)),
)


class StartPage(AdminSite):
    """The part of the site that knows what its models are for."""

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Return the lists that one may open, by what people do instead of by app.

        A model that stands in no group comes last, under "Other", so that it is not lost.
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
        """Show the lists of one app, which the path at the top of every page leads to."""
        title = {"title": apps.get_app_config(app_label).verbose_name}
        return super().app_index(request, app_label, {**title, **(extra_context or {})})

    def autocomplete_view(self, request: HttpRequest) -> HttpResponse:
        # not at the top: it needs the apps' models
        from staff.choices import OfferedRows

        return cast("HttpResponse", OfferedRows.as_view(admin_site=self)(request))

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        has_something = bool(self.get_app_list(request))
        context = {
            "title": "Start",
            "acts": acts_for(request),
            "may_find": request.user.has_perm("assessments.view_assessmentlink"),
            "week": week() if request.user.has_perm("partners.view_project") else None,
            "ask": [] if has_something else administrators(),
            **(extra_context or {}),
        }
        return super().index(request, context)


def acts_for(request: HttpRequest) -> list[dict[str, str]]:
    """Return the buttons for the rights of this person, the commonest act first."""
    return [
        {"words": act.words, "address": reverse(act.page)}
        for act in ACTS
        if request.user.has_perms(act.permissions)
    ]


def week() -> Any:
    """Return the figures of the last seven days; None before there are any."""
    from assessments.models import statistics

    return statistics.week(timezone.now())


def administrators() -> list[str]:
    """Return who can give a role, by name."""
    active = get_user_model()._default_manager.filter(is_active=True, is_staff=True)
    may_give = active.filter(Q(groups__name=roles.ADMINISTRATOR) | Q(is_superuser=True)).distinct()
    return [
        user.get_full_name() or user.get_username()
        for user in may_give.order_by("pk")[:NAMED_AT_MOST]
    ]
