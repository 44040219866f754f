from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

from partners.online_migrations import AddConstraintNotValid


class Migration(migrations.Migration):
    dependencies = [("assessments", "0041_fill_assessment_project")]

    operations = [
        # Validated, it spares `SET NOT NULL` the reading of all rows.
        AddConstraintNotValid(
            model_name="assessment",
            constraint=models.CheckConstraint(
                condition=Q(project_id__isnull=False), name="assessment_has_project"
            ),
        ),
    ]
