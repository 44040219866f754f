from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

import assessments.models.links
from partners.online_migrations import AddConstraintNotValid

HELP = "Named in the partner API. A link of before has none until it is first named."


class Migration(migrations.Migration):
    dependencies = [("assessments", "0030_drop_answer_one_per_position")]

    operations = [
        # Without a default at first: all links of before would get the same id.
        migrations.AddField(
            model_name="assessmentlink",
            name="link_id",
            field=models.CharField(help_text=HELP, max_length=20, null=True),
        ),
        migrations.AlterField(
            model_name="assessmentlink",
            name="link_id",
            field=models.CharField(
                default=assessments.models.links.new_link_id,
                help_text=HELP,
                max_length=20,
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="assessmentlink",
            name="reference",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="The partner's own id for the student or application, if it sent one.",
                max_length=64,
            ),
        ),
        migrations.AddField(
            model_name="assessmentlink",
            name="cancelled_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        AddConstraintNotValid(
            model_name="assessmentlink",
            constraint=models.CheckConstraint(
                condition=Q(cancelled_at__isnull=True) | Q(used_at__isnull=True),
                name="assessmentlink_cancelled_never_used",
            ),
        ),
    ]
