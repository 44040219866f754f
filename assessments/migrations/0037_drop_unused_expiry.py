from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    """`assessmentlink_unused_until` serves the questions of the previous release too."""

    dependencies = [("assessments", "0036_index_unused_links")]

    operations = [
        migrations.RemoveIndex(model_name="assessmentlink", name="assessmentlink_unused_expiry")
    ]
