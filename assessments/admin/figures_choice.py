"""Which figures are asked for: whose, of which days, and beside which other days."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from assessments.charts.days import Period
from assessments.models.statistics import Scope
from partners.models import Partner, Project
from partners.project_search import search_projects

DAYS = (7, 30, 90)
DEFAULT_DAYS = 30
MOST_DAYS = 366
# The service is younger. It also keeps every date within what can be computed.
FIRST_DAY = date(2020, 1, 1)
# If more projects match, the page asks for a longer name.
MAX_PROJECTS = 20
JUST_BEFORE, A_YEAR_BEFORE = "before", "year"


class DatesForm(forms.Form):
    """Any two dates, and what they are compared with."""

    first = forms.DateField(
        label="From", required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    last = forms.DateField(
        label="To", required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    compare = forms.ChoiceField(
        label="Compare with",
        required=False,
        choices=[(JUST_BEFORE, "the days just before"), (A_YEAR_BEFORE, "a year before")],
    )

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        first, last = found.get("first"), found.get("last")
        if self.errors:
            return found
        if (first is None) != (last is None):
            raise forms.ValidationError("Choose both days, or none.")
        if first and last:
            today = timezone.now().astimezone(UTC).date()
            if last < first:
                raise forms.ValidationError("The last day comes before the first.")
            if first < FIRST_DAY:
                raise forms.ValidationError(f"There are no figures before {FIRST_DAY.year}.")
            if last >= today:
                raise forms.ValidationError(
                    "Choose a last day before today (UTC): only whole days are compared."
                )
            if (last - first).days >= MOST_DAYS:
                raise forms.ValidationError(f"Choose at most {MOST_DAYS} days.")
        return found


@dataclass(frozen=True)
class Selection:
    """The choice in the address. `found` and `partners` match `asked`, the text of the search.

    `is_default` is true if the address asked for a number of days that is not offered.
    """

    asked: str
    found: list[Project]
    partners: list[Partner]
    partner: Partner | None
    days: int
    dates: DatesForm
    is_default: bool = False

    @classmethod
    def of(cls, parameters: Any) -> Selection:
        """Read the parameters of an address. Raises Http404 for a partner that does not exist."""
        partner = _partner(parameters.get("partner", ""))
        asked = "" if partner else parameters.get("project", "").strip()
        days = parameters.get("days", "")
        known = {str(each): each for each in DAYS}
        found = list(search_projects(asked)[: MAX_PROJECTS + 1]) if asked else []
        return cls(
            asked=asked,
            found=found,
            partners=_partners_of(found) if len(found) > 1 else [],
            partner=partner,
            days=known.get(days, DEFAULT_DAYS),
            dates=DatesForm(parameters),
            is_default=bool(days) and days not in known,
        )

    @property
    def project(self) -> Project | None:
        """The chosen project, or None for all projects and if several match."""
        return self.found[0] if len(self.found) == 1 else None

    @property
    def is_clear(self) -> bool:
        return not self.asked or self.project is not None

    @property
    def is_complete(self) -> bool:
        """Whether it is clear, and its dates, if any, are valid."""
        return self.is_clear and self.dates.is_valid()

    @property
    def called(self) -> str:
        """Whose figures they are, for the name of a file."""
        if self.project:
            return self.project.project_id
        return f"partner-{self.partner.pk}" if self.partner else "all"

    @property
    def scope(self) -> Scope:
        return Scope(self.project, self.partner)

    @property
    def period(self) -> Period:
        """The days between the two dates, else the last whole days."""
        if self.has_dates:
            dates = self.dates.cleaned_data
            return Period(dates["first"], dates["last"])
        return Period.before(timezone.now().astimezone(UTC).date(), self.days)

    @property
    def period_up_to_now(self) -> Period:
        """The period, with today unless two dates were chosen."""
        period = self.period
        return (
            period
            if self.has_dates
            else Period(period.first, timezone.now().astimezone(UTC).date())
        )

    @property
    def has_dates(self) -> bool:
        return self.dates.is_valid() and self.dates.cleaned_data["first"] is not None

    @property
    def is_beside_a_year_before(self) -> bool:
        return self.dates.is_valid() and self.dates.cleaned_data["compare"] == A_YEAR_BEFORE

    @property
    def compared(self) -> Period:
        """The days beside which the figures stand."""
        period = self.period
        return period.a_year_before if self.is_beside_a_year_before else period.just_before

    def query(self, days: int | None = None, *, everybody: bool = False) -> str:
        """Return the query of this choice, optionally for a number of days or of all projects."""
        whose: dict[str, Any] = {}
        if not everybody:
            whose = {"project": self.project.pk} if self.project else {}
            whose = {"partner": self.partner.pk} if self.partner else whose
        when: dict[str, Any] = {"days": days or self.days}
        if self.has_dates and days is None:
            when = {"first": self.period.first, "last": self.period.last}
        beside = {"compare": A_YEAR_BEFORE} if self.is_beside_a_year_before else {}
        return urlencode(whose | when | beside)

    @property
    def query_of_days(self) -> str:
        """The query of the chosen days, for all projects or before another choice of one."""
        return self.query(everybody=True)

    def address(self, days: int | None = None) -> str:
        """Return the address of these figures, optionally for another number of days."""
        return f"{reverse('admin:assessments_projectday_changelist')}?{self.query(days)}"


def _partner(key: str) -> Partner | None:
    if not key:
        return None
    if re.fullmatch("[0-9]{1,18}", key, re.ASCII):
        partner = Partner.objects.filter(pk=int(key)).first()
        if partner:
            return partner
    raise Http404


def _partners_of(projects: list[Project]) -> list[Partner]:
    """Return the partners with several of these projects, each once."""
    seen: dict[int, list[Partner]] = {}
    for project in projects:
        seen.setdefault(project.partner_id, []).append(project.partner)
    return [of_one[0] for of_one in seen.values() if len(of_one) > 1]
