from django.db import migrations, models

import assessments.models.courses


class Migration(migrations.Migration):

    dependencies = [
        ('assessments', '0009_plainer_help_texts'),
    ]

    operations = [
        migrations.AddField(
            model_name='course',
            name='fields',
            field=models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list, help_text='What the course is about: one to three fields of work, the main one first.', validators=[assessments.models.courses.validate_fields]),
        ),
        migrations.AddField(
            model_name='course',
            name='fields_proposed',
            field=models.BooleanField(db_default=False, default=False, help_text='The service proposed the fields. No editor has chosen or confirmed them yet.'),
        ),
        migrations.AddField(
            model_name='course',
            name='required_streams',
            field=models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list, help_text='Tick only subjects that the course demands: students with none of them do not get it recommended. Tick none if the course is open to all.', validators=[assessments.models.courses.validate_streams], verbose_name='required subjects'),
        ),
    ]
