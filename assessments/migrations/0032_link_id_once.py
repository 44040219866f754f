from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

from partners.online_migrations import AddUniqueConstraintConcurrently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("assessments", "0031_links_named_and_cancelled")]

    operations = [
        AddUniqueConstraintConcurrently(
            model_name="assessmentlink",
            constraint=models.UniqueConstraint(
                fields=["link_id"],
                condition=Q(link_id__isnull=False),
                name="assessmentlink_link_id_once",
            ),
        ),
    ]
