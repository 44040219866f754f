from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("partners", "0008_plainer_help_texts")]

    operations = [
        migrations.AddField(
            model_name="project",
            name="is_test",
            field=models.BooleanField(
                db_default=False,
                default=False,
                editable=False,
                help_text="For a partner's tests: in no figures, and deleted after 7 days. Never "
                "changes.",
                verbose_name="test project",
            ),
        ),
    ]
