"""The choice of a project, a partner or neither, and of days."""

from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.utils import timezone

from assessments.figures.counts import DayCounts, count_by_day
from partners.models import Partner, Project

DEFAULT_DAYS, MAX_DAYS = 30, 366
# Before the service began. Computing with much earlier dates would fail.
FIRST_DAY = date(2020, 1, 1)


class FiguresForm(forms.Form):
    """A project, a partner or neither, and two dates: by default the last 30 days with today."""

    partner = forms.ModelChoiceField(Partner.objects.all(), required=False)
    project = forms.ModelChoiceField(
        Project.objects.order_by("name", "pk"), required=False, empty_label="All projects"
    )
    first = forms.DateField(label="From", required=False)
    last = forms.DateField(label="To", required=False)

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
        if (last - first).days >= MAX_DAYS:
            raise forms.ValidationError(f"Choose at most {MAX_DAYS} days.")
        return {**data, "first": first, "last": last, "today": today}

    def projects(self) -> QuerySet[Project]:
        if project := self.cleaned_data["project"]:
            return Project.objects.filter(pk=project.pk)
        if partner := self.cleaned_data["partner"]:
            return Project.objects.filter(partner=partner)
        return Project.objects.all()

    def count_by_day(self) -> DayCounts:
        return count_by_day(self.projects(), self.cleaned_data["first"], self.cleaned_data["last"])

    @property
    def file_name(self) -> str:
        project, days = self.cleaned_data["project"], "{first}-{last}".format(**self.cleaned_data)
        return f"{project.project_id}-{days}.csv" if project else f"{days}.csv"


def form_or_404(request: HttpRequest) -> FiguresForm:
    form = FiguresForm(request.GET)
    if not form.is_valid():
        raise Http404
    return form
