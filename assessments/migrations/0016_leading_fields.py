from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("assessments", "0015_validate_item_section")]

    operations = [
        migrations.AddField(
            model_name="assessment",
            name="leading_fields",
            field=models.JSONField(
                blank=True,
                help_text="The fields that stage 2 asks about; null before.",
                null=True,
            ),
        ),
    ]
