"""Partners and their projects. Everything else belongs to a project."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Self

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models, transaction
from django.db.models import Q, Value
from django.db.models.functions import Left
from django.db.models.lookups import Exact
from django.utils import timezone

from partners.models.audit import Actor, AuditEvent, Refused
from partners.plain_text import fault_of_address, validate_plain_text
from partners.public_ids import new_project_id
from partners.times import DEFAULT_ZONE, zones

# In the META of a request about a test project: config/metrics.py does not count it.
TEST_TRAFFIC = "assess.is_test"


class Accent(models.TextChoices):
    """The approved accent colours; static/student.css defines them."""

    TEAL = "teal", "Teal"
    BLUE = "blue", "Blue"
    INDIGO = "indigo", "Indigo"
    PLUM = "plum", "Plum"
    ROSE = "rose", "Rose"
    BRICK = "brick", "Brick"
    AMBER = "amber", "Amber"
    GREEN = "green", "Green"


class ConsentMode(models.TextChoices):
    OBTAINED = "obtained", "The partner has obtained consent"
    ASK = "ask", "Ask the age and, under 18, a guardian's name and contact"


class Takers(models.TextChoices):
    """Who takes the assessment of a project, with the values of measurement.courses.TAKERS."""

    SCHOOL_LEAVERS = "school-leavers", "School leavers"
    GRADUATES = "graduates", "Graduates"
    BOTH = "both", "School leavers and graduates"


def validate_return_url(address: str) -> None:
    if fault := fault_of_address(address, ["https"], "https://college.example/apply"):
        raise ValidationError(fault)
    if "#" in address:
        raise ValidationError("Remove the # and everything after it.")


def between(least: int, most: int) -> list[MinValueValidator | MaxValueValidator]:
    return [MinValueValidator(least), MaxValueValidator(most)]


START_BY_MINUTES = (15, 30 * 24 * 60)
# At least 20 hours, so that students are not timed (WCAG 2.2.1).
FINISH_BY_HOURS = (20, 30 * 24)
RECOMMENDATION_COUNT = (3, 10)
# The notice to students promises deletion after at most 24 months.
RETENTION_MONTHS = (1, 24)


def validate_time_zone(name: str) -> None:
    if name not in zones():
        raise ValidationError(
            "“%(name)s” is not a time zone. An example is Asia/Kolkata.", params={"name": name}
        )


class Partner(models.Model):
    """An organisation that integrates with us."""

    name = models.CharField(max_length=200, unique=True, validators=[validate_plain_text])
    contact_email = models.EmailField("contact e-mail", blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        default_permissions = ("add", "change", "view")
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="partner_has_a_name")]

    def __str__(self) -> str:
        return self.name


class ProjectQuerySet(models.QuerySet["Project"]):
    def open(self) -> Self:
        return self.filter(closed_at__isnull=True)

    def closed(self) -> Self:
        return self.filter(closed_at__isnull=False)


class Project(models.Model):
    """One integration of a partner: the scope of tokens, students, courses, limits and settings."""

    # The index of its name's constraint begins with the partner.
    partner = models.ForeignKey(
        Partner, on_delete=models.PROTECT, related_name="projects", db_index=False
    )
    project_id = models.CharField(
        "project id", max_length=64, unique=True, default=new_project_id, editable=False
    )
    name = models.CharField(
        max_length=200,
        validators=[validate_plain_text],
        help_text="Shown to students, for example the name of the college.",
    )
    start_by_minutes = models.PositiveIntegerField(
        "start-by, in minutes",
        default=72 * 60,
        validators=between(*START_BY_MINUTES),
        help_text="How long a student can start a link: 15 minutes to 30 days (43200). 4320 is 72 "
        "hours.",
    )
    finish_by_hours = models.PositiveIntegerField(
        "finish-by, in hours",
        default=24,
        validators=between(*FINISH_BY_HOURS),
        help_text="How long a student can continue an attempt: 20 hours to 30 days (720).",
    )
    link_rate_per_minute = models.PositiveIntegerField(
        "links a minute",
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="Leave empty for the limit of the service.",
    )
    results_rate_per_minute = models.PositiveIntegerField(
        "result calls a minute",
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="Leave empty for the limit of the service.",
    )
    recommendation_count = models.PositiveSmallIntegerField(
        "recommended courses",
        default=5,
        validators=between(*RECOMMENDATION_COUNT),
        help_text="The most courses that a result recommends: 3 to 10. A change applies to "
        "attempts completed from now on.",
    )
    takers = models.CharField(
        "who takes the assessment",
        max_length=16,
        choices=Takers.choices,
        default=Takers.SCHOOL_LEAVERS,
        help_text="School leavers are recommended no courses that ask for a degree, graduates "
        "only those. A change applies to attempts completed or filled with courses from now on.",
    )
    time_zone = models.CharField(
        max_length=64,
        default=DEFAULT_ZONE,
        validators=[validate_time_zone],
        help_text="Students and staff see times in this zone.",
    )
    consent_mode = models.CharField(
        "consent",
        max_length=16,
        choices=ConsentMode.choices,
        default=ConsentMode.OBTAINED,
        help_text="Every student agrees to the notice before the start. Choose “Ask” if the "
        "partner does not yet have the consent of a parent or guardian for students under 18: "
        "these students then give the name and contact of one.",
    )
    return_url = models.CharField(
        "return address",
        max_length=500,
        blank=True,
        default="",
        validators=[validate_return_url],
        help_text="Where the button “Back to …” leads at the end of an attempt: one https "
        "address, for example the partner's page of courses. We add nothing about the student or "
        "the result. Leave empty for no button.",
    )
    accent = models.CharField(
        "accent colour",
        max_length=16,
        choices=Accent.choices,
        default=Accent.TEAL,
        help_text="The colour of buttons, links and charts on student pages. All eight are "
        "readable on light and dark backgrounds.",
    )
    retention_months = models.PositiveSmallIntegerField(
        "answers are kept, in months",
        default=RETENTION_MONTHS[1],
        validators=between(*RETENTION_MONTHS),
        help_text="Attempts are deleted this long after they end: 1 to 24 months. Students are "
        "told before they start, so a change applies only to those who start later.",
    )
    is_test = models.BooleanField(
        "test project",
        default=False,
        help_text="For the partner's own tests: its links and attempts are in no figures and are "
        "deleted after 7 days. It can't be changed later.",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = ProjectQuerySet.as_manager()

    class Meta:
        default_permissions = ("add", "change", "view")
        permissions = [("close_project", "Can close and reopen a project")]
        constraints = [
            models.UniqueConstraint(
                fields=["partner", "name"],
                name="project_name_once_a_partner",
                violation_error_message="This partner already has a project with this name.",
            ),
            models.CheckConstraint(
                condition=~Q(name="") & ~Q(project_id=""), name="project_has_a_name_and_an_id"
            ),
            models.CheckConstraint(
                condition=Q(start_by_minutes__range=START_BY_MINUTES),
                name="project_start_by_in_range",
            ),
            models.CheckConstraint(
                condition=Q(finish_by_hours__range=FINISH_BY_HOURS),
                name="project_finish_by_in_range",
            ),
            models.CheckConstraint(
                condition=Q(link_rate_per_minute__isnull=True) | Q(link_rate_per_minute__gte=1),
                name="project_link_rate_positive",
            ),
            models.CheckConstraint(
                condition=Q(results_rate_per_minute__isnull=True)
                | Q(results_rate_per_minute__gte=1),
                name="project_results_rate_positive",
            ),
            models.CheckConstraint(
                condition=Q(recommendation_count__range=RECOMMENDATION_COUNT),
                name="project_recommendation_count_in_range",
            ),
            models.CheckConstraint(
                condition=Q(takers__in=Takers.values), name="project_takers_known"
            ),
            models.CheckConstraint(
                condition=Q(consent_mode__in=ConsentMode.values), name="project_consent_mode_known"
            ),
            models.CheckConstraint(
                # Not `startswith`, which ignores case on SQLite.
                condition=Q(return_url="") | Q(Exact(Left("return_url", 8), Value("https://"))),
                name="project_return_url_is_https",
            ),
            models.CheckConstraint(
                condition=Q(accent__in=Accent.values), name="project_accent_known"
            ),
            models.CheckConstraint(
                condition=Q(retention_months__range=RETENTION_MONTHS),
                name="project_retention_in_range",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.project_id}{', test' if self.is_test else ''})"

    @property
    def name_in_lists(self) -> str:
        words = ("test" if self.is_test else "", "closed" if self.is_closed else "")
        states = ", ".join(filter(None, words))
        return f"{self.name} ({states})" if states else self.name

    @property
    def public_id(self) -> str:
        return self.project_id

    @property
    def project(self) -> Project:
        """Return itself: an audit event asks each object for its project."""
        return self

    @property
    def start_by(self) -> timedelta:
        return timedelta(minutes=self.start_by_minutes)

    @property
    def finish_by(self) -> timedelta:
        return timedelta(hours=self.finish_by_hours)

    @property
    def asks_age(self) -> bool:
        return self.consent_mode == ConsentMode.ASK

    @property
    def is_closed(self) -> bool:
        return self.closed_at is not None

    def mark_test_traffic(self, meta: dict[str, Any]) -> None:
        """Mark a request, by its META, if this is a test project. Call it as early as possible."""
        if self.is_test:
            meta[TEST_TRAFFIC] = True

    def close(self, *, by: Actor, reason: str = "", at: datetime | None = None) -> None:
        """Refuse the project's tokens and links from now on. Raise Refused if already closed."""
        at = at or timezone.now()
        self._set_closed_at(at, by=by, reason=reason, at=at)

    def reopen(self, *, by: Actor, reason: str = "", at: datetime | None = None) -> None:
        """Accept the project's tokens and links again. Raise Refused if already open."""
        self._set_closed_at(None, by=by, reason=reason, at=at)

    @transaction.atomic
    def _set_closed_at(
        self, closed_at: datetime | None, *, by: Actor, reason: str, at: datetime | None
    ) -> None:
        found = Project.objects.open() if closed_at else Project.objects.closed()
        if not found.filter(pk=self.pk).update(closed_at=closed_at):
            raise Refused(f"Project {self} was already {'closed' if closed_at else 'open'}.")
        changes, self.closed_at = {"closed_at": (self.closed_at, closed_at)}, closed_at
        action = "project.closed" if closed_at else "project.reopened"
        AuditEvent.record(action, self, by=by, reason=reason, changes=changes, at=at)
