"""Let items be statements of stage 2, each about one field."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

from partners.online_migrations import AddConstraintNotValid


class Migration(migrations.Migration):
    dependencies = [("assessments", "0013_validate_course_fields")]

    operations = [
        migrations.AlterField(
            model_name="item",
            name="section",
            field=models.CharField(
                choices=[
                    ("interests", "Interests"),
                    ("fields", "Fields"),
                    ("aptitude", "Aptitude"),
                    ("preferences", "Preferences"),
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="item",
            name="scale",
            field=models.CharField(
                help_text="Interest type, field, item family or preference.", max_length=32
            ),
        ),
        migrations.RemoveConstraint(model_name="item", name="item_section_known"),
        AddConstraintNotValid(
            model_name="item",
            constraint=models.CheckConstraint(
                condition=Q(section__in=["interests", "fields", "aptitude", "preferences"]),
                name="item_section_known",
            ),
        ),
    ]
