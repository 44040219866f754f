from __future__ import annotations

from django.db import migrations

from partners.online_migrations import ValidateConstraint


class Migration(migrations.Migration):
    dependencies = [("assessments", "0042_assessment_has_project")]

    operations = [
        ValidateConstraint(model_name="assessment", name="assessment_has_project"),
    ]
