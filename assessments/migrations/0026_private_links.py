from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    dependencies = [("assessments", "0025_validate_course_descriptions")]

    operations = [
        migrations.CreateModel(
            name="PrivateLink",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "key_digest",
                    models.CharField(help_text="SHA-256, in hex.", max_length=64, unique=True),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "expires_at",
                    models.DateTimeField(help_text="Until then the link opens the result."),
                ),
                (
                    "ended_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="By the student, by staff, or by a newer link.",
                        null=True,
                    ),
                ),
                (
                    "with_puzzles",
                    models.BooleanField(help_text="Whether it also shows how the puzzles went."),
                ),
                (
                    "assessment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="private_links",
                        to="assessments.assessment",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(
                        condition=Q(ended_at=None),
                        fields=("assessment",),
                        name="privatelink_one_not_ended_per_attempt",
                    ),
                    models.CheckConstraint(
                        condition=Q(expires_at__gt=F("created_at")),
                        name="privatelink_expires_after_creation",
                    ),
                ],
            },
        ),
    ]
