from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("assessments", "0019_required_streams_help_text")]

    operations = [
        migrations.AlterField(
            model_name="item",
            name="section",
            field=models.CharField(
                choices=[
                    ("interests", "Interests"),
                    ("fields", "Interests, stage 2"),
                    ("aptitude", "Aptitude"),
                    ("preferences", "Preferences"),
                ],
                max_length=16,
            ),
        ),
    ]
