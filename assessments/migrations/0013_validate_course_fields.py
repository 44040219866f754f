from django.db import migrations

from partners.online_migrations import ValidateConstraint


class Migration(migrations.Migration):

    dependencies = [
        ('assessments', '0012_course_fields_at_most_3'),
    ]

    operations = [
        ValidateConstraint('course', 'course_fields_at_most_3_and_proposed_not_empty'),
    ]
