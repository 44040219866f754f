from __future__ import annotations

from django.db import migrations, models

import assessments.models.links


class Migration(migrations.Migration):
    dependencies = [("assessments", "0048_webhooks")]

    operations = [
        migrations.AlterField(
            model_name="assessmentlink",
            name="link_id",
            field=models.CharField(
                default=assessments.models.links.new_link_id,
                help_text="The link's id in the partner API. Older links get one when it is first needed.",
                max_length=20,
                null=True,
            ),
        ),
    ]
