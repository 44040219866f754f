from django.db import migrations, models

from partners.online_migrations import AddConstraintNotValid


class Migration(migrations.Migration):

    dependencies = [
        ('assessments', '0011_propose_course_fields'),
    ]

    operations = [
        AddConstraintNotValid(
            model_name='course',
            constraint=models.CheckConstraint(condition=models.Q(('fields__3__isnull', True), models.Q(('fields_proposed', False), ('fields__0__isnull', False), _connector='OR')), name='course_fields_at_most_3_and_proposed_not_empty'),
        ),
    ]
