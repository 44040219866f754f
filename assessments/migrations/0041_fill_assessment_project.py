from __future__ import annotations

import time
from typing import Any

from django.db import migrations, transaction
from django.db.models import OuterRef, Subquery

BATCH = 1000
# Seconds until rows that were locked are tried again.
PAUSE = 0.1


def fill(apps: Any, schema_editor: Any) -> None:
    """Give every attempt the project of its student. An interrupted run can be repeated.

    Rows in use are left to the next round, so that no student's page waits for a batch.
    """
    database = schema_editor.connection.alias
    students = apps.get_model("assessments", "Student").objects.using(database)
    attempts = apps.get_model("assessments", "Assessment").objects.using(database)
    project = students.filter(pk=OuterRef("student_id")).values("project_id")[:1]
    left = attempts.filter(project_id=None)
    last = 0
    while True:
        with transaction.atomic(using=database):
            free = left.filter(pk__gt=last).select_for_update(skip_locked=True)
            batch = list(free.order_by("pk").values_list("pk", flat=True)[:BATCH])
            attempts.filter(pk__in=batch).update(project_id=Subquery(project))
        if batch:
            last = batch[-1]
        elif left.exists():
            last = 0
            time.sleep(PAUSE)
        else:
            return


class Migration(migrations.Migration):
    # Each batch is a transaction of its own, so that no attempt stays locked for long.
    atomic = False
    dependencies = [("assessments", "0040_student_and_project")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop, elidable=True)]
