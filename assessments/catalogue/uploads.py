"""Files that users load, kept while they say how to read them."""

import json
from datetime import datetime, timedelta
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.utils import timezone

from assessments.catalogue.headers import Choices, Kind, Table, read_table
from partners.models import Project, Refused

KEPT = timedelta(hours=1)
GONE = (
    "This file is no longer available: it was used or discarded, or is over an hour old. Choose it "
    "again."
)


class UploadQuerySet(models.QuerySet["Upload"]):
    def open(self, at: datetime) -> Self:
        return self.filter(created_at__gt=at - KEPT)

    def expired(self, at: datetime) -> Self:
        return self.filter(created_at__lte=at - KEPT)


class Upload(models.Model):
    """A file of courses, or of students to invite: data about people.

    It opens for its user alone, and is deleted when it is applied or discarded. After an hour it
    does not open; it is then deleted with the next upload of anybody, or by `purge`.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    kind = models.CharField(max_length=16)
    content = models.BinaryField()
    choices = models.JSONField(default=dict)  # the attributes of Choices
    rows = models.JSONField(null=True)  # null while the file has faults
    notes = models.JSONField(default=list)  # what was read, in sentences
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    objects = UploadQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(kind__in=["courses", "students"]), name="upload_kind_known"
            )
        ]

    def __str__(self) -> str:
        return f"upload {self.pk}"

    @property
    def reading(self) -> str:
        """How the file is read, for the page that shows it to send back."""
        return json.dumps(self.choices, sort_keys=True)

    def use(self, reading: str) -> None:
        """Delete the upload, in the transaction that applies it.

        Raises Refused if another did, or if the page showed another `reading`.
        """
        if reading != self.reading:
            raise Refused(
                "The columns were changed in another tab. Check what was read, then go on."
            )
        if not Upload.objects.filter(pk=self.pk).delete()[0]:
            raise Refused(GONE)

    def store_reading(self) -> None:
        """Store choices, rows and notes, unless the upload was used or discarded meanwhile."""
        Upload.objects.filter(pk=self.pk).update(
            choices=self.choices, rows=self.rows, notes=self.notes
        )

    def read(self, kind: Kind) -> Table:
        """Set rows and notes by the content and the choices. The table has all faults, if any.

        Raises TableFault if the file can't be read at all.
        """
        table = read_table(bytes(self.content), kind, Choices(**self.choices))
        self.rows = None if table.faults else table.values
        self.notes = table.describe(kind.labels)
        return table
