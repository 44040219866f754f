from __future__ import annotations

from django.db import migrations, models
from django.db.models import F
from django.db.models.functions import Coalesce

from partners.online_migrations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("assessments", "0046_validate_project_of_student")]

    operations = [
        AddIndexConcurrently(
            model_name="assessment",
            index=models.Index(
                F("project_id"),
                Coalesce("completed_at", "abandoned_at", "finish_by_at"),
                F("id"),
                name="assessment_ended_of_project",
            ),
        ),
    ]
