from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

from partners.online_migrations import AddConstraintNotValid


class Migration(migrations.Migration):
    dependencies = [("assessments", "0016_leading_fields")]

    operations = [
        migrations.AddField(
            model_name="assessment",
            name="stream",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="As the student said; empty: not asked, or not answered yet.",
                max_length=16,
                verbose_name="subjects in class 11 and 12",
            ),
        ),
        AddConstraintNotValid(
            model_name="assessment",
            constraint=models.CheckConstraint(
                condition=Q(
                    stream__in=["", "science-maths", "science-biology", "commerce", "arts", "other"]
                ),
                name="assessment_stream_known",
            ),
        ),
    ]
