"""Whose figures are asked for, and of which days."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.db.models import QuerySet
from django.utils import timezone

from partners.models import Partner, Project

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
