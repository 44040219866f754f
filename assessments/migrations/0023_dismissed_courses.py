from __future__ import annotations

from django.db import migrations, models
from django.db.models import Value


class Migration(migrations.Migration):
    dependencies = [("assessments", "0022_validate_assessment_moves")]

    operations = [
        migrations.AddField(
            model_name="assessment",
            name="dismissed",
            field=models.JSONField(
                blank=True,
                db_default=Value([], models.JSONField()),
                default=list,
                help_text="Codes of the courses that the student removed from the result page.",
                verbose_name="not for me",
            ),
        ),
    ]
