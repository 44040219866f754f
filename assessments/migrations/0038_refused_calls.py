from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("assessments", "0037_drop_unused_expiry"),
        ("partners", "0009_test_projects"),
        ("tokens", "0002_plain_label"),
    ]

    operations = [
        migrations.CreateModel(
            name="RefusedCall",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "at",
                    models.DateTimeField(
                        help_text="Of calls over a limit, the beginning of their minute."
                    ),
                ),
                ("request_id", models.CharField(max_length=64)),
                (
                    "operation",
                    models.CharField(help_text="The last part of the path.", max_length=40),
                ),
                ("status", models.PositiveSmallIntegerField()),
                ("code", models.CharField(max_length=40)),
                (
                    "fields",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="The names of wrong fields, each with a code.",
                    ),
                ),
                ("count", models.PositiveIntegerField(default=1)),
                (
                    "access_token",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="refused_calls",
                        to="tokens.accesstoken",
                        verbose_name="token",
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="refused_calls",
                        to="partners.project",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
                "indexes": [
                    models.Index(fields=["project", "at"], name="refusedcall_of_project"),
                    models.Index(fields=["at"], name="refusedcall_by_time"),
                    models.Index(fields=["request_id"], name="refusedcall_by_request"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("status", 429)),
                        fields=("project", "operation", "at"),
                        name="refusedcall_limit_once_a_minute",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("count__gte", 1), ("status", 429)),
                            ("count", 1),
                            _connector="OR",
                        ),
                        name="refusedcall_count",
                    ),
                ],
            },
        ),
    ]
