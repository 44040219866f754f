from __future__ import annotations

from django.db import migrations

from partners.online_migrations import ValidateConstraint


class Migration(migrations.Migration):
    dependencies = [("assessments", "0024_course_descriptions")]

    operations = [ValidateConstraint(model_name="course", name="course_addresses_are_http")]
