from __future__ import annotations

from django.db import migrations, models
from django.db.models import Value

import assessments.models.courses


class Migration(migrations.Migration):
    dependencies = [("assessments", "0018_validate_assessment_stream")]

    operations = [
        migrations.AlterField(
            model_name="course",
            name="required_streams",
            field=models.JSONField(
                blank=True,
                db_default=Value([], models.JSONField()),
                default=list,
                help_text="Tick only subjects that the course demands. Students with other subjects are "
                "not recommended the course, unless they are undecided. Tick none if the course is open "
                "to all.",
                validators=[assessments.models.courses.validate_streams],
                verbose_name="required subjects",
            ),
        ),
    ]
