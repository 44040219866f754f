from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import Q

from assessments import identity
from partners.models import Project


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
