from __future__ import annotations

from django.db import migrations

from partners.online_migrations import ValidateConstraint


class Migration(migrations.Migration):
    dependencies = [("assessments", "0027_answer_replaced_at")]

    operations = [ValidateConstraint(model_name="answer", name="answer_replaced_has_no_choice")]
