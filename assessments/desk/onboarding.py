"""Onboard a partner: partner, project, courses and first token in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Unpack

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from assessments.models.catalogues import Catalogue
from partners.models import AuditEvent, Partner, Project
from partners.models.audit import ActorContext
from tokens.models import AccessToken

LABEL = "first token"
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
    contact_email: str = "",
    settings: Mapping[str, Any] | None = None,
    courses: Sequence[Mapping[str, Any]] = (),
    label: str = LABEL,
    expires_in: timedelta | None = None,
    at: datetime | None = None,
    **context: Unpack[ActorContext],
) -> Onboarded:
    """Create a project with its catalogue and first token, for a new or existing partner.

    `settings` are columns of the project. `courses` come from `courses_file.parse`.
    `contact_email` is for a new partner; an existing one keeps its own.

    Raises ValidationError, with nothing created, if a value is invalid or the partner has a
    project of this name, so a form sent twice creates one; its keys are the names of these
    arguments and settings.
    """
    at = at or timezone.now()
    try:
        with transaction.atomic():
            partner, is_new = _partner(partner_name, contact_email, at, context)
            project = Project(partner=partner, name=project_name, created_at=at, **settings or {})
            _create("project.created", project, "project_name", at, context)
            if courses:
                Catalogue(project).load(courses, at=at, **context)
            token, secret = AccessToken.objects.issue(
                project,
                label=label,
                expires_in=expires_in,
                reason=REASON,
                at=at,
                **context,
            )
    except IntegrityError as error:
        same = "A partner or project of this name was created at the same moment. Check the list."
        raise ValidationError({"project_name": same}) from error
    return Onboarded(project, token, secret, is_new)


def _partner(name: str, email: str, at: datetime, context: ActorContext) -> tuple[Partner, bool]:
    """Return the partner of this name, and whether it was created.

    Raises ValidationError if an existing name differs only in case: that is most likely a typing
    error, and two partners are hard to merge.
    """
    known = Partner.objects.filter(name__iexact=name)
    if partner := known.filter(name=name).first():
        return partner, False
    if other := known.first():
        text = f"There is already a partner “{other}”. Use the same spelling or another name."
        raise ValidationError({"partner_name": text})
    partner = Partner(name=name, contact_email=email, created_at=at)
    _create("partner.created", partner, "partner_name", at, context)
    return partner, True


def _create(
    action: str, row: Partner | Project, name: str, at: datetime, context: ActorContext
) -> None:
    """Store a valid row. Raises ValidationError, with errors of the row's name under `name`."""
    try:
        row.full_clean()
    except ValidationError as error:
        faults = error.update_error_dict({})
        of_name = [fault for key in ("name", NON_FIELD_ERRORS) for fault in faults.pop(key, [])]
        raise ValidationError({**faults, **({name: of_name} if of_name else {})}) from error
    row.save()
    AuditEvent.record(action, row, at=at, **context)
