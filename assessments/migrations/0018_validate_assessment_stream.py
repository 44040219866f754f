from __future__ import annotations

from django.db import migrations

from partners.online_migrations import ValidateConstraint


class Migration(migrations.Migration):
    dependencies = [("assessments", "0017_assessment_stream")]

    operations = [ValidateConstraint(model_name="assessment", name="assessment_stream_known")]
