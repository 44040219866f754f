"""Onboard a partner: partner, project, courses and first token, all or nothing."""

from collections.abc import Mapping, Sequence
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
from partners.back_office.pages import admin_page, secret_page
from partners.models import Actor, AuditEvent, Partner, Project, staff_actor
from partners.times import zones
from tokens.admin import NewTokenForm
from tokens.models import AccessToken

RIGHTS = ("partners.add_partner", "partners.add_project", "tokens.issue_token")
# What a project needs before its first student; other settings have defaults.
SETTINGS = ("is_test", "takers", "time_zone", "consent_mode", "retention_months")
WIDE = {"size": 60}
FIRST_LABEL = "first token"
REASON = "onboarding"


@sensitive_variables("secret")
def onboard(
    partner_name: str,
    project_name: str,
    *,
    by: Actor,
    contact_email: str = "",
    courses: Sequence[Mapping[str, Any]] = (),
    label: str = FIRST_LABEL,
    expires_in: timedelta | None = None,
    at: datetime | None = None,
    **settings: Any,
) -> tuple[AccessToken, str, bool]:
    """Create a project with its catalogue and first token, for a new or existing partner.

    `settings` are columns of the project, `courses` come from `course_rows.parse`. An existing
    partner keeps its contact. Returns the token, its secret, which is not stored, and whether the
    partner is new. Raises ValidationError, by argument or setting, for an invalid value and if the
    partner has a project of this name: a form sent twice creates one.
    """
    at = at or timezone.now()
    try:
        with transaction.atomic():
            partner, is_new = _partner(partner_name, contact_email, at, by=by)
            project = Project(partner=partner, name=project_name, created_at=at, **settings)
            _create("project.created", project, "project_name", at, by=by)
            if courses:
                Catalogue(project).load(courses, by=by, at=at)
            token, secret = AccessToken.objects.issue(
                project, by=by, label=label, expires_in=expires_in, reason=REASON, at=at
            )
    except IntegrityError as error:
        text = "A partner or project of this name was created at the same moment. Check the list."
        raise ValidationError({"project_name": text}) from error
    return token, secret, is_new


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
    field_order = (
        *("partner_name", "contact_email", "project_name", *SETTINGS),
        *("label", "expires_in"),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.update(fields_for_model(Project, fields=SETTINGS))
        self.fields["time_zone"].widget = forms.Select(choices=[(zone, zone) for zone in zones()])
        self.fields["label"].label = "Token label (optional)"
        self.fields["label"].initial = FIRST_LABEL
        self.fields["expires_in"].label = "Token expires"
        self.order_fields(self.field_order)


@permission_required(RIGHTS, raise_exception=True)
@sensitive_variables("secret")
def onboard_page(request: HttpRequest) -> HttpResponse:
    """Show the form, then the secret. `?partner_name=` fills in a name."""
    form = OnboardForm(
        request.POST or None, initial={"partner_name": request.GET.get("partner_name", "")}
    )
    if form.is_valid():
        try:
            token, secret, is_new = onboard(**form.cleaned_data, by=staff_actor(request))
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            origin = "new" if is_new else "existed already, and keeps its contact"
            partner = f"Partner {token.project.partner}, {origin}."
            return secret_page(request, token, secret, made=[partner, f"Project {token.project}."])
    return admin_page(request, "admin/onboard.html", "Onboard a partner", form=form)
