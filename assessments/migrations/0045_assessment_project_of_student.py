from __future__ import annotations

from django.db import migrations

from partners.online_migrations import PostgreSQLOnly


class Migration(migrations.Migration):
    dependencies = [("assessments", "0044_assessment_project_not_null")]

    operations = [
        # Django has no foreign keys of two columns.
        PostgreSQLOnly(
            'ALTER TABLE "assessments_assessment" ADD CONSTRAINT "assessment_project_of_student"'
            ' FOREIGN KEY ("student_id", "project_id")'
            ' REFERENCES "assessments_student" ("id", "project_id")'
            " DEFERRABLE INITIALLY DEFERRED NOT VALID",
            reverse_sql='ALTER TABLE "assessments_assessment"'
            ' DROP CONSTRAINT "assessment_project_of_student"',
        ),
    ]
