from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("assessments", "0043_validate_assessment_has_project")]

    operations = [
        migrations.AlterField(
            model_name="assessment",
            name="project_id",
            field=models.BigIntegerField(
                "project",
                help_text="The student's. Repeated here for the index of the project's ends.",
            ),
        ),
        migrations.RemoveConstraint(model_name="assessment", name="assessment_has_project"),
    ]
