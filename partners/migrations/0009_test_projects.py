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
                help_text="For the partner's own tests: its links and attempts are in no figures and "
                "are deleted after 7 days. It can't be changed later.",
                verbose_name="test project",
            ),
        ),
    ]
