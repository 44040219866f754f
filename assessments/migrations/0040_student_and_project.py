from __future__ import annotations

from django.db import migrations

from partners.online_migrations import PostgreSQLOnly


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("assessments", "0039_assessment_project")]

    operations = [
        # For the foreign key of two columns. Like AddIndexConcurrently.
        PostgreSQLOnly(
            [
                "SET lock_timeout = 0",
                "SET max_parallel_maintenance_workers = 0",
                "DROP INDEX CONCURRENTLY IF EXISTS student_and_project",
                "CREATE UNIQUE INDEX CONCURRENTLY student_and_project"
                ' ON "assessments_student" ("id", "project_id")',
                "RESET lock_timeout",
                "RESET max_parallel_maintenance_workers",
            ],
            reverse_sql="DROP INDEX CONCURRENTLY IF EXISTS student_and_project",
        ),
    ]
