from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

from partners.online_migrations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("assessments", "0034_cancelled_links")]

    operations = [
        AddIndexConcurrently(
            model_name="assessmentlink",
            index=models.Index(
                fields=["cancelled_at"],
                name="assessmentlink_cancelled",
                condition=Q(cancelled_at__isnull=False),
            ),
        ),
    ]
