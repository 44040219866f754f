from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("assessments", "0033_validate_cancelled"),
        ("tokens", "0002_plain_label"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="assessmentlink",
            options={
                "default_permissions": ("view",),
                "permissions": [
                    ("issue_link", "Can issue a fresh link to a student"),
                    ("cancel_link", "Can cancel a link that nobody has started"),
                ],
            },
        ),
        # The name of the relation alone: no SQL.
        migrations.AlterField(
            model_name="assessmentlink",
            name="access_token",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                help_text="The token that asked for the link; none if staff issued it.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="links",
                to="tokens.accesstoken",
            ),
        ),
        migrations.AddField(
            model_name="projectday",
            name="links_cancelled",
            field=models.IntegerField(db_default=0, default=0),
        ),
    ]
