from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

from partners.online_migrations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("assessments", "0035_index_cancelled_links")]

    operations = [
        AddIndexConcurrently(
            model_name="assessmentlink",
            index=models.Index(
                fields=["expires_at", "cancelled_at"],
                name="assessmentlink_unused_until",
                condition=Q(used_at__isnull=True),
            ),
        ),
    ]
