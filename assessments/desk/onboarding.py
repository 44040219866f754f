"""Onboard a partner: partner, project, courses and first token, all or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.contrib.auth.decorators import permission_required
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import IntegrityError, transaction
from django.forms.models import fields_for_model
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from assessments.catalogue.catalogue import Catalogue
from assessments.catalogue.course_rows import open_table, read_rows
from assessments.catalogue.headers import Table, first_findings
from assessments.catalogue.workbook import ACCEPTED, TableFault
from partners.back_office.pages import admin_page
from partners.models import AuditEvent, Partner, Project
from partners.models.audit import Actor, staff_actor
from partners.times import zones
from tokens.actions import secret_page
from tokens.forms import NewTokenForm
from tokens.models import AccessToken

RIGHTS = ("partners.add_partner", "partners.add_project", "tokens.issue_token")
# What a project needs before its first student; other settings have defaults.
SETTINGS = ("is_test", "takers", "time_zone", "consent_mode", "retention_months")
MAX_BYTES = 256 * 1024
WIDE = {"size": 60}
FIRST_LABEL = "first token"
REASON = "onboarding"


@dataclass(frozen=True)
class Onboarded:
    """The result of onboarding. The secret exists only here."""

    project: Project
    token: AccessToken
    secret: str = field(repr=False)
    is_new_partner: bool = True


@sensitive_variables("secret")
def onboard(
    partner_name: str,
    project_name: str,
    *,
    by: Actor,
    contact_email: str = "",
    settings: Mapping[str, Any] | None = None,
    courses: Sequence[Mapping[str, Any]] = (),
    label: str = FIRST_LABEL,
    expires_in: timedelta | None = None,
    at: datetime | None = None,
) -> Onboarded:
    """Create a project with its catalogue and first token, for a new or existing partner.

    `settings` are columns of the project, `courses` come from `course_rows.parse`. An existing
    partner keeps its contact. Raises ValidationError, by argument or setting, for an invalid value
    and if the partner has a project of this name: a form sent twice creates one.
    """
    at = at or timezone.now()
    try:
        with transaction.atomic():
            partner, is_new = _partner(partner_name, contact_email, at, by=by)
            project = Project(partner=partner, name=project_name, created_at=at, **settings or {})
            _create("project.created", project, "project_name", at, by=by)
            if courses:
                Catalogue(project).load(courses, by=by, at=at)
            token, secret = AccessToken.objects.issue(
                project, by=by, label=label, expires_in=expires_in, reason=REASON, at=at
            )
    except IntegrityError as error:
        text = "A partner or project of this name was created at the same moment. Check the list."
        raise ValidationError({"project_name": text}) from error
    return Onboarded(project, token, secret, is_new)


def _partner(name: str, email: str, at: datetime, *, by: Actor) -> tuple[Partner, bool]:
    """Return the partner of this name, and whether it was created."""
    similar = Partner.objects.filter(name__iexact=name)
    if partner := similar.filter(name=name).first():
        return partner, False
    if other := similar.first():  # a typing error, probably; two partners are hard to merge
        text = f"There is already a partner “{other}”. Use the same spelling or another name."
        raise ValidationError({"partner_name": text})
    partner = Partner(name=name, contact_email=email, created_at=at)
    _create("partner.created", partner, "partner_name", at, by=by)
    return partner, True


def _create(action: str, row: Partner | Project, name: str, at: datetime, *, by: Actor) -> None:
    """Validate and store a row. Raises ValidationError, with errors of its name under `name`."""
    try:
        row.full_clean()
    except ValidationError as error:
        errors = error.update_error_dict({})
        of_name = [fault for key in ("name", NON_FIELD_ERRORS) for fault in errors.pop(key, [])]
        raise ValidationError({**errors, **({name: of_name} if of_name else {})}) from error
    row.save()
    AuditEvent.record(action, row, by=by, at=at)


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
        help_text=f"An Excel workbook (.xlsx) or a CSV file, {MAX_BYTES // 1024} kB at most. "
        "Without courses, completed attempts recommend nothing. You can add them later.",
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
        self.fields["label"].initial = FIRST_LABEL
        self.fields["expires_in"].label = "Token expires"
        self.order_fields(self.field_order)

    def clean_courses(self) -> Table | None:
        """Return the table of the file, and set `self.rows` to its courses."""
        self.rows: list[dict[str, Any]] = []
        if not (file := self.cleaned_data["courses"]):
            return None
        if file.size > MAX_BYTES:
            raise ValidationError(
                f"The catalogue is larger than {MAX_BYTES // 1024} kB. Onboard without it, and "
                "load it on the page of the project's courses."
            )
        try:
            table = open_table(file.read())
            self.rows = read_rows(table)
        except TableFault as fault:
            raise ValidationError(first_findings(fault.findings)) from fault
        return table


@permission_required(RIGHTS, raise_exception=True)
@sensitive_variables("onboarded")
def onboard_page(request: HttpRequest) -> HttpResponse:
    """Show the form, then the secret. `?partner_name=` fills in a name."""
    form = OnboardForm(
        request.POST or None,
        files=request.FILES or None,
        initial={"partner_name": request.GET.get("partner_name", "")},
    )
    if form.is_valid():
        data = form.cleaned_data
        try:
            onboarded = onboard(
                data["partner_name"],
                data["project_name"],
                contact_email=data["contact_email"],
                settings={name: data[name] for name in SETTINGS},
                courses=form.rows,
                label=data["label"],
                expires_in=data["expires_in"],
                by=staff_actor(request),
            )
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            created = _created_in_words(onboarded, form)
            return secret_page(request, onboarded.token, onboarded.secret, made=created)
    return admin_page(request, "admin/onboard.html", "Onboard a partner", form=form)


def _created_in_words(onboarded: Onboarded, form: OnboardForm) -> list[str]:
    project, table = onboarded.project, form.cleaned_data["courses"]
    origin = "new" if onboarded.is_new_partner else "existed already, and keeps its contact"
    catalogue = f"{len(form.rows)} courses. {' '.join(table.notes)}" if table else "No catalogue."
    if count := project.courses.filter(fields_proposed=True).count():
        catalogue += f" {count} fields of work to confirm by Content."
    if missing := project.courses.filter(fields=[]).count():
        catalogue += f" {missing} courses lack a field and stay inactive."
    if not project.courses.recommendable().exists():
        takers = project.get_takers_display().lower()
        catalogue += f" Attempts recommend nothing until there is an active course for {takers}."
    return [f"Partner {project.partner}, {origin}.", f"Project {project}.", catalogue]
