from __future__ import annotations

from django.db import migrations, models
from django.db.models.functions import Left
from django.db.models.lookups import Exact

import assessments.catalogue.course_description
from partners.online_migrations import AddConstraintNotValid


class Migration(migrations.Migration):
    dependencies = [
        ("assessments", "0023_dismissed_courses"),
    ]

    operations = [
        migrations.AddField(
            model_name="course",
            name="about",
            field=models.JSONField(
                blank=True,
                db_default=models.Value({}, models.JSONField()),
                default=dict,
                help_text="What students learn in the course, in each language.",
                validators=[assessments.catalogue.course_description.validate_about],
            ),
        ),
        migrations.AddField(
            model_name="course",
            name="apply_url",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="The address where students apply. Not shown while the course is inactive.",
                max_length=500,
                validators=[assessments.catalogue.course_description.validate_address],
                verbose_name="application page",
            ),
        ),
        migrations.AddField(
            model_name="course",
            name="leads_to",
            field=models.JSONField(
                blank=True,
                db_default=models.Value({}, models.JSONField()),
                default=dict,
                help_text="Up to three kinds of work after the course, in each language.",
                validators=[assessments.catalogue.course_description.validate_leads_to],
            ),
        ),
        migrations.AddField(
            model_name="course",
            name="url",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="The address of the college's own page about the course.",
                max_length=500,
                validators=[assessments.catalogue.course_description.validate_address],
                verbose_name="course page",
            ),
        ),
        AddConstraintNotValid(
            model_name="course",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("url", ""),
                        Exact(Left("url", 8), models.Value("https://")),
                        Exact(Left("url", 7), models.Value("http://")),
                        _connector="OR",
                    ),
                    models.Q(
                        ("apply_url", ""),
                        Exact(Left("apply_url", 8), models.Value("https://")),
                        Exact(Left("apply_url", 7), models.Value("http://")),
                        _connector="OR",
                    ),
                ),
                name="course_addresses_are_http",
                violation_error_message="Addresses start with https:// or http://.",
            ),
        ),
    ]
