from __future__ import annotations

from django.db import migrations

from partners.online_migrations import ValidateConstraint


class Migration(migrations.Migration):
    dependencies = [("assessments", "0021_assessment_moves")]

    operations = [
        ValidateConstraint(model_name="assessment", name="assessment_moved_at_needs_move")
    ]
