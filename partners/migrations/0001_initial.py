import django.core.serializers.json
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.db.models.lookups
import django.utils.timezone
from django.db import migrations, models
from django.utils import timezone

import partners.models.projects
import partners.plain_text
import partners.public_ids

# PostgreSQL refuses to change an audit event, to delete one before its time, and to empty the table. It
# also refuses to make a test project of a live one. On SQLite only the code does.
TRIGGERS = """
CREATE FUNCTION auditevent_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF OLD.at < now() - interval '7 years' THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'audit events are append-only: % refused', TG_OP
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER auditevent_append_only BEFORE UPDATE OR DELETE ON partners_auditevent
    FOR EACH ROW EXECUTE FUNCTION auditevent_refuse();
CREATE TRIGGER auditevent_never_emptied BEFORE TRUNCATE ON partners_auditevent
    FOR EACH STATEMENT EXECUTE FUNCTION auditevent_refuse();
CREATE FUNCTION project_kind_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'project_kind_is_fixed: a test project stays one, and a live one too'
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER project_kind_is_fixed BEFORE UPDATE OF is_test ON partners_project
    FOR EACH ROW WHEN (OLD.is_test IS DISTINCT FROM NEW.is_test)
    EXECUTE FUNCTION project_kind_refuse();
"""
# What should run from time to time; `/metrics` says when each last did.
TASKS = ("purge", "deliver_webhooks", "backup")


def create_triggers(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(TRIGGERS, params=None)


def expect_tasks(apps, schema_editor):
    """Expect a first success of each task from now on."""
    successes = apps.get_model("partners", "LastSuccess").objects
    now = timezone.now()
    for task in TASKS:
        successes.using(schema_editor.connection.alias).create(task=task, known_since=now)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='LastSuccess',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.CharField(max_length=40, unique=True)),
                ('known_since', models.DateTimeField(help_text='When the service first expected it to run.')),
                ('succeeded_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name_plural': 'last successes',
                'default_permissions': (),
                'constraints': [models.CheckConstraint(condition=models.Q(('task', ''), _negated=True), name='lastsuccess_task_not_empty')],
            },
        ),
        migrations.CreateModel(
            name='Partner',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200, unique=True, validators=[partners.plain_text.validate_plain_text])),
                ('contact_email', models.EmailField(blank=True, default='', max_length=254, verbose_name='contact e-mail')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                'default_permissions': ('add', 'change', 'view'),
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='partner_has_a_name')],
            },
        ),
        migrations.CreateModel(
            name='Project',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('project_id', models.CharField(default=partners.public_ids.new_project_id, editable=False, max_length=64, unique=True, verbose_name='project id')),
                ('name', models.CharField(help_text='Shown to students, for example the name of the college.', max_length=200, validators=[partners.plain_text.validate_plain_text])),
                ('start_by_minutes', models.PositiveIntegerField(default=4320, help_text='How long a student can start a link: 15 minutes to 30 days (43200). 4320 is 72 hours.', validators=[django.core.validators.MinValueValidator(15), django.core.validators.MaxValueValidator(43200)], verbose_name='start-by, in minutes')),
                ('finish_by_hours', models.PositiveIntegerField(default=24, help_text='How long a student can continue an attempt: 20 hours to 30 days (720).', validators=[django.core.validators.MinValueValidator(20), django.core.validators.MaxValueValidator(720)], verbose_name='finish-by, in hours')),
                ('link_rate_per_minute', models.PositiveIntegerField(blank=True, help_text='Leave empty for the limit of the service.', null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='links a minute')),
                ('results_rate_per_minute', models.PositiveIntegerField(blank=True, help_text='Leave empty for the limit of the service.', null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='result calls a minute')),
                ('recommendation_count', models.PositiveSmallIntegerField(default=5, help_text='The most courses that a result recommends: 3 to 10. A change applies to attempts completed from now on.', validators=[django.core.validators.MinValueValidator(3), django.core.validators.MaxValueValidator(10)], verbose_name='recommended courses')),
                ('takers', models.CharField(choices=[('school-leavers', 'School leavers'), ('graduates', 'Graduates'), ('both', 'School leavers and graduates')], default='school-leavers', help_text='School leavers are recommended no courses that ask for a degree, graduates only those. A change applies to attempts completed or filled with courses from now on.', max_length=16, verbose_name='who takes the assessment')),
                ('time_zone', models.CharField(default='Asia/Kolkata', help_text='Students and staff see times in this zone.', max_length=64, validators=[partners.models.projects.validate_time_zone])),
                ('consent_mode', models.CharField(choices=[('obtained', 'The partner has obtained consent'), ('ask', "Ask the age and, under 18, a guardian's name and contact")], default='obtained', help_text='Every student agrees to the notice before the start. Choose “Ask” if the partner does not yet have the consent of a parent or guardian for students under 18: these students then give the name and contact of one.', max_length=16, verbose_name='consent')),
                ('return_url', models.CharField(blank=True, default='', help_text="Where the button “Back to …” leads at the end of an attempt: one https address, for example the partner's page of courses. We add nothing about the student or the result. Leave empty for no button.", max_length=500, validators=[partners.models.projects.validate_return_url], verbose_name='return address')),
                ('accent', models.CharField(choices=[('teal', 'Teal'), ('blue', 'Blue'), ('indigo', 'Indigo'), ('plum', 'Plum'), ('rose', 'Rose'), ('brick', 'Brick'), ('amber', 'Amber'), ('green', 'Green')], default='teal', help_text='The colour of buttons, links and charts on student pages. All eight are readable on light and dark backgrounds.', max_length=16, verbose_name='accent colour')),
                ('retention_months', models.PositiveSmallIntegerField(default=24, help_text='Attempts are deleted this long after they end: 1 to 24 months. Students are told before they start, so a change applies only to those who start later.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(24)], verbose_name='answers are kept, in months')),
                ('is_test', models.BooleanField(default=False, help_text="For the partner's own tests: its links and attempts are in no figures and are deleted after 7 days. It can't be changed later.", verbose_name='test project')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('closed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('partner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='projects', to='partners.partner')),
            ],
            options={
                'permissions': [('close_project', 'Can close and reopen a project')],
                'default_permissions': ('add', 'change', 'view'),
            },
        ),
        migrations.CreateModel(
            name='AuditEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_index=True, verbose_name='when')),
                ('actor', models.CharField(max_length=200, verbose_name='who')),
                ('action', models.CharField(max_length=40)),
                ('object_type', models.CharField(max_length=40, verbose_name='kind of object')),
                ('object_id', models.CharField(max_length=64, verbose_name='object')),
                ('address', models.GenericIPAddressField(blank=True, null=True, verbose_name='from address')),
                ('request_id', models.CharField(blank=True, default='', max_length=64)),
                ('reason', models.CharField(blank=True, default='', max_length=200)),
                ('details', models.JSONField(blank=True, default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder, help_text='What changed, and how much: values before and after, counts, codes.')),
                ('project', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='audit_events', to='partners.project')),
            ],
            options={
                'default_permissions': ('view',),
            },
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.UniqueConstraint(fields=('partner', 'name'), name='project_name_once_a_partner', violation_error_message='This partner already has a project with this name.'),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('name', ''), _negated=True), models.Q(('project_id', ''), _negated=True)), name='project_has_a_name_and_an_id'),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(('start_by_minutes__range', (15, 43200))), name='project_start_by_in_range'),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(('finish_by_hours__range', (20, 720))), name='project_finish_by_in_range'),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(('link_rate_per_minute__isnull', True), ('link_rate_per_minute__gte', 1), _connector='OR'), name='project_link_rate_positive'),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(('results_rate_per_minute__isnull', True), ('results_rate_per_minute__gte', 1), _connector='OR'), name='project_results_rate_positive'),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(('recommendation_count__range', (3, 10))), name='project_recommendation_count_in_range'),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(('takers__in', ['school-leavers', 'graduates', 'both'])), name='project_takers_known'),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(('consent_mode__in', ['obtained', 'ask'])), name='project_consent_mode_known'),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(('return_url', ''), django.db.models.lookups.Exact(django.db.models.functions.text.Left('return_url', 8), models.Value('https://')), _connector='OR'), name='project_return_url_is_https'),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(('accent__in', ['teal', 'blue', 'indigo', 'plum', 'rose', 'brick', 'amber', 'green'])), name='project_accent_known'),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(('retention_months__range', (1, 24))), name='project_retention_in_range'),
        ),
        migrations.AddIndex(
            model_name='auditevent',
            index=models.Index(fields=['object_type', 'object_id'], name='auditevent_object'),
        ),
        migrations.AddIndex(
            model_name='auditevent',
            index=models.Index(fields=['action', 'at'], name='auditevent_action'),
        ),
        migrations.AddIndex(
            model_name='auditevent',
            index=models.Index(fields=['actor', 'at'], name='auditevent_actor'),
        ),
        migrations.AddConstraint(
            model_name='auditevent',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('actor', ''), _negated=True), models.Q(('action', ''), _negated=True), models.Q(('object_type', ''), _negated=True), models.Q(('object_id', ''), _negated=True)), name='auditevent_says_who_what_and_to_what'),
        ),
        migrations.RunPython(create_triggers),
        migrations.RunPython(expect_tasks),
    ]
