from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    """The index of the looser rule is ready, so a replaced puzzle may share its position."""

    dependencies = [("assessments", "0029_answer_one_current_per_position")]

    operations = [
        migrations.RemoveConstraint(model_name="answer", name="answer_one_per_position")
    ]
