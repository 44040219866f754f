from __future__ import annotations

from django.db import migrations, models

import tokens.crypto


class Migration(migrations.Migration):
    """Make room for `tok_test_`. PostgreSQL widens a varchar without reading the table."""

    dependencies = [("tokens", "0002_plain_label")]

    operations = [
        migrations.AlterField(
            model_name="accesstoken",
            name="token_id",
            field=models.CharField(
                default=tokens.crypto.new_token_id,
                editable=False,
                max_length=25,
                unique=True,
                verbose_name="token id",
            ),
        ),
    ]
