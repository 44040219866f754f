from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("assessments", "0051_fill_current_since"),
        ("partners", "0012_last_successes"),
    ]

    operations = [
        migrations.AddField(
            model_name="projectday",
            name="languages",
            field=models.JSONField(
                db_default=models.Value({}, models.JSONField()),
                default=dict,
                help_text="Attempts started, completed and abandoned, by language.",
            ),
        ),
        migrations.AlterField(
            model_name="projectday",
            name="durations",
            field=models.JSONField(
                default=dict, help_text="Completed attempts by the nearest minute."
            ),
        ),
    ]
