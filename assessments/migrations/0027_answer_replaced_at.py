from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

from partners.online_migrations import AddConstraintNotValid


class Migration(migrations.Migration):
    dependencies = [("assessments", "0026_private_links")]

    operations = [
        migrations.AddField(
            model_name="answer",
            name="replaced_at",
            field=models.DateTimeField(
                blank=True,
                help_text=(
                    "When another puzzle took its place, as the student could not see the pictures."
                ),
                null=True,
            ),
        ),
        AddConstraintNotValid(
            model_name="answer",
            constraint=models.CheckConstraint(
                condition=Q(replaced_at__isnull=True) | Q(choice__isnull=True),
                name="answer_replaced_has_no_choice",
            ),
        ),
    ]
