from __future__ import annotations

from django.db import migrations

from partners.online_migrations import PostgreSQLOnly


class Migration(migrations.Migration):
    dependencies = [("assessments", "0045_assessment_project_of_student")]

    operations = [
        PostgreSQLOnly(
            [
                "SET LOCAL lock_timeout = 0",
                'ALTER TABLE "assessments_assessment"'
                ' VALIDATE CONSTRAINT "assessment_project_of_student"',
            ],
            reverse_sql=migrations.RunSQL.noop,
        ),
    ]
