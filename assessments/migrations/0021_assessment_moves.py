from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

from partners.online_migrations import AddConstraintNotValid


class Migration(migrations.Migration):
    dependencies = [("assessments", "0020_item_section_label")]

    operations = [
        migrations.AddField(
            model_name="assessment",
            name="moves",
            field=models.SmallIntegerField(
                db_default=0,
                default=0,
                help_text="How often a further link continued it.",
                verbose_name="continued",
            ),
        ),
        migrations.AddField(
            model_name="assessment",
            name="moved_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When another browser took over: it shows no choice before.",
                null=True,
            ),
        ),
        AddConstraintNotValid(
            model_name="assessment",
            constraint=models.CheckConstraint(
                condition=Q(moves__gt=0) | Q(moves=0, moved_at__isnull=True),
                name="assessment_moved_at_needs_move",
            ),
        ),
    ]
