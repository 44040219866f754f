"""The page of figures, for one project, a partner or all projects, and its files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import admin
from django.contrib.auth.decorators import permission_required
from django.db import models
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.views.decorators.http import require_safe

from assessments.desk import privacy
from assessments.desk.audited_views import FINDS, note_list
from assessments.figures import unfinished
from assessments.figures.chart import line_chart
from assessments.figures.counts import (
    Counts,
    DayCounts,
    Students,
    count_by_day,
    count_students,
    csv_file,
)
from assessments.models.figures import Figures
from partners.admin_base import ReadOnly
from partners.models import Partner, Project

VIEW_PROJECT = "partners.view_project"
RANGES = (7, 30, 90)
MOST_LISTED = 50
TEMPLATES = "admin/assessments/figures"


@admin.register(Figures)
class FiguresAdmin(ReadOnly):
    def has_view_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return request.user.has_perm(VIEW_PROJECT)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(VIEW_PROJECT)

    def get_urls(self) -> list[URLPattern]:
        def view(function: Any, *permissions: str) -> Any:
            needed = permission_required([VIEW_PROJECT, *permissions], raise_exception=True)
            return self.admin_site.admin_view(needed(require_safe(function)))

        not_done = view(self.unfinished_view, FINDS)
        export = self.admin_site.admin_view(privacy.ExportResults.as_view(model_admin=self))
        return [
            path("", view(self.changelist_view), name="assessments_figures_changelist"),
            path("download/", view(self.download_view), name="assessments_figures_download"),
            path("unfinished/", not_done, name="assessments_figures_unfinished"),
            path("<int:pk>/export/", export, name="assessments_figures_export"),
        ]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the figures, or the projects that match if it is not clear which is meant."""
        form = FiguresForm(request.GET)
        context = self._context(request, form) | {"title": "Figures"}
        if form.is_valid():
            data = form.cleaned_data
            counts = count_by_day(form.projects(), data["first"], data["last"])
            whose = data["project"] or data["partner"]
            students = count_students(form.projects(), data["first"], data["last"])
            context |= figures(counts, students, data)
            context["title"] = f"Figures of {whose.name}" if whose else "Figures of all projects"
        return TemplateResponse(request, f"{TEMPLATES}/figures.html", context)

    def download_view(self, request: HttpRequest) -> HttpResponseBase:
        form = valid_form(request)
        first, last = form.cleaned_data["first"], form.cleaned_data["last"]
        counts = count_by_day(form.projects(), first, last)
        return csv_response(csv_file(counts), f"figures-{file_name(form)}")

    def unfinished_view(self, request: HttpRequest) -> HttpResponseBase:
        """List the students of a project who have not finished, by reference, or return a file."""
        form, at = valid_form(request), timezone.now()
        project = form.cleaned_data["project"]
        if project is None:
            raise Http404
        first, last = form.cleaned_data["first"], form.cleaned_data["last"]
        started = {"yes": True, "no": False}.get(request.GET.get("started", ""))
        links = unfinished.unfinished_links(project, first, last, started=started)
        if request.GET.get("file") == "csv":
            note_list(request, "a file of students who have not finished", links.count())
            return csv_response(unfinished.csv_file(links, at), f"unfinished-{file_name(form)}")
        rows, has_more = unfinished.newest(links, at)
        note_list(request, "students who have not finished", len(rows))
        context = self._context(request, form) | {
            "title": f"Not finished: {project.name}",
            "rows": rows,
            "started": started,
            "has_more": has_more,
            "most_listed": unfinished.MOST_LISTED,
        }
        return TemplateResponse(request, f"{TEMPLATES}/unfinished.html", context)

    def _context(self, request: HttpRequest, form: FiguresForm) -> dict[str, Any]:
        return {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "media": self.media,
            "form": form,
            "chosen": form.cleaned_data if form.is_valid() else {},
            "may_find": request.user.has_perm(FINDS),
        }


def figures(counts: DayCounts, students: Students, data: dict[str, Any]) -> dict[str, Any]:
    first, last, today = data["first"], data["last"], data["today"]
    total = Counts()
    for each in counts.values():
        total.add(each)
    by_day = _add_up(counts, lambda project, day: day)
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    # An unfinished day would look like a fall.
    without_today = [day for day in days if day != today] or days
    filled = [by_day.get(day, Counts()) for day in without_today]
    series = [
        ("started", "Started", [each.started for each in filled]),
        ("completed", "Completed", [each.completed for each in filled]),
    ]
    return {
        "tiles": [
            ("Completion rate", total.completion_rate or "none yet", ""),
            ("Links issued", f"{total.issued:,}", ""),
            ("Started", f"{total.started:,}", _by_students(students.started)),
            ("Completed", f"{total.completed:,}", _by_students(students.completed)),
            ("Abandoned", f"{total.abandoned:,}", ""),
        ],
        "chart": line_chart(without_today, series),
        "by_day": sorted(by_day.items(), reverse=True),
        **_by_owner(counts, data["partner"], data["project"]),
        "ranges": [(number, today - timedelta(days=number - 1)) for number in RANGES],
    }


def _by_students(count: int) -> str:
    return f"by {count:,} student{'' if count == 1 else 's'}"


def _by_owner(
    counts: DayCounts, partner: Partner | None, project: Project | None
) -> dict[str, Any]:
    """Return counts by project of a partner, or by partner of all, with the most starts first."""
    if project:
        return {}
    projects = Project.objects.select_related("partner").in_bulk({key for key, _ in counts})

    def owner(key: int, day: date) -> Project | Partner:
        return projects[key] if partner else projects[key].partner

    rows = [*_add_up(counts, owner).items()]
    rows.sort(key=lambda row: (-row[1].started, -row[1].issued, row[0].name))
    return {"owners": rows[:MOST_LISTED], "more_owners": len(rows) > MOST_LISTED}


def _add_up(counts: DayCounts, key: Any) -> dict[Any, Counts]:
    groups: defaultdict[Any, Counts] = defaultdict(Counts)
    for place, found in counts.items():
        groups[key(*place)].add(found)
    return groups


def valid_form(request: HttpRequest) -> FiguresForm:
    """Return the form in the address. Raises Http404 if it is not valid."""
    form = FiguresForm(request.GET)
    if not form.is_valid():
        raise Http404
    return form


def file_name(form: FiguresForm) -> str:
    data = form.cleaned_data
    whose = data["project"].project_id if data["project"] else "all"
    if data["partner"] and not data["project"]:
        whose = f"partner-{data['partner'].pk}"
    return f"{whose}-{data['first']}-{data['last']}.csv"


def csv_response(lines: Iterator[str], name: str) -> StreamingHttpResponse:
    return StreamingHttpResponse(
        lines,
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


DEFAULT_DAYS = 30
MOST_DAYS = 366
# The service is younger. It also keeps every date within what can be computed.
FIRST_DAY = date(2020, 1, 1)
# If more projects match, the page asks for a longer name.
MOST_MATCHES = 20


def _date_field(label: str) -> forms.DateField:
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    return forms.DateField(label=label, required=False, widget=widget)


class FiguresForm(forms.Form):
    """A project, a partner or neither, and two dates: by default the last 30 days with today."""

    partner = forms.ModelChoiceField(Partner.objects.all(), required=False)
    project = forms.CharField(max_length=200, required=False)
    first = _date_field("From")
    last = _date_field("To")

    matches: list[Project]

    def clean_project(self) -> Project | None:
        """Return the only match. Raises ValidationError otherwise, and keeps the `matches`."""
        self.matches = []
        asked, partner = self.cleaned_data["project"], self.cleaned_data.get("partner")
        if not asked:
            return None
        found = Project.objects.search(asked)
        if partner:
            found = found.filter(partner=partner)
        self.matches = list(found[: MOST_MATCHES + 1])
        if not self.matches:
            raise forms.ValidationError(
                "No project matches. Type part of the project's or partner's name, or the "
                "complete project id."
            )
        if len(self.matches) > MOST_MATCHES:
            raise forms.ValidationError("Many projects match. Type more of the name, or choose.")
        if len(self.matches) > 1:
            raise forms.ValidationError("Several projects match. Choose one.")
        return self.matches[0]

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if self.errors:
            return data
        zones = self.projects().order_by().values_list("time_zone", flat=True).distinct()
        today = max(timezone.localdate(timezone=ZoneInfo(zone)) for zone in [*zones] or ["UTC"])
        last = min(data["last"] or today, today)
        if last < FIRST_DAY:
            raise forms.ValidationError(f"There are no figures before {FIRST_DAY.year}.")
        first = max(data["first"] or last - timedelta(days=DEFAULT_DAYS - 1), FIRST_DAY)
        if last < first:
            raise forms.ValidationError("The first day is after the last, or after today.")
        if (last - first).days >= MOST_DAYS:
            raise forms.ValidationError(f"Choose at most {MOST_DAYS} days.")
        return {**data, "first": first, "last": last, "today": today}

    def projects(self) -> QuerySet[Project]:
        if project := self.cleaned_data["project"]:
            return Project.objects.filter(pk=project.pk)
        if partner := self.cleaned_data["partner"]:
            return Project.objects.filter(partner=partner)
        return Project.objects.all()
