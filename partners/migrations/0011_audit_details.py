from __future__ import annotations

from django.core.serializers.json import DjangoJSONEncoder
from django.db import migrations, models
from django.db.models import Value


class Migration(migrations.Migration):
    dependencies = [("partners", "0010_fixed_kind")]

    operations = [
        migrations.AddField(
            model_name="auditevent",
            name="details",
            field=models.JSONField(
                blank=True,
                db_default=Value({}, models.JSONField()),
                default=dict,
                encoder=DjangoJSONEncoder,
                help_text="What changed, and how much: values before and after, counts, codes.",
            ),
        ),
    ]
