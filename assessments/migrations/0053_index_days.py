from __future__ import annotations

from django.db import migrations, models

from partners.online_migrations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("assessments", "0052_figures_by_language")]

    operations = [
        AddIndexConcurrently(
            model_name="projectday",
            index=models.Index(fields=["day"], name="projectday_day"),
        ),
    ]
