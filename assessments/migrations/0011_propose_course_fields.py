from django.db import migrations, transaction

from assessments.measurement.proposed_fields import propose_fields
from assessments.measurement.scales import INTERESTS

BATCH = 500


def propose(apps, schema_editor):
    """Propose fields for every course that has none. An interrupted run can be repeated."""
    database = schema_editor.connection.alias
    courses = apps.get_model('assessments', 'Course').objects.using(database)
    last = 0
    while True:
        with transaction.atomic(using=database):
            # Locked, so that a course that is edited meanwhile gets a proposal for its new name.
            batch = list(
                courses.select_for_update().filter(pk__gt=last, fields=[]).order_by('pk')[:BATCH]
            )
            if not batch:
                return
            for course in batch:
                ratings = [getattr(course, interest) for interest in INTERESTS]
                course.fields = list(propose_fields(course.name, ratings))
                course.fields_proposed = True
            courses.bulk_update(batch, ['fields', 'fields_proposed'])
        last = batch[-1].pk


class Migration(migrations.Migration):

    # Each batch is a transaction of its own, so that no course stays locked for long.
    atomic = False

    dependencies = [
        ('assessments', '0010_course_fields'),
    ]

    operations = [
        migrations.RunPython(propose, migrations.RunPython.noop, elidable=True),
    ]
