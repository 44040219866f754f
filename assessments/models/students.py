from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Self, Unpack

from django.db import models
from django.db.models import Q
from django.utils import timezone

from assessments import identity
from assessments.models import erasure
from assessments.models.erasure import Erased, Touched
from partners.models import AuditEvent, Project
from partners.origin import Origin


class StudentQuerySet(models.QuerySet["Student"]):
    def remember(
        self, project: Project, *, name: str, email: str, mobile: str, at: datetime
    ) -> Student:
        """Return the project's student of this e-mail, with the name and mobile given now.

        `email` has passed `identity.email_key`. Two calls at one moment make one student.
        """
        student = Student(
            project=project,
            email_key=identity.email_key(email),
            email=email,
            name=name,
            mobile=identity.normal_mobile(mobile),
            created_at=at,
        )
        self.bulk_create(
            [student],
            update_conflicts=True,
            unique_fields=["project", "email_key"],
            update_fields=["email", "name", "mobile"],
        )
        return student

    def known_as(self, project: Project, email: str) -> Student:
        """Return the project's student of this e-mail address. Raise DoesNotExist otherwise."""
        try:
            email_key = identity.email_key(email)
        except ValueError:
            raise Student.DoesNotExist from None
        return self.select_related("project").get(project=project, email_key=email_key)

    def elsewhere(self, student: Student) -> Self:
        """Return the students of other projects with the same e-mail address."""
        same = self.filter(email_key=student.email_key).exclude(pk=student.pk)
        return same.select_related("project").order_by("project__project_id")

    def known_by(self, contact: str) -> Self:
        """Return the students of an e-mail key, or of a mobile number, in every project."""
        return self.filter(email_key=contact) if "@" in contact else self.filter(mobile=contact)

    def locked(self, pk: int) -> Student:
        """Return the student, held until the transaction ends: one start at a time."""
        return self.select_for_update(no_key=True).get(pk=pk)


class Student(models.Model):
    """A person, known by e-mail within a project."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, db_index=False)
    email_key = models.CharField(max_length=identity.EMAIL_MAX, help_text="identity.email_key")
    email = models.CharField("e-mail", max_length=identity.EMAIL_MAX, help_text="As given last.")
    name = models.CharField(max_length=identity.NAME_MAX, help_text="As given last.")
    mobile = models.CharField(max_length=identity.MOBILE_MAX + 1, help_text="As given last.")
    created_at = models.DateTimeField()

    objects = StudentQuerySet.as_manager()

    class Meta:
        default_permissions = ("view",)
        permissions: ClassVar = [("erase_student", "Can erase what is known of a student")]
        indexes: ClassVar = [
            # A support desk looks a student up without knowing the project.
            models.Index(fields=["email_key"], name="student_email"),
            models.Index(fields=["mobile"], name="student_mobile"),
            # The newest of one project, and of their links and attempts.
            models.Index(fields=["project", "id"], name="student_newest_of_project"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["project", "email_key"], name="student_email_unique_in_project"
            ),
            models.CheckConstraint(
                condition=~Q(email_key="") & ~Q(email="") & ~Q(name="") & ~Q(mobile=""),
                name="student_details_not_empty",
            ),
        ]

    def __str__(self) -> str:
        return f"student {self.pk}"

    @property
    def receipt(self) -> str:
        """The number under which the student was erased; "" while somebody is known."""
        return "" if "@" in self.email_key else self.email_key

    @property
    def is_erased(self) -> bool:
        return bool(self.receipt)

    @property
    def erased_at(self) -> datetime | None:
        """When the student was erased: the audit trail knows, which outlives the row."""
        if not self.is_erased:
            return None
        events = AuditEvent.objects.about(self).of_actions([erasure.ACTION])
        return events.values_list("at", flat=True).first()

    def touched(self, at: datetime | None = None) -> Touched:
        """Count what an erasure would touch."""
        return erasure.touched(self, at or timezone.now())

    def refuse_naming(self, reason: str) -> None:
        """Raise ReasonNamesThePerson if a reason, which is kept for years, says who this is."""
        erasure.refuse_naming(reason, self)

    def erase(
        self, *, reason: str = "", at: datetime | None = None, **origin: Unpack[Origin]
    ) -> Erased:
        """Forget the person at once and for good; the attempts stay, as nobody's.

        Names, addresses, numbers and guardians go, links and browsers open nothing any more, an
        open attempt ends. A student who was erased before keeps the receipt. Raise
        ReasonNamesThePerson, with nothing changed: the reason is kept.
        """
        return erasure.erase(self, reason, at or timezone.now(), **origin)
