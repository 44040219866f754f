"""Onboard a partner: everything that its backend needs for the first call, or nothing at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Unpack

from django.db import transaction
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from assessments.models.courses import Course
from partners.models import AuditEvent, Partner, Project
from partners.origin import Origin
from tokens.models import AccessToken


@dataclass(frozen=True)
class Onboarded:
    """What onboarding made. The secret exists here and nowhere else."""

    project: Project
    token: AccessToken
    secret: str = field(repr=False)


@sensitive_variables("secret")
@transaction.atomic
def onboard(
    partner_name: str,
    project_name: str,
    *,
    contact_email: str = "",
    courses: Sequence[Mapping[str, Any]] = (),
    label: str = "first token",
    at: datetime | None = None,
    **origin: Unpack[Origin],
) -> Onboarded:
    """Make a project with its catalogue and first token, for a partner who may be known already.

    `courses` come from `catalogue.parse`. `contact_email` is for a new partner; a known one keeps
    its own. Raise ValidationError, with nothing made, if a name or the address is not acceptable
    or the partner has a project of this name.
    """
    at = at or timezone.now()
    partner = Partner.objects.filter(name=partner_name).first()
    if partner is None:
        partner = Partner(name=partner_name, contact_email=contact_email, created_at=at)
        partner.full_clean()
        partner.save()
        AuditEvent.record("partner.created", partner, at=at, **origin)
    project = Project(partner=partner, name=project_name, created_at=at)
    project.full_clean()
    project.save()
    AuditEvent.record("project.created", project, at=at, **origin)
    if courses:
        Course.objects.load(project, courses, at=at, **origin)
    token, secret = AccessToken.objects.issue(project, label=label, at=at, **origin)
    return Onboarded(project, token, secret)
