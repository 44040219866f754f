"""What the database refuses of an attempt, whoever writes it, and by what it finds one."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce

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

INDEXES: list[models.Index] = [
    # The results look-up: a student's attempts, newest first.
    models.Index(fields=["student", "-started_at"], name="assessment_student_newest"),
    # Which items were shown of late, and how long attempts take.
    models.Index(fields=["bank", "-id"], name="assessment_bank_newest"),
    # The figures of a day, and what has to be deleted.
    models.Index(fields=["started_at"], name="assessment_started"),
    models.Index(
        fields=["completed_at"],
        name="assessment_completed",
        condition=Q(completed_at__isnull=False),
    ),
    models.Index(
        fields=["abandoned_at"],
        name="assessment_abandoned",
        condition=Q(abandoned_at__isnull=False),
    ),
    models.Index(
        fields=["finish_by_at"],
        name="assessment_unended_finish_by",
        condition=Q(completed_at__isnull=True, abandoned_at__isnull=True),
    ),
    # Whose months are over; which catalogues no result refers to any more.
    models.Index(
        F("retention_months"),
        Coalesce("completed_at", "abandoned_at", "finish_by_at"),
        name="assessment_kept_since",
    ),
    models.Index(
        fields=["catalogue"],
        name="assessment_catalogue",
        condition=Q(catalogue__isnull=False),
    ),
]
