"""Figures of one project, a partner or all projects, their files, and the export of results."""

import math
from collections import defaultdict
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.decorators import permission_required
from django.db import models
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path
from django.utils import timezone
from django.views.decorators.http import require_safe

from assessments.desk.audited_admin import VIEW_LINK, note_list
from assessments.figures.counts import Counts, DayCounts, count_students, counts_as_csv
from assessments.figures.forms import FiguresForm, form_or_404
from assessments.figures.models import ProjectFigures
from assessments.figures.unfinished import (
    ISSUE_LINK,
    MAX_UNFINISHED,
    STARTED,
    VIEW_STUDENT,
    FreshLinks,
    describe_unfinished,
    read_parameters,
    unfinished_as_csv,
)
from assessments.keeping import exports
from partners.back_office.actions import Action
from partners.back_office.admin_base import ReadOnlyAdmin
from partners.back_office.pages import admin_page, download
from partners.models import Project

VIEW_PROJECT = "partners.view_project"
RANGES = (7, 30, 90)
MAX_OWNERS = 50
# The view box of the chart, which is stretched to the size of the page.
WIDTH, HEIGHT = 1000, 100
GRIDLINES = 4  # above zero, approximately
MAX_LABELS = 5  # of days; they must fit on a phone


class ExportForm(forms.Form):
    since = forms.DateField(
        label="Ended since",
        required=False,
        help_text="Only attempts that ended on or after this day (UTC). Leave empty for all.",
        widget=forms.DateInput(attrs={"type": "date"}),
    )


class ExportResults(Action):
    name, title, button = "export", "Export results", "Download"
    permission = "assessments.export_results"
    form_class = ExportForm
    may_repeat = True

    def get_row(self, pk: int) -> None:
        self.project = get_object_or_404(Project.objects.select_related("partner"), pk=pk)

    @property
    def back(self) -> str:
        return f"{super().back}?project={self.project.pk}"

    def explain(self) -> Sequence[str]:
        return (
            f"The file contains the finished attempts of project {self.project}: student, status, "
            "times, recommended courses and, for completed attempts, scores. Text that begins like "
            "a formula is preceded by an apostrophe, so that a spreadsheet does not run it.",
            "It contains personal data. This export is logged. Keep the file where only the people "
            "who need it can read it, and delete it when you no longer need it.",
        )

    def run(self, *, since: date | None) -> HttpResponseBase:
        lines = exports.results(self.project, "csv", since=since, by=self.by)
        return download(lines, f"results-{self.project.project_id}-{timezone.now():%Y-%m-%d}.csv")


@admin.register(ProjectFigures)
class FiguresAdmin(ReadOnlyAdmin):
    def has_view_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return request.user.has_perm(VIEW_PROJECT)

    has_module_permission = has_view_permission

    def get_urls(self) -> list[URLPattern]:
        def view(function: Any, *permissions: str) -> Any:
            protect = permission_required([VIEW_PROJECT, *permissions], raise_exception=True)
            return self.admin_site.admin_view(protect(function))

        unfinished = view(require_safe(self.unfinished_view), VIEW_LINK)
        makes_links = FreshLinks.as_view(model_admin=self)
        fresh_links = view(makes_links, VIEW_LINK, VIEW_STUDENT, ISSUE_LINK)
        export = self.admin_site.admin_view(ExportResults.as_view(model_admin=self))
        return [
            path(address, page, name=f"assessments_projectfigures_{name}")
            for address, page, name in (
                ("", view(require_safe(self.changelist_view)), "changelist"),
                ("download/", view(require_safe(self.download_view)), "download"),
                ("unfinished/", unfinished, "unfinished"),
                ("unfinished/fresh-links/", fresh_links, "fresh_links"),
                ("<int:pk>/export/", export, "export"),
            )
        ]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        form = FiguresForm(request.GET)
        if not form.is_valid():
            return self._page(request, "figures", "Figures", form)
        owner = form.cleaned_data["project"] or form.cleaned_data["partner"]
        title = f"Figures of {owner.name if owner else 'all projects'}"
        return self._page(request, "figures", title, form, **figures_context(form))

    def download_view(self, request: HttpRequest) -> HttpResponseBase:
        form = form_or_404(request)
        return download(counts_as_csv(form.count_by_day()), f"figures-{form.file_name}")

    def unfinished_view(self, request: HttpRequest) -> HttpResponseBase:
        """List the students of a project who have not finished; `?file=csv` asks for a file."""
        form, project, links = read_parameters(request)
        at, may_see = timezone.now(), request.user.has_perm(VIEW_STUDENT)
        if request.GET.get("file") == "csv":
            note_list(request, "a file of students who have not finished", links.count())
            lines = unfinished_as_csv(links, at, with_names=may_see)
            return download(lines, f"unfinished-{form.file_name}")
        rows = describe_unfinished([*links.order_by("-pk")[:MAX_UNFINISHED]], at)
        note_list(request, "students who have not finished", len(rows))
        context = {
            "rows": rows,
            "started": STARTED.get(request.GET.get("started", "")),
            "max_listed": MAX_UNFINISHED,
            "may_see": may_see,
            "may_make_links": may_see and request.user.has_perm(ISSUE_LINK),
        }
        return self._page(request, "unfinished", f"Not finished: {project.name}", form, **context)

    def _page(
        self, request: HttpRequest, template: str, title: str, form: FiguresForm, **more: Any
    ) -> HttpResponse:
        context = {
            "opts": self.opts,
            "form": form,
            "chosen": form.cleaned_data if form.is_valid() else {},
        }
        template = f"admin/assessments/figures/{template}.html"
        return admin_page(request, template, title, **context, **more)


def figures_context(form: FiguresForm) -> dict[str, Any]:
    data, counts = form.cleaned_data, form.count_by_day()
    first, last, today = data["first"], data["last"], data["today"]
    by_day: defaultdict[date, Counts] = defaultdict(Counts)
    for (_, day), of_day in counts.items():
        by_day[day] += of_day
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    # Today is not over, so its counts would look like a fall.
    charted = [day for day in days if day != today] or days
    by_charted_day = [by_day.get(day, Counts()) for day in charted]
    series = [
        ("started", "Started", [day.started for day in by_charted_day]),
        ("completed", "Completed", [day.completed for day in by_charted_day]),
    ]
    owners = [] if data["project"] else _by_owner(counts, of_partner=data["partner"] is not None)
    return {
        "total": sum(counts.values(), Counts()),
        "students": count_students(form.projects(), first, last),
        "chart": line_chart(charted, series),
        "by_day": sorted(by_day.items(), reverse=True),
        "owners": owners[:MAX_OWNERS],
        "more_owners": len(owners) > MAX_OWNERS,
        "ranges": [(number, today - timedelta(days=number - 1)) for number in RANGES],
    }


def gridlines(highest: int) -> list[int]:
    """Return equally spaced round values from 0 up to the highest count or just above it."""
    rough = max(1, highest) / GRIDLINES
    magnitude = int(10 ** max(0, math.floor(math.log10(rough))))
    step = next(n * magnitude for n in (1, 2, 5, 10) if n * magnitude >= rough)
    return list(range(0, step * max(1, math.ceil(highest / step)) + 1, step))


def line_chart(
    days: Sequence[date], series: Sequence[tuple[str, str, Sequence[int]]]
) -> dict[str, Any]:
    """Return the context of a chart of consecutive days. `series` is (CSS class, label, counts)."""
    values = gridlines(max(max(counts) for _, _, counts in series))
    highest, last = values[-1], len(days) - 1

    def x(index: int) -> float:
        return index / last if last else 0.5

    def path(counts: Sequence[int]) -> str:
        places = [x(index) for index in range(len(days))]
        if not last:  # a single day has a line across
            counts, places = [*counts, *counts], [0.0, 1.0]
        points = zip(places, counts, strict=True)
        return "M" + "L".join(
            f"{WIDTH * place:.1f},{HEIGHT * (1 - count / highest):.1f}" for place, count in points
        )

    sums = ", ".join(f"{sum(counts):,} {label.lower()}" for _, label, counts in series)
    return {
        "width": WIDTH,
        "height": HEIGHT,
        # In percent, so that the chart fits every width and its text keeps its size.
        "rows": [
            {"text": f"{value:,}", "at": f"{100 * (1 - value / highest):.1f}%"} for value in values
        ],
        # From the last day backwards, so that the last day has a label.
        "columns": [
            {"text": f"{days[index].day} {days[index]:%b}", "at": f"{100 * x(index):.1f}%"}
            for index in range(last, -1, -math.ceil(len(days) / MAX_LABELS))
        ],
        "lines": [
            {"style": style, "label": label, "path": path(counts)}
            for style, label, counts in series
        ],
        "description": f"{days[0]:%-d %b %Y} to {days[-1]:%-d %b %Y}: {sums}.",
    }


def _by_owner(counts: DayCounts, *, of_partner: bool) -> list[tuple[Any, Counts]]:
    projects = Project.objects.select_related("partner").in_bulk({key for key, _ in counts})

    sums: defaultdict[Any, Counts] = defaultdict(Counts)
    for (key, _), of_day in counts.items():
        sums[projects[key] if of_partner else projects[key].partner] += of_day
    return sorted(sums.items(), key=lambda row: (-row[1].started, -row[1].issued, row[0].name))
