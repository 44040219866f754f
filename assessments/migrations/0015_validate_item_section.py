from __future__ import annotations

from django.db import migrations

from partners.online_migrations import ValidateConstraint


class Migration(migrations.Migration):
    dependencies = [("assessments", "0014_item_section_fields")]

    operations = [ValidateConstraint(model_name="item", name="item_section_known")]
