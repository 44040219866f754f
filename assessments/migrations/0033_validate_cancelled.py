from __future__ import annotations

from django.db import migrations

from partners.online_migrations import ValidateConstraint


class Migration(migrations.Migration):
    dependencies = [("assessments", "0032_link_id_once")]

    operations = [
        ValidateConstraint(
            model_name="assessmentlink", name="assessmentlink_cancelled_never_used"
        ),
    ]
