from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

from partners.online_migrations import AddUniqueConstraintConcurrently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("assessments", "0028_validate_answer_replaced")]

    operations = [
        AddUniqueConstraintConcurrently(
            model_name="answer",
            constraint=models.UniqueConstraint(
                condition=Q(replaced_at__isnull=True),
                fields=("assessment", "position"),
                name="answer_one_current_per_position",
            ),
        )
    ]
