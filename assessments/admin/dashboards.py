"""The page of statistics, for one project or all, in place of a list of counted days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone

from assessments.admin import privacy
from assessments.admin.readonly import ReadOnly
from assessments.charts.dashboard_report import FEWEST_TOGETHER
from assessments.models import ProjectDay
from assessments.models.day_counts import days_to_count, recount_days
from assessments.models.statistics import figures
from partners.actor_context import staff_actor
from partners.models import Project
from partners.project_search import search_projects

RIGHT = "partners.view_project"
DAYS = (7, 30, 90)
DEFAULT_DAYS = 30
# If more projects match, the page asks for a longer name.
MAX_PROJECTS = 20
# The user waits for the page, so the command counts longer gaps.
MAX_DAYS_COUNTED = 3
COUNTED_JUST_NOW = timedelta(minutes=1)


@dataclass(frozen=True)
class Selection:
    """The choice in the address. `found` are the projects that match `asked`.

    `is_default` is true if the address asked for a number of days that is not offered.
    """

    asked: str
    found: list[Project]
    days: int
    is_default: bool = False

    @classmethod
    def of(cls, parameters: Any) -> Selection:
        asked = parameters.get("project", "").strip()
        days = parameters.get("days", "")
        known = {str(each): each for each in DAYS}
        found = list(search_projects(asked)[: MAX_PROJECTS + 1]) if asked else []
        return cls(asked, found, known.get(days, DEFAULT_DAYS), bool(days) and days not in known)

    @property
    def project(self) -> Project | None:
        """The chosen project, or None for all projects and if several match."""
        return self.found[0] if len(self.found) == 1 else None

    @property
    def is_clear(self) -> bool:
        return not self.asked or self.project is not None

    def address(self, days: int | None = None) -> str:
        """Return the address of these figures, optionally for another number of days."""
        query = {"project": self.project.pk} if self.project else {}
        page = reverse("admin:assessments_projectday_changelist")
        return f"{page}?{urlencode({**query, 'days': days or self.days})}"


@admin.register(ProjectDay)
class DashboardAdmin(ReadOnly):
    """Shows figures in place of the list of counted days. A single day has no page."""

    def has_view_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return request.user.has_perm(RIGHT)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(RIGHT)

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view(self.changelist_view)
        count = self.admin_site.admin_view(self.count_view)
        export = self.admin_site.admin_view(partial(privacy.export, self))
        return [
            path("", page, name="assessments_projectday_changelist"),
            path("count/", count, name="assessments_projectday_count"),
            path("<int:pk>/export/", export, name="assessments_projectday_export"),
        ]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the figures of one project or of all, or the projects that match."""
        self._permit(request)
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        at = timezone.now()
        wanted = Selection.of(request.GET)
        project = wanted.project
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "media": self.media,
            "title": title(wanted),
            "wanted": wanted,
            "project": project,
            "ranges": [(days, wanted.address(days)) for days in DAYS],
            "figures": figures(project, wanted.days, at) if wanted.is_clear else None,
            "fewest_together": FEWEST_TOGETHER,
            "day_begins": day_begins(project, at) if project else "",
            "more_projects": len(wanted.found) > MAX_PROJECTS,
            **(extra_context or {}),
        }
        return TemplateResponse(request, "admin/assessments/projectday/dashboard.html", context)

    def count_view(self, request: HttpRequest) -> HttpResponse:
        """Count the days since the last count, unless there are too many.

        Needs only the permission to see the figures, since counting changes no record.
        """
        self._permit(request)
        if request.method != "POST":  # signing in again redirects here with a GET
            return HttpResponseRedirect(Selection.of(request.GET).address())
        at = timezone.now()
        days = days_to_count(at)
        newest = ProjectDay.objects.last_counted_at()
        if newest and timedelta(0) <= at - newest < COUNTED_JUST_NOW:
            messages.info(request, "The figures were counted less than a minute ago.")
        elif len(days) > MAX_DAYS_COUNTED:
            messages.warning(
                request,
                f"{len(days)} days have not been counted, too many to count here. Ask the operator "
                "of this service to run “manage.py refresh_statistics”.",
            )
        else:
            recount_days(days, at, **staff_actor(request))
            messages.success(request, "Counted.")
        return HttpResponseRedirect(Selection.of(request.POST).address())

    def _permit(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied


def title(wanted: Selection) -> str:
    if wanted.project:
        return f"Figures of {wanted.project.name}"
    return "Figures of all projects" if wanted.is_clear else "Choose a project"


def day_begins(project: Project, at: datetime) -> str:
    """Return when a counted day begins in the project's time zone, such as 05:30."""
    midnight = datetime.combine(at.astimezone(UTC), time(), UTC)
    return f"{midnight.astimezone(ZoneInfo(project.time_zone)):%H:%M}"
