"""Onboarding on one page: partner, project, catalogue and first token."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.forms.models import fields_for_model
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.debug import sensitive_variables

from assessments.content.courses_file import open_table, rows_of
from assessments.content.sheets import ACCEPTED, TableFault
from assessments.content.tables import Table, first_of
from assessments.desk.onboarding import LABEL, Onboarded, onboard
from partners.models import Project
from partners.models.audit import staff_actor
from partners.times import zones
from tokens.actions import secret_page
from tokens.forms import NewTokenForm

RIGHTS = ("partners.add_partner", "partners.add_project", "tokens.issue_token")
# What a project needs before its first student. All else has defaults.
SETTINGS = ("is_test", "time_zone", "consent_mode", "retention_months")
# A larger one is loaded on the page of the project's courses.
MOST_BYTES = 256 * 1024
WIDE = {"size": 60}


class OnboardForm(NewTokenForm):
    partner_name = forms.CharField(
        label="Partner",
        max_length=200,
        widget=forms.TextInput(attrs=WIDE),
        help_text="The organisation that integrates with us. The name of an existing partner adds "
        "a project to it.",
    )
    contact_email = forms.EmailField(
        label="Contact e-mail (optional)",
        required=False,
        widget=forms.EmailInput(attrs=WIDE),
        help_text="For a new partner. An existing partner keeps its own.",
    )
    project_name = forms.CharField(
        label="Project",
        max_length=200,
        widget=forms.TextInput(attrs=WIDE),
        help_text="Shown on student pages, for example the name of the college.",
    )
    courses = forms.FileField(
        label="Catalogue file (optional)",
        required=False,
        widget=forms.FileInput(attrs={"accept": ACCEPTED}),
        help_text=f"An Excel workbook (.xlsx) or a CSV file, {MOST_BYTES // 1024} kB at most. "
        "Without courses, completed assessments recommend nothing. You can add them later.",
    )
    field_order = (
        *("partner_name", "contact_email", "project_name", *SETTINGS),
        *("courses", "label", "expires_in"),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.update(fields_for_model(Project, fields=SETTINGS))
        self.fields["time_zone"].widget = forms.Select(choices=[(zone, zone) for zone in zones()])
        self.fields["label"].label = "Token label (optional)"
        self.fields["label"].initial = LABEL
        self.fields["expires_in"].label = "Token expires"
        self.order_fields(self.field_order)

    def clean_courses(self) -> Table | None:
        """Return the table of the file, whose rows are `self.rows`."""
        self.rows: list[dict[str, Any]] = []
        if not (file := self.cleaned_data["courses"]):
            return None
        if file.size > MOST_BYTES:
            raise ValidationError(
                f"The catalogue is larger than {MOST_BYTES // 1024} kB. Onboard without it, and "
                "load it on the page of the project's courses."
            )
        try:
            table = open_table(file.read())
            self.rows = rows_of(table)
        except TableFault as fault:
            raise ValidationError(first_of(fault.findings)) from fault
        return table


@sensitive_variables("made")
def onboard_page(request: HttpRequest) -> HttpResponse:
    """Create a partner, project, catalogue and token, and show the secret in the response.

    `?partner_name=` fills in a name. Raises PermissionDenied without the permissions to do so.
    """
    if not request.user.has_perms(RIGHTS):
        raise PermissionDenied
    form = OnboardForm(
        request.POST or None,
        files=request.FILES or None,
        initial={"partner_name": request.GET.get("partner_name", "")},
    )
    if form.is_valid():
        data = form.cleaned_data
        try:
            made = onboard(
                data["partner_name"],
                data["project_name"],
                contact_email=data["contact_email"],
                settings={name: data[name] for name in SETTINGS},
                courses=form.rows,
                label=data["label"],
                expires_in=data["expires_in"],
                **staff_actor(request),
            )
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            return secret_page(request, made.token, made.secret, made=_made(made, form))
    context = {**admin.site.each_context(request), "title": "Onboard a partner", "form": form}
    return TemplateResponse(request, "admin/onboard.html", context)


def _made(made: Onboarded, form: OnboardForm) -> list[str]:
    partner, courses = made.project.partner, made.project.courses
    table: Table | None = form.cleaned_data["courses"]
    said = [f"Partner {partner}, new.", f"Project {made.project}."]
    if not made.is_new_partner:
        kept = partner.contact_email or "none"
        said[0] = f"Partner {partner} existed already. Its contact e-mail was not changed ({kept})."
    if table is None:
        return [*said, "No catalogue. Assessments recommend no courses until you add one."]
    loaded = f"{len(form.rows)} courses. {' '.join(table.notes)}"
    if count := courses.filter(fields_proposed=True).count():
        loaded += f" {count} fields of work to confirm by Content."
    if missing := courses.filter(fields=[]).count():
        loaded += f" {missing} courses lack a field and stay inactive."
    return [*said, loaded]
