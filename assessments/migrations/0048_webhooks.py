from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

import assessments.models.webhook_events
import assessments.models.webhooks


class Migration(migrations.Migration):
    dependencies = [
        ("assessments", "0047_index_ends_of_project"),
        ("partners", "0009_test_projects"),
    ]

    operations = [
        migrations.CreateModel(
            name="WebhookEndpoint",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "endpoint_id",
                    models.CharField(
                        default=assessments.models.webhooks.new_endpoint_id,
                        max_length=20,
                        unique=True,
                    ),
                ),
                (
                    "url",
                    models.CharField(
                        help_text="The partner's receiver: an https address on port 443, reachable from the internet.",
                        max_length=500,
                        validators=[assessments.models.webhooks.validate_url],
                        verbose_name="address",
                    ),
                ),
                (
                    "sends_completed",
                    models.BooleanField(
                        default=True,
                        help_text="When a student completes an assessment.",
                        verbose_name="assessment.completed",
                    ),
                ),
                (
                    "sends_abandoned",
                    models.BooleanField(
                        default=True,
                        help_text="When an assessment ends unfinished: left, replaced, closed, or out of time.",
                        verbose_name="assessment.abandoned",
                    ),
                ),
                (
                    "sends_expired_links",
                    models.BooleanField(
                        default=False,
                        help_text="When a link expires that nobody has started.",
                        verbose_name="link.expired",
                    ),
                ),
                (
                    "sends_reference",
                    models.BooleanField(
                        default=False,
                        help_text="Send the partner's own reference of the student (X-Reference) as well.",
                        verbose_name="include the reference",
                    ),
                ),
                ("secret_version", models.PositiveSmallIntegerField(default=1)),
                (
                    "previous_until",
                    models.DateTimeField(
                        blank=True, help_text="Until then the previous secret signs too.", null=True
                    ),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "swept_until",
                    models.DateTimeField(
                        help_text="What ended by passing a time before this has its event."
                    ),
                ),
                (
                    "failing_since",
                    models.DateTimeField(
                        blank=True, help_text="The first failure after the last success.", null=True
                    ),
                ),
                (
                    "paused_until",
                    models.DateTimeField(
                        blank=True,
                        help_text="After a failure, nothing is sent before this.",
                        null=True,
                    ),
                ),
                ("switched_off_at", models.DateTimeField(blank=True, null=True)),
                (
                    "switched_off_why",
                    models.CharField(blank=True, db_default="", default="", max_length=200),
                ),
                (
                    "project",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="webhook_endpoint",
                        to="partners.project",
                    ),
                ),
            ],
            options={
                "permissions": [("manage_webhooks", "Can set up and change webhooks")],
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="WebhookEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "event_id",
                    models.CharField(
                        default=assessments.models.webhook_events.new_event_id,
                        max_length=20,
                        unique=True,
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("assessment.completed", "Completed"),
                            ("assessment.abandoned", "Abandoned"),
                            ("link.expired", "Link Expired"),
                            ("webhook.test", "Test"),
                        ],
                        max_length=24,
                        verbose_name="event",
                    ),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "tries",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="Since stored or replayed."
                    ),
                ),
                (
                    "next_try_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="Null: delivered, given up, or stored for a replay.",
                        null=True,
                    ),
                ),
                (
                    "leased_until",
                    models.DateTimeField(
                        blank=True,
                        help_text="Until then one deliverer alone may send it.",
                        null=True,
                    ),
                ),
                ("last_try_at", models.DateTimeField(blank=True, null=True)),
                (
                    "last_status",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="The receiver's last answer; null if there was none.",
                        null=True,
                    ),
                ),
                (
                    "last_error",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="Why the last try failed: a code.",
                        max_length=32,
                    ),
                ),
                ("delivered_at", models.DateTimeField(blank=True, null=True)),
                (
                    "assessment",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhook_events",
                        to="assessments.assessment",
                    ),
                ),
                (
                    "endpoint",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="assessments.webhookendpoint",
                    ),
                ),
                (
                    "link",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhook_events",
                        to="assessments.assessmentlink",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.AddConstraint(
            model_name="webhookendpoint",
            constraint=models.CheckConstraint(
                condition=models.Q(("url", ""), _negated=True), name="webhookendpoint_url_not_empty"
            ),
        ),
        migrations.AddConstraint(
            model_name="webhookendpoint",
            constraint=models.CheckConstraint(
                condition=models.Q(("secret_version__gte", 1)),
                name="webhookendpoint_version_positive",
            ),
        ),
        migrations.AddConstraint(
            model_name="webhookendpoint",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("previous_until__isnull", True), ("secret_version__gte", 2), _connector="OR"
                ),
                name="webhookendpoint_previous_needs_one",
            ),
        ),
        migrations.AddConstraint(
            model_name="webhookendpoint",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("switched_off_at__isnull", False), ("switched_off_why", ""), _connector="OR"
                ),
                name="webhookendpoint_why_needs_off",
            ),
        ),
        migrations.AddIndex(
            model_name="webhookevent",
            index=models.Index(
                condition=models.Q(("next_try_at__isnull", False)),
                fields=["next_try_at"],
                name="webhookevent_due",
            ),
        ),
        migrations.AddIndex(
            model_name="webhookevent",
            index=models.Index(fields=["endpoint", "-created_at"], name="webhookevent_newest"),
        ),
        migrations.AddIndex(
            model_name="webhookevent",
            index=models.Index(fields=["created_at"], name="webhookevent_created"),
        ),
        migrations.AddConstraint(
            model_name="webhookevent",
            constraint=models.UniqueConstraint(
                fields=("assessment",), name="webhookevent_assessment_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="webhookevent",
            constraint=models.UniqueConstraint(fields=("link",), name="webhookevent_link_once"),
        ),
        migrations.AddConstraint(
            model_name="webhookevent",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("assessment__isnull", False),
                        ("kind__in", ("assessment.completed", "assessment.abandoned")),
                        ("link__isnull", True),
                    ),
                    models.Q(
                        ("assessment__isnull", True),
                        ("kind", "link.expired"),
                        ("link__isnull", False),
                    ),
                    models.Q(
                        ("assessment__isnull", True),
                        ("kind", "webhook.test"),
                        ("link__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="webhookevent_about_what_it_says",
            ),
        ),
        migrations.AddConstraint(
            model_name="webhookevent",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("delivered_at__isnull", True), ("next_try_at__isnull", True), _connector="OR"
                ),
                name="webhookevent_delivered_not_queued",
            ),
        ),
    ]
