"""The page of statistics, for one project or all, in place of a list of counted days."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
    StreamingHttpResponse,
)
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.views.decorators.http import require_safe

from assessments.admin import privacy
from assessments.admin.attempts import FLAG_WORDS, VIEW_OUTCOMES
from assessments.admin.audited_views import FINDS, note_list
from assessments.admin.figures_choice import DAYS, MAX_PROJECTS, Selection
from assessments.admin.readonly import ReadOnly
from assessments.charts.dashboard_report import FEWEST_TOGETHER
from assessments.models import ProjectDay
from assessments.models.day_counts import days_to_count, recount_days
from assessments.models.statistics import (
    DETAILS_KEPT,
    MOST_COMPARED,
    MOST_DAYS_OF_ALL,
    beside_each_other,
    figures,
)
from assessments.support import figures_file, not_started
from partners.actor_context import staff_actor
from partners.models import Project

RIGHT = "partners.view_project"
# The user waits for the page, so the command counts longer gaps.
MAX_DAYS_COUNTED = 3
COUNTED_JUST_NOW = timedelta(minutes=1)
CSV = "text/csv; charset=utf-8"


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
        download = self.admin_site.admin_view(require_safe(self.download_view))
        waiting = self.admin_site.admin_view(require_safe(self.not_started_view))
        export = self.admin_site.admin_view(partial(privacy.export, self))
        return [
            path("", page, name="assessments_projectday_changelist"),
            path("count/", count, name="assessments_projectday_count"),
            path("download/", download, name="assessments_projectday_download"),
            path("not-started/", waiting, name="assessments_projectday_not_started"),
            path("<int:pk>/export/", export, name="assessments_projectday_export"),
        ]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the figures of a project, a partner or all projects, or the projects that match."""
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
            "everybody": f"{request.path}?{wanted.query_of_days}",
            "ranges": [(days, wanted.address(days)) for days in DAYS],
            "figures": (
                figures(wanted.scope, wanted.period, wanted.compared, at)
                if wanted.is_complete
                else None
            ),
            "beside": (
                beside_each_other(wanted.scope, wanted.period) if wanted.is_complete else None
            ),
            "most_compared": MOST_COMPARED,
            "most_days_of_all": MOST_DAYS_OF_ALL,
            "details_kept": DETAILS_KEPT.days,
            "signs": FLAG_WORDS.values(),
            "fewest_together": FEWEST_TOGETHER,
            "may_find": request.user.has_perm(FINDS),
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

    def download_view(self, request: HttpRequest) -> HttpResponseBase:
        """Return the counted days as a CSV file."""
        self._permit(request)
        wanted = self._clear(request)
        pieces = figures_file.csv_file(
            wanted.scope, wanted.period, with_outcomes=request.user.has_perm(VIEW_OUTCOMES)
        )
        return _file(
            pieces, f"figures-{wanted.called}-{wanted.period.first}-{wanted.period.last}.csv"
        )

    def not_started_view(self, request: HttpRequest) -> HttpResponseBase:
        """List the students of a project who have not started, by reference, or return a file."""
        self._permit(request)
        if not request.user.has_perm(FINDS):
            raise PermissionDenied
        wanted, at = self._clear(request), timezone.now()
        project, period = wanted.project, wanted.period_up_to_now
        if project is None:
            raise Http404
        if request.GET.get("file") == "csv":
            found = not_started.count(project, period)
            note_list(request, "a file of students who have not started", found)
            pieces = not_started.csv_file(project, period, at)
            name = f"not-started-{wanted.called}-{period.first}-{period.last}.csv"
            return _file(pieces, name)
        waiting, has_more = not_started.listed(project, period, at)
        note_list(request, "students who have not started", len(waiting))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "media": self.media,
            "title": f"Not started: {project.name}",
            "wanted": wanted,
            "period": period,
            "project": project,
            "waiting": waiting,
            "has_more": has_more,
            "most_listed": not_started.MOST_LISTED,
        }
        return TemplateResponse(request, "admin/assessments/projectday/not_started.html", context)

    def _clear(self, request: HttpRequest) -> Selection:
        """Return the choice in the address. Raises Http404 unless it names one."""
        wanted = Selection.of(request.GET)
        if not wanted.is_complete:
            raise Http404
        return wanted

    def _permit(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied


def _file(pieces: Any, name: str) -> StreamingHttpResponse:
    disposition = f'attachment; filename="{name}"'
    return StreamingHttpResponse(
        pieces, content_type=CSV, headers={"Content-Disposition": disposition}
    )


def title(wanted: Selection) -> str:
    if whose := wanted.project or wanted.partner:
        return f"Figures of {whose.name}"
    return "Figures of all projects" if wanted.is_clear else "Choose a project"


def day_begins(project: Project, at: datetime) -> str:
    """Return when a counted day begins in the project's time zone, such as 05:30."""
    midnight = datetime.combine(at.astimezone(UTC), time(), UTC)
    return f"{midnight.astimezone(ZoneInfo(project.time_zone)):%H:%M}"
