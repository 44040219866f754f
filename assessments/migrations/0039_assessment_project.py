from __future__ import annotations

from django.db import migrations, models

from partners.online_migrations import PostgreSQLOnly

# The release before does not know the column. Drop trigger and function in the next release.
FUNCTION = """
CREATE FUNCTION assessment_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.project_id := (SELECT project_id FROM assessments_student WHERE id = NEW.student_id);
  RETURN NEW;
END $$
"""
TRIGGER = (
    'CREATE TRIGGER assessment_project BEFORE INSERT ON "assessments_assessment"'
    " FOR EACH ROW WHEN (NEW.project_id IS NULL) EXECUTE FUNCTION assessment_project()"
)



class Migration(migrations.Migration):
    dependencies = [("assessments", "0038_refused_calls")]

    operations = [
        migrations.AddField(
            model_name="assessment",
            name="project_id",
            field=models.BigIntegerField(
                "project",
                help_text="The student's. Repeated here for the index of the project's ends.",
                null=True,
            ),
        ),
        PostgreSQLOnly(
            [FUNCTION, TRIGGER],
            reverse_sql=[
                'DROP TRIGGER assessment_project ON "assessments_assessment"',
                "DROP FUNCTION assessment_project()",
            ],
        ),
    ]
