"""What the database refuses of an attempt, whoever writes it."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from partners.models.projects import RETENTION_MONTHS

# A null would make a comparison with it unknown, and a CHECK lets the unknown pass: so each
# branch says first whether there is a value.
NOT_A_MINOR = Q(is_minor__isnull=True) | Q(is_minor__isnull=False, is_minor=False)
GUARDIAN_GIVEN = ~Q(guardian_name="") & ~Q(guardian_contact="")
NO_GUARDIAN = Q(guardian_name="", guardian_contact="")

CONSTRAINTS: list[models.BaseConstraint] = [
    models.CheckConstraint(
        condition=Q(completed_at=None) | Q(abandoned_at=None),
        name="assessment_one_end_only",
    ),
    models.CheckConstraint(
        condition=Q(
            completed_at__isnull=True,
            profile__isnull=True,
            recommendations__isnull=True,
            catalogue__isnull=True,
        )
        | Q(
            completed_at__isnull=False,
            profile__isnull=False,
            recommendations__isnull=False,
            catalogue__isnull=False,
        ),
        name="assessment_result_iff_completed",
    ),
    models.CheckConstraint(
        condition=Q(finish_by_at__gt=F("started_at")),
        name="assessment_finish_by_after_start",
    ),
    models.CheckConstraint(
        condition=~Q(consent_version=""), name="assessment_consent_version_not_empty"
    ),
    models.CheckConstraint(
        condition=(Q(is_minor__isnull=False, is_minor=True) & GUARDIAN_GIVEN)
        | (NOT_A_MINOR & NO_GUARDIAN),
        name="assessment_guardian_iff_minor",
    ),
    models.CheckConstraint(
        condition=Q(retention_months__range=RETENTION_MONTHS),
        name="assessment_retention_in_range",
    ),
]
