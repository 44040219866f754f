"""The courses that a project can recommend."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Left
from django.db.models.lookups import Exact

from assessments.models.course_description import (
    ADDRESS_MAX,
    FALLBACK,
    validate_about,
    validate_address,
    validate_leads_to,
)
from measurement.course_names import FIELDS_MAX
from measurement.courses import (
    COLUMNS,
    DEGREE,
    DELIVERY,
    ENTRY_LEVELS,
    IMPORTANCE_MAX,
    LEVELS,
    STREAMS,
    CourseData,
)
from measurement.fields import FIELDS
from measurement.scales import FACETS
from partners.models import Project
from partners.models.projects import Takers
from partners.plain_text import validate_plain_text

ENTRY_LEVEL_LABELS = dict(
    zip(ENTRY_LEVELS, ("after class 10", "after class 12", "after a first degree"), strict=True)
)


def level_field(facet: str, work: str) -> models.PositiveSmallIntegerField[int, int]:
    return models.PositiveSmallIntegerField(
        f"{facet} level",
        default=0,
        choices=list(enumerate(LEVELS)),
        help_text=f"Which start in {work} the course typically expects.",
    )


def importance_field(facet: str) -> models.PositiveSmallIntegerField[int, int]:
    return models.PositiveSmallIntegerField(
        f"{facet} importance",
        default=0,
        choices=[(0, "0 - does not count"), (1, "1 - counts"), (2, "2 - counts double")],
        help_text="How much it counts compared with the other two. 0 if the level is none.",
    )


def validate_streams(value: Any) -> None:
    _validate_words(value, STREAMS)


def validate_delivery(value: Any) -> None:
    _validate_words(value, DELIVERY)


def validate_fields(value: Any) -> None:
    _validate_words(value, list(FIELDS))
    if len(value) > FIELDS_MAX:
        raise ValidationError(f"Give at most {FIELDS_MAX} fields.")


def _validate_words(value: Any, allowed: Sequence[str]) -> None:
    known = isinstance(value, list) and all(word in allowed for word in value)
    if not known or len(set(value)) < len(value):
        raise ValidationError(
            "It must be a list of %(allowed)s, each at most once.",
            params={"allowed": ", ".join(allowed)},
        )


class CourseQuerySet(models.QuerySet["Course"]):
    def active(self) -> CourseQuerySet:
        return self.filter(is_active=True)

    def recommendable(self) -> CourseQuerySet:
        """Return the active courses that suit who takes their project's assessment.

        In Python: `measurement.field_fit.suits_takers`.
        """
        asks_for_degree = Q(entry_level=DEGREE)
        return self.active().filter(
            Q(project__takers=Takers.BOTH)
            | Q(asks_for_degree, project__takers=Takers.GRADUATES)
            | Q(~asks_for_degree, project__takers=Takers.SCHOOL_LEAVERS)
        )

    def as_data(self) -> list[CourseData]:
        return [course.as_data for course in self.order_by("order", "code")]


class Course(models.Model):
    """A course that a project can recommend: its fields, requirements and delivery."""

    # Its constraint's index begins with the project.
    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="courses", db_index=False
    )
    code = models.CharField(
        max_length=32,
        validators=[validate_plain_text],
        help_text="Identifies the course within the project.",
    )
    name = models.CharField(
        max_length=200,
        validators=[validate_plain_text],
        help_text="As shown to partners and students.",
    )
    order = models.PositiveIntegerField(
        default=0, help_text="If courses fit equally well, the lower number comes first."
    )
    fields = models.JSONField(
        default=list,
        blank=True,
        validators=[validate_fields],
        help_text="What the course is about: one to three fields of work, the main one first.",
    )
    fields_proposed = models.BooleanField(
        default=False,
        help_text="The service proposed the fields. No editor has chosen or confirmed them yet.",
    )
    numerical_level = level_field("numerical", "working with numbers")
    numerical_importance = importance_field("numerical")
    abstract_level = level_field("abstract", "finding patterns and rules")
    abstract_importance = importance_field("abstract")
    verbal_level = level_field("verbal", "careful reading and reasoning")
    verbal_importance = importance_field("verbal")
    entry_level = models.CharField(
        max_length=16,
        blank=True,
        default="",
        choices=list(ENTRY_LEVEL_LABELS.items()),
        help_text="The qualification a student needs to start the course. Shown to students with "
        "the course. Courses after a first degree are recommended to graduates, all others to "
        "school leavers: the project's page says who takes the assessment.",
    )
    streams = models.JSONField(
        default=list,
        blank=True,
        validators=[validate_streams],
        help_text="The usual subjects in class 11 and 12. Tick none if any will do. Shown to "
        "students.",
    )
    required_streams = models.JSONField(
        "required subjects",
        default=list,
        blank=True,
        validators=[validate_streams],
        help_text="Tick only subjects that the course demands. Students with other subjects are "
        "not recommended the course, unless they are undecided. Tick none if the course is open "
        "to all.",
    )
    department = models.CharField(
        max_length=100,
        blank=True,
        default="",
        validators=[validate_plain_text],
        help_text="At most two courses of a department are among the first five, unless a third "
        "fits clearly better. Leave empty for no limit.",
    )
    delivery = models.JSONField(
        "taught",
        default=list,
        blank=True,
        validators=[validate_delivery],
        help_text="How the course is mostly taught. A match with the student's preferences counts "
        "for at most 5 of 100.",
    )
    about = models.JSONField(
        default=dict,
        blank=True,
        validators=[validate_about],
        help_text="What students learn in the course, in each language.",
    )
    leads_to = models.JSONField(
        default=dict,
        blank=True,
        validators=[validate_leads_to],
        help_text="Up to three kinds of work after the course, in each language.",
    )
    url = models.CharField(
        "course page",
        max_length=ADDRESS_MAX,
        blank=True,
        default="",
        validators=[validate_address],
        help_text="The address of the college's own page about the course.",
    )
    apply_url = models.CharField(
        "application page",
        max_length=ADDRESS_MAX,
        blank=True,
        default="",
        validators=[validate_address],
        help_text="The address where students apply. Not shown while the course is inactive.",
    )
    is_active = models.BooleanField(
        "active", default=True, help_text="Only active courses are recommended."
    )

    objects = CourseQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["project", "order", "code"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["project", "code"], name="course_code_unique_in_project"
            ),
            models.CheckConstraint(
                condition=~Q(code="") & ~Q(name=""), name="course_code_and_name_not_empty"
            ),
            models.CheckConstraint(
                condition=Q(*[(f"{facet}_level__lt", len(LEVELS)) for facet in FACETS]),
                name="course_levels_at_most_3",
            ),
            models.CheckConstraint(
                condition=Q(*[(f"{facet}_importance__lte", IMPORTANCE_MAX) for facet in FACETS]),
                name="course_importances_at_most_2",
            ),
            models.CheckConstraint(
                condition=Q(fields__3__isnull=True)
                & (Q(fields_proposed=False) | Q(fields__0__isnull=False)),
                name="course_fields_at_most_3_and_proposed_not_empty",
            ),
            *(
                models.CheckConstraint(
                    condition=Q((f"{facet}_level", 0), (f"{facet}_importance", 0))
                    | Q((f"{facet}_level__gt", 0), (f"{facet}_importance__gt", 0)),
                    name=f"course_{facet}_level_iff_importance",
                )
                for facet in FACETS
            ),
            models.CheckConstraint(
                condition=Q(is_active=False) | Q(fields__0__isnull=False),
                name="course_active_has_a_field",
            ),
            models.CheckConstraint(
                condition=Q(entry_level__in=["", *ENTRY_LEVELS]), name="course_entry_level_known"
            ),
            models.CheckConstraint(
                # Not `startswith`, which ignores case on SQLite.
                condition=Q(
                    *[
                        Q((column, ""))
                        | Q(Exact(Left(column, 8), Value("https://")))
                        | Q(Exact(Left(column, 7), Value("http://")))
                        for column in ("url", "apply_url")
                    ]
                ),
                name="course_addresses_are_http",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Refuse what a catalogue file refuses, with each error at its field."""
        faults = {}
        for facet in FACETS:
            level, importance = f"{facet}_level", f"{facet}_importance"
            if bool(getattr(self, level)) != bool(getattr(self, importance)):
                faults[importance if getattr(self, level) else level] = (
                    f"The {facet} level and its importance go together: choose both, or none and 0."
                )
        if faults:
            raise ValidationError(faults)

    def faults(self, exclude: Collection[str] = ()) -> dict[str, list[str]]:
        """Return what the rules refuse, in sentences by column."""
        try:
            self.full_clean(
                ["project", *exclude], validate_unique=False, validate_constraints=False
            )
        except ValidationError as error:
            # `clean` takes no columns to exclude.
            return {name: said for name, said in error.message_dict.items() if name not in exclude}
        return {}

    def text(self, name: str, language: str) -> Any:
        """Return a text in a language, else in English, else ""."""
        texts = getattr(self, name)
        return texts.get(language) or texts.get(FALLBACK) or ""

    @property
    def as_data(self) -> CourseData:
        return CourseData.from_columns({name: getattr(self, name) for name in COLUMNS})
