import functools

import django.core.validators
import django.db.models.deletion
import django.db.models.functions.comparison
import django.db.models.functions.text
import django.db.models.lookups
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import assessments.models.course_description
import assessments.models.courses
import assessments.webhooks.endpoints
import partners.plain_text
import partners.public_ids

# An attempt's project is its student's. Django has no foreign keys of two columns.
PROJECT_OF_STUDENT = """
CREATE UNIQUE INDEX student_and_project ON assessments_student (id, project_id);
ALTER TABLE assessments_attempt ADD CONSTRAINT attempt_project_of_student
    FOREIGN KEY (student_id, project_id) REFERENCES assessments_student (id, project_id)
    DEFERRABLE INITIALLY DEFERRED;
"""


def tie_project_to_student(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(PROJECT_OF_STUDENT, params=None)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('partners', '0001_initial'),
        ('tokens', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('assessment_id', models.CharField(default=functools.partial(partners.public_ids.new_public_id, *('asm',), **{}), max_length=20)),
                ('project_id', models.BigIntegerField(help_text="The student's. Repeated here for the index of the project's ends.", verbose_name='project')),
                ('language', models.CharField(max_length=8)),
                ('browser_digest', models.CharField(help_text="SHA-256 of the token in the student's cookie.", max_length=64)),
                ('continuations', models.SmallIntegerField(default=0, help_text='How often a further link continued it.', verbose_name='continued')),
                ('answers_hidden_until', models.DateTimeField(blank=True, help_text='When another browser took over: it shows no choice before.', null=True)),
                ('consent_version', models.CharField(max_length=16)),
                ('consented_at', models.DateTimeField()),
                ('is_minor', models.BooleanField(blank=True, help_text='As the student said; null: not asked.', null=True, verbose_name='under 18')),
                ('guardian_name', models.CharField(blank=True, default='', max_length=200, verbose_name="guardian's name")),
                ('guardian_contact', models.CharField(blank=True, default='', max_length=254, verbose_name="guardian's e-mail address or mobile number")),
                ('started_at', models.DateTimeField()),
                ('finish_by_at', models.DateTimeField(help_text='Until then the attempt can be continued.')),
                ('completed_at', models.DateTimeField(blank=True, null=True)),
                ('abandoned_at', models.DateTimeField(blank=True, help_text='Left or started again by the student, closed by support, or erased.', null=True)),
                ('retention_months', models.PositiveSmallIntegerField(default=24, help_text='How long after its end, as the student read before the start.', verbose_name='deleted after, in months')),
                ('results_read_at', models.DateTimeField(blank=True, help_text='When the partner first read this outcome.', null=True)),
                ('leading_fields', models.JSONField(blank=True, help_text='The fields that stage 2 asks about; null before.', null=True)),
                ('stream', models.CharField(blank=True, default='', help_text='As the student said; empty: not asked, or not answered yet.', max_length=24, verbose_name='subjects in class 11 and 12')),
                ('considered', models.JSONField(blank=True, help_text='Codes of courses named before the puzzles; null: not asked.', null=True)),
                ('considers_unlisted', models.BooleanField(blank=True, help_text='Whether a course in no list was meant; null: not asked.', null=True)),
                ('profile', models.JSONField(blank=True, null=True)),
                ('recommendations', models.JSONField(blank=True, null=True)),
                ('takers', models.CharField(blank=True, choices=[('school-leavers', 'School leavers'), ('graduates', 'Graduates'), ('both', 'School leavers and graduates')], default='', help_text='As set for the project when the attempt was completed or filled; empty before.', max_length=16, verbose_name='who takes the assessment')),
                ('courses_filled_at', models.DateTimeField(blank=True, help_text='When staff gave it the courses that its project lacked at its completion.', null=True, verbose_name='courses added')),
                ('dismissed', models.JSONField(blank=True, default=list, help_text='Codes of the courses that the student removed from the result page.', verbose_name='not for me')),
            ],
            options={
                'permissions': [('close_attempt', 'Can close an open attempt'), ('extend_attempt', 'Can extend the finish-by of an open attempt'), ('export_results', "Can export a project's results"), ('fill_results', 'Can add courses to results that had none')],
                'default_permissions': ('view',),
            },
        ),
        migrations.CreateModel(
            name='Item',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=64)),
                ('section', models.CharField(choices=[('interests', 'Interests'), ('fields', 'Interests, stage 2'), ('aptitude', 'Aptitude'), ('preferences', 'Preferences')], max_length=16)),
                ('scale', models.CharField(help_text='Interest type, field, item family or preference.', max_length=32)),
                ('order', models.PositiveIntegerField()),
                ('content', models.JSONField(help_text='Texts per language, options, figure, radicals.')),
                ('keyed', models.SmallIntegerField(default=1, help_text='-1: agreement counts the other way.')),
                ('key', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('a', models.FloatField(blank=True, help_text='Discrimination.', null=True)),
                ('b', models.FloatField(blank=True, help_text='Difficulty.', null=True)),
                ('c', models.FloatField(blank=True, help_text='Guessing.', null=True)),
            ],
            options={
                'ordering': ['bank', 'order'],
                'default_permissions': ('view',),
            },
        ),
        migrations.CreateModel(
            name='AssessmentLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('link_id', models.CharField(default=functools.partial(partners.public_ids.new_public_id, *('lnk',), **{}), help_text="The link's id in the partner API.", max_length=20)),
                ('token_digest', models.CharField(help_text='SHA-256, in hex.', max_length=64)),
                ('name', models.CharField(help_text='As given with this link.', max_length=200)),
                ('mobile', models.CharField(help_text='As given with this link.', max_length=20)),
                ('reference', models.CharField(blank=True, default='', help_text="The partner's own id for the student or application, if it sent one.", max_length=64)),
                ('issued_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField(help_text='Until then the link can be started.')),
                ('used_at', models.DateTimeField(blank=True, null=True)),
                ('cancelled_at', models.DateTimeField(blank=True, null=True)),
                ('access_token', models.ForeignKey(blank=True, db_index=False, help_text='The token that asked for the link; none if staff issued it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='links', to='tokens.accesstoken')),
                ('attempt', models.ForeignKey(blank=True, db_index=False, help_text='The attempt that the link started or continued.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='links', to='assessments.attempt')),
            ],
            options={
                'verbose_name': 'link',
                'permissions': [('issue_link', 'Can issue a fresh link to a student'), ('cancel_link', 'Can cancel a link that nobody has started')],
                'default_permissions': ('view',),
            },
        ),
        migrations.CreateModel(
            name='CatalogueSnapshot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64)),
                ('courses', models.JSONField()),
                ('course_counts', models.JSONField(help_text='How many titles can be recommended, by who takes the assessment.')),
                ('taken_at', models.DateTimeField()),
                ('current_since', models.DateTimeField(blank=True, help_text="When it last became the project's catalogue, by a change of its courses.", null=True)),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='partners.project')),
            ],
        ),
        migrations.CreateModel(
            name='Upload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=16)),
                ('content', models.BinaryField()),
                ('choices', models.JSONField(default=dict)),
                ('rows', models.JSONField(null=True)),
                ('notes', models.JSONField(default=list)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='partners.project')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddField(
            model_name='attempt',
            name='catalogue',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, to='assessments.cataloguesnapshot'),
        ),
        migrations.CreateModel(
            name='Course',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(help_text='Identifies the course within the project.', max_length=32, validators=[partners.plain_text.validate_plain_text])),
                ('name', models.CharField(help_text='As shown to partners and students.', max_length=200, validators=[partners.plain_text.validate_plain_text])),
                ('order', models.PositiveIntegerField(default=0, help_text='If courses fit equally well, the lower number comes first.')),
                ('fields', models.JSONField(blank=True, default=list, help_text='What the course is about: one to three fields of work, the main one first.', validators=[assessments.models.courses.validate_fields])),
                ('fields_proposed', models.BooleanField(default=False, help_text='The service proposed the fields. No editor has chosen or confirmed them yet.')),
                ('numerical_level', models.PositiveSmallIntegerField(choices=[(0, 'none'), (1, 'basic'), (2, 'average'), (3, 'strong')], default=0, help_text='Which start in working with numbers the course typically expects.', verbose_name='numerical level')),
                ('numerical_importance', models.PositiveSmallIntegerField(choices=[(0, '0 - does not count'), (1, '1 - counts'), (2, '2 - counts double')], default=0, help_text='How much it counts compared with the other two. 0 if the level is none.', verbose_name='numerical importance')),
                ('abstract_level', models.PositiveSmallIntegerField(choices=[(0, 'none'), (1, 'basic'), (2, 'average'), (3, 'strong')], default=0, help_text='Which start in finding patterns and rules the course typically expects.', verbose_name='abstract level')),
                ('abstract_importance', models.PositiveSmallIntegerField(choices=[(0, '0 - does not count'), (1, '1 - counts'), (2, '2 - counts double')], default=0, help_text='How much it counts compared with the other two. 0 if the level is none.', verbose_name='abstract importance')),
                ('verbal_level', models.PositiveSmallIntegerField(choices=[(0, 'none'), (1, 'basic'), (2, 'average'), (3, 'strong')], default=0, help_text='Which start in careful reading and reasoning the course typically expects.', verbose_name='verbal level')),
                ('verbal_importance', models.PositiveSmallIntegerField(choices=[(0, '0 - does not count'), (1, '1 - counts'), (2, '2 - counts double')], default=0, help_text='How much it counts compared with the other two. 0 if the level is none.', verbose_name='verbal importance')),
                ('entry_level', models.CharField(blank=True, choices=[('class-10', 'after class 10'), ('class-12', 'after class 12'), ('degree', 'after a first degree')], default='', help_text="The qualification a student needs to start the course. Shown to students with the course. Courses after a first degree are recommended to graduates, all others to school leavers: the project's page says who takes the assessment.", max_length=16)),
                ('streams', models.JSONField(blank=True, default=list, help_text='The usual subjects in class 11 and 12. Tick none if any will do. Shown to students.', validators=[assessments.models.courses.validate_streams])),
                ('required_streams', models.JSONField(blank=True, default=list, help_text='Tick only subjects that the course demands. Students with other subjects are not recommended the course, unless they are undecided. Tick none if the course is open to all.', validators=[assessments.models.courses.validate_streams], verbose_name='required subjects')),
                ('department', models.CharField(blank=True, default='', help_text='At most two courses of a department are among the first five, unless a third fits clearly better. Leave empty for no limit.', max_length=100, validators=[partners.plain_text.validate_plain_text])),
                ('delivery', models.JSONField(blank=True, default=list, help_text="How the course is mostly taught. A match with the student's preferences counts for at most 5 of 100.", validators=[assessments.models.courses.validate_delivery], verbose_name='taught')),
                ('about', models.JSONField(blank=True, default=dict, help_text='What students learn in the course, in each language.', validators=[assessments.models.course_description.validate_about])),
                ('leads_to', models.JSONField(blank=True, default=dict, help_text='Up to three kinds of work after the course, in each language.', validators=[assessments.models.course_description.validate_leads_to])),
                ('url', models.CharField(blank=True, default='', help_text="The address of the college's own page about the course.", max_length=500, validators=[assessments.models.course_description.validate_address], verbose_name='course page')),
                ('apply_url', models.CharField(blank=True, default='', help_text='The address where students apply. Not shown while the course is inactive.', max_length=500, validators=[assessments.models.course_description.validate_address], verbose_name='application page')),
                ('is_active', models.BooleanField(default=True, help_text='Only active courses are recommended.', verbose_name='active')),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='courses', to='partners.project')),
            ],
            options={
                'ordering': ['project', 'order', 'code'],
            },
        ),
        migrations.CreateModel(
            name='Answer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField()),
                ('shown_at', models.DateTimeField()),
                ('choice', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('language', models.CharField(blank=True, default='', help_text='In which it was read when it was answered.', max_length=8)),
                ('replaced_at', models.DateTimeField(blank=True, help_text='When another puzzle took its place, as the student could not see the pictures.', null=True)),
                ('attempt', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='assessments.attempt')),
                ('item', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='assessments.item')),
            ],
            options={
                'default_permissions': ('view',),
            },
        ),
        migrations.CreateModel(
            name='ItemBank',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.CharField(max_length=64, unique=True)),
                ('digest', models.CharField(help_text="SHA-256 of the bank's content.", max_length=64)),
                ('definition', models.JSONField(help_text='Everything but the items.')),
                ('shipped', models.BooleanField(default=False, help_text='Came with the code.')),
                ('published_at', models.DateTimeField()),
                ('made_current_at', models.DateTimeField(blank=True, help_text='The bank with the latest time is the current one.', null=True)),
                ('retired_at', models.DateTimeField(blank=True, help_text="From then on it can't be made current again.", null=True)),
            ],
            options={
                'ordering': ['-published_at'],
                'permissions': [('publish_itembank', 'Can make a bank current, and retire one')],
                'default_permissions': ('view',),
                'constraints': [models.CheckConstraint(condition=models.Q(('version', ''), _negated=True), name='itembank_version_not_empty')],
            },
        ),
        migrations.AddField(
            model_name='item',
            name='bank',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='assessments.itembank'),
        ),
        migrations.AddField(
            model_name='attempt',
            name='bank',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='assessments.itembank'),
        ),
        migrations.CreateModel(
            name='LinkEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('at', models.DateTimeField()),
                ('kind', models.CharField(choices=[('robot', 'fetched by a robot'), ('opened', 'opened'), ('refused', "opened where it can't be started")], max_length=8)),
                ('what', models.CharField(blank=True, default='', help_text='Which robot, or why it was refused.', max_length=40)),
                ('link', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='events', to='assessments.assessmentlink')),
            ],
            options={
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='PrivateLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key_digest', models.CharField(help_text='SHA-256, in hex.', max_length=64)),
                ('created_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField(help_text='Until then the link opens the result.')),
                ('ended_at', models.DateTimeField(blank=True, help_text='By the student or by staff.', null=True)),
                ('with_puzzles', models.BooleanField(help_text='Whether it also shows how the puzzles went.')),
                ('with_ideas', models.BooleanField(help_text='Whether it also shows the courses they named.')),
                ('attempt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='private_links', to='assessments.attempt')),
            ],
            options={
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='ReportedOutcome',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('course_code', models.CharField(max_length=32)),
                ('stage', models.CharField(choices=[('applied', 'Applied'), ('enrolled', 'Enrolled')], max_length=8)),
                ('reported_at', models.DateTimeField()),
                ('attempt', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='reported_outcome', to='assessments.attempt')),
            ],
            options={
                'default_permissions': (),
                'constraints': [models.CheckConstraint(condition=models.Q(('stage__in', ['applied', 'enrolled'])), name='reportedoutcome_stage_known'), models.CheckConstraint(condition=models.Q(('course_code', ''), _negated=True), name='reportedoutcome_course_not_empty')],
            },
        ),
        migrations.CreateModel(
            name='ProjectFigures',
            fields=[
            ],
            options={
                'verbose_name': 'figures',
                'verbose_name_plural': 'figures',
                'proxy': True,
                'default_permissions': (),
                'indexes': [],
                'constraints': [],
            },
            bases=('partners.project',),
        ),
        migrations.CreateModel(
            name='RefusedCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(help_text='Of calls over a limit, the beginning of their minute.')),
                ('request_id', models.CharField(max_length=64)),
                ('operation', models.CharField(help_text='The last part of the path.', max_length=40)),
                ('status', models.PositiveSmallIntegerField()),
                ('code', models.CharField(max_length=40)),
                ('fields', models.JSONField(blank=True, default=list, help_text='The names of wrong fields, each with a code.')),
                ('count', models.PositiveIntegerField(default=1)),
                ('access_token', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='refused_calls', to='tokens.accesstoken', verbose_name='token')),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='refused_calls', to='partners.project')),
            ],
            options={
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='Student',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('email_key', models.CharField(help_text='identity.email_key', max_length=254)),
                ('email', models.CharField(help_text='As given last.', max_length=254, verbose_name='e-mail')),
                ('name', models.CharField(help_text='As given last.', max_length=200)),
                ('mobile', models.CharField(help_text='As given last.', max_length=21)),
                ('created_at', models.DateTimeField()),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='partners.project')),
            ],
            options={
                'permissions': [('erase_student', 'Can erase what is known of a student')],
                'default_permissions': ('view',),
            },
        ),
        migrations.AddField(
            model_name='assessmentlink',
            name='student',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='links', to='assessments.student'),
        ),
        migrations.AddField(
            model_name='attempt',
            name='student',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='attempts', to='assessments.student'),
        ),
        migrations.CreateModel(
            name='WebhookEndpoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('endpoint_id', models.CharField(default=functools.partial(partners.public_ids.new_public_id, *('whk',), **{}), max_length=20, unique=True)),
                ('url', models.CharField(help_text="The partner's receiver: an https address on port 443, reachable from the internet.", max_length=500, validators=[assessments.webhooks.endpoints.validate_url], verbose_name='address')),
                ('sends_completed', models.BooleanField(default=True, help_text='When a student completes an attempt.', verbose_name='assessment.completed')),
                ('sends_abandoned', models.BooleanField(default=True, help_text='When an attempt ends unfinished: left, replaced, closed, or out of time.', verbose_name='assessment.abandoned')),
                ('sends_expired_links', models.BooleanField(default=False, help_text='When a link expires that nobody has started.', verbose_name='link.expired')),
                ('sends_reference', models.BooleanField(default=False, help_text="Send the partner's own reference of the student (X-Reference) as well.", verbose_name='include the reference')),
                ('secret_version', models.PositiveSmallIntegerField(default=1)),
                ('previous_until', models.DateTimeField(blank=True, help_text='Until then the previous secret signs too.', null=True)),
                ('created_at', models.DateTimeField()),
                ('swept_until', models.DateTimeField()),
                ('failing_since', models.DateTimeField(blank=True, null=True)),
                ('paused_until', models.DateTimeField(blank=True, null=True)),
                ('switched_off_at', models.DateTimeField(blank=True, null=True)),
                ('switched_off_why', models.CharField(blank=True, default='', max_length=200)),
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='webhook_endpoint', to='partners.project')),
            ],
            options={
                'permissions': [('manage_webhooks', 'Can set up and change webhooks')],
                'default_permissions': ('view',),
            },
        ),
        migrations.CreateModel(
            name='WebhookEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('event_id', models.CharField(default=functools.partial(partners.public_ids.new_public_id, *('msg',), **{}), max_length=20, unique=True)),
                ('kind', models.CharField(choices=[('assessment.completed', 'Completed'), ('assessment.abandoned', 'Abandoned'), ('link.expired', 'Link Expired'), ('webhook.test', 'Test')], max_length=24, verbose_name='event')),
                ('happened_at', models.DateTimeField()),
                ('created_at', models.DateTimeField()),
                ('queued_at', models.DateTimeField(blank=True, null=True)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('leased_until', models.DateTimeField(blank=True, null=True)),
                ('last_status', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('last_error', models.CharField(blank=True, default='', max_length=32)),
                ('delivered_at', models.DateTimeField(blank=True, null=True)),
                ('attempt', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='webhook_events', to='assessments.attempt')),
                ('endpoint', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='assessments.webhookendpoint')),
                ('link', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='webhook_events', to='assessments.assessmentlink')),
            ],
            options={
                'default_permissions': (),
            },
        ),
        migrations.AddConstraint(
            model_name='cataloguesnapshot',
            constraint=models.UniqueConstraint(fields=('project', 'digest'), name='cataloguesnapshot_once_per_catalogue'),
        ),
        migrations.AddConstraint(
            model_name='upload',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['courses', 'students'])), name='upload_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='course',
            constraint=models.UniqueConstraint(fields=('project', 'code'), name='course_code_unique_in_project'),
        ),
        migrations.AddConstraint(
            model_name='course',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('code', ''), _negated=True), models.Q(('name', ''), _negated=True)), name='course_code_and_name_not_empty'),
        ),
        migrations.AddConstraint(
            model_name='course',
            constraint=models.CheckConstraint(condition=models.Q(('numerical_level__lt', 4), ('abstract_level__lt', 4), ('verbal_level__lt', 4)), name='course_levels_at_most_3'),
        ),
        migrations.AddConstraint(
            model_name='course',
            constraint=models.CheckConstraint(condition=models.Q(('numerical_importance__lte', 2), ('abstract_importance__lte', 2), ('verbal_importance__lte', 2)), name='course_importances_at_most_2'),
        ),
        migrations.AddConstraint(
            model_name='course',
            constraint=models.CheckConstraint(condition=models.Q(('fields__3__isnull', True), models.Q(('fields_proposed', False), ('fields__0__isnull', False), _connector='OR')), name='course_fields_at_most_3_and_proposed_not_empty'),
        ),
        migrations.AddConstraint(
            model_name='course',
            constraint=models.CheckConstraint(condition=models.Q(('is_active', False), ('fields__0__isnull', False), _connector='OR'), name='course_active_has_a_field'),
        ),
        migrations.AddConstraint(
            model_name='course',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('numerical_level', 0), ('numerical_importance', 0)), models.Q(('numerical_level__gt', 0), ('numerical_importance__gt', 0)), _connector='OR'), name='course_numerical_level_iff_importance'),
        ),
        migrations.AddConstraint(
            model_name='course',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('abstract_level', 0), ('abstract_importance', 0)), models.Q(('abstract_level__gt', 0), ('abstract_importance__gt', 0)), _connector='OR'), name='course_abstract_level_iff_importance'),
        ),
        migrations.AddConstraint(
            model_name='course',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('verbal_level', 0), ('verbal_importance', 0)), models.Q(('verbal_level__gt', 0), ('verbal_importance__gt', 0)), _connector='OR'), name='course_verbal_level_iff_importance'),
        ),
        migrations.AddConstraint(
            model_name='course',
            constraint=models.CheckConstraint(condition=models.Q(('entry_level__in', ['', 'class-10', 'class-12', 'degree'])), name='course_entry_level_known'),
        ),
        migrations.AddConstraint(
            model_name='course',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('url', ''), django.db.models.lookups.Exact(django.db.models.functions.text.Left('url', 8), models.Value('https://')), django.db.models.lookups.Exact(django.db.models.functions.text.Left('url', 7), models.Value('http://')), _connector='OR'), models.Q(('apply_url', ''), django.db.models.lookups.Exact(django.db.models.functions.text.Left('apply_url', 8), models.Value('https://')), django.db.models.lookups.Exact(django.db.models.functions.text.Left('apply_url', 7), models.Value('http://')), _connector='OR')), name='course_addresses_are_http'),
        ),
        migrations.AddConstraint(
            model_name='answer',
            constraint=models.UniqueConstraint(condition=models.Q(('replaced_at__isnull', True)), fields=('attempt', 'position'), name='answer_one_current_per_position'),
        ),
        migrations.AddConstraint(
            model_name='answer',
            constraint=models.UniqueConstraint(fields=('attempt', 'item'), name='answer_one_per_item'),
        ),
        migrations.AddConstraint(
            model_name='answer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answered_at__isnull', True), ('choice__isnull', True), ('language', '')), models.Q(('answered_at__isnull', False), ('choice__isnull', False), models.Q(('language', ''), _negated=True)), _connector='OR'), name='answer_choice_iff_answered'),
        ),
        migrations.AddConstraint(
            model_name='answer',
            constraint=models.CheckConstraint(condition=models.Q(('position__gte', 1)), name='answer_position_from_1'),
        ),
        migrations.AddConstraint(
            model_name='answer',
            constraint=models.CheckConstraint(condition=models.Q(('replaced_at__isnull', True), ('choice__isnull', True), _connector='OR'), name='answer_replaced_has_no_choice'),
        ),
        migrations.AddConstraint(
            model_name='item',
            constraint=models.UniqueConstraint(fields=('bank', 'code'), name='item_code_unique_in_bank'),
        ),
        migrations.AddConstraint(
            model_name='item',
            constraint=models.UniqueConstraint(fields=('bank', 'order'), name='item_order_unique_in_bank'),
        ),
        migrations.AddConstraint(
            model_name='item',
            constraint=models.CheckConstraint(condition=models.Q(('section__in', ['interests', 'fields', 'aptitude', 'preferences'])), name='item_section_known'),
        ),
        migrations.AddConstraint(
            model_name='item',
            constraint=models.CheckConstraint(condition=models.Q(('keyed__in', [-1, 1])), name='item_keyed_plus_or_minus'),
        ),
        migrations.AddConstraint(
            model_name='item',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('a__isnull', False), ('b__isnull', False), ('c__isnull', False), ('key__isnull', False), ('section', 'aptitude')), models.Q(models.Q(('section', 'aptitude'), _negated=True), ('a__isnull', True), ('b__isnull', True), ('c__isnull', True), ('key__isnull', True)), _connector='OR'), name='item_key_and_parameters_iff_aptitude'),
        ),
        migrations.AddConstraint(
            model_name='linkevent',
            constraint=models.UniqueConstraint(fields=('link', 'number'), name='linkevent_number_once'),
        ),
        migrations.AddConstraint(
            model_name='linkevent',
            constraint=models.CheckConstraint(condition=models.Q(('number__range', (1, 20))), name='linkevent_at_most_20'),
        ),
        migrations.AddConstraint(
            model_name='linkevent',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['robot', 'opened', 'refused'])), name='linkevent_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='privatelink',
            constraint=models.UniqueConstraint(fields=('key_digest',), name='privatelink_key_once'),
        ),
        migrations.AddConstraint(
            model_name='privatelink',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('attempt',), name='privatelink_one_not_ended_per_attempt'),
        ),
        migrations.AddConstraint(
            model_name='privatelink',
            constraint=models.CheckConstraint(condition=models.Q(('expires_at__gt', models.F('created_at'))), name='privatelink_expires_after_creation'),
        ),
        migrations.AddIndex(
            model_name='refusedcall',
            index=models.Index(fields=['project', 'at'], name='refusedcall_of_project'),
        ),
        migrations.AddIndex(
            model_name='refusedcall',
            index=models.Index(fields=['at'], name='refusedcall_by_time'),
        ),
        migrations.AddIndex(
            model_name='refusedcall',
            index=models.Index(fields=['request_id'], name='refusedcall_by_request'),
        ),
        migrations.AddConstraint(
            model_name='refusedcall',
            constraint=models.UniqueConstraint(condition=models.Q(('status', 429)), fields=('project', 'operation', 'at'), name='refusedcall_limit_once_a_minute'),
        ),
        migrations.AddConstraint(
            model_name='refusedcall',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('count__gte', 1), ('status__in', [401, 429])), ('count', 1), _connector='OR'), name='refusedcall_count'),
        ),
        migrations.AddIndex(
            model_name='student',
            index=models.Index(fields=['email_key'], name='student_email'),
        ),
        migrations.AddIndex(
            model_name='student',
            index=models.Index(fields=['mobile'], name='student_mobile'),
        ),
        migrations.AddIndex(
            model_name='student',
            index=models.Index(fields=['project', 'id'], name='student_newest_of_project'),
        ),
        migrations.AddConstraint(
            model_name='student',
            constraint=models.UniqueConstraint(fields=('project', 'email_key'), name='student_email_unique_in_project'),
        ),
        migrations.AddConstraint(
            model_name='student',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('email_key', ''), _negated=True), models.Q(('email', ''), _negated=True), models.Q(('name', ''), _negated=True), models.Q(('mobile', ''), _negated=True)), name='student_details_not_empty'),
        ),
        migrations.AddIndex(
            model_name='assessmentlink',
            index=models.Index(fields=['student', 'id'], name='assessmentlink_student_newest'),
        ),
        migrations.AddIndex(
            model_name='assessmentlink',
            index=models.Index(fields=['issued_at'], name='assessmentlink_issued'),
        ),
        migrations.AddIndex(
            model_name='assessmentlink',
            index=models.Index(condition=models.Q(('used_at__isnull', True)), fields=['expires_at', 'cancelled_at'], name='assessmentlink_unused_until'),
        ),
        migrations.AddIndex(
            model_name='assessmentlink',
            index=models.Index(condition=models.Q(('cancelled_at__isnull', False)), fields=['cancelled_at'], name='assessmentlink_cancelled'),
        ),
        migrations.AddConstraint(
            model_name='assessmentlink',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('attempt__isnull', True), ('used_at__isnull', True)), models.Q(('attempt__isnull', False), ('used_at__isnull', False)), _connector='OR'), name='assessmentlink_used_iff_attempt'),
        ),
        migrations.AddConstraint(
            model_name='assessmentlink',
            constraint=models.CheckConstraint(condition=models.Q(('expires_at__gt', models.F('issued_at'))), name='assessmentlink_expires_after_issue'),
        ),
        migrations.AddConstraint(
            model_name='assessmentlink',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('name', ''), _negated=True), models.Q(('mobile', ''), _negated=True)), name='assessmentlink_details_not_empty'),
        ),
        migrations.AddConstraint(
            model_name='assessmentlink',
            constraint=models.CheckConstraint(condition=models.Q(('cancelled_at__isnull', True), ('used_at__isnull', True), _connector='OR'), name='assessmentlink_cancelled_never_used'),
        ),
        migrations.AddIndex(
            model_name='assessmentlink',
            index=models.Index(condition=models.Q(('attempt__isnull', False)), fields=['attempt'], name='assessmentlink_attempt'),
        ),
        migrations.AddConstraint(
            model_name='assessmentlink',
            constraint=models.UniqueConstraint(fields=('token_digest',), name='assessmentlink_token_once'),
        ),
        migrations.AddConstraint(
            model_name='assessmentlink',
            constraint=models.UniqueConstraint(fields=('link_id',), name='assessmentlink_link_id_once'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.UniqueConstraint(fields=('assessment_id',), name='attempt_assessment_id_once'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.UniqueConstraint(fields=('browser_digest',), name='attempt_browser_once'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(fields=['student', '-started_at'], name='attempt_student_newest'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(fields=['bank', '-id'], name='attempt_bank_newest'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(fields=['started_at'], name='attempt_started'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(condition=models.Q(('completed_at__isnull', False)), fields=['completed_at'], name='attempt_completed'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(condition=models.Q(('abandoned_at__isnull', False)), fields=['abandoned_at'], name='attempt_abandoned'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(condition=models.Q(('abandoned_at__isnull', True), ('completed_at__isnull', True)), fields=['finish_by_at'], name='attempt_unended_finish_by'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(models.F('retention_months'), django.db.models.functions.comparison.Coalesce('completed_at', 'abandoned_at', 'finish_by_at'), name='attempt_kept_since'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(models.F('project_id'), django.db.models.functions.comparison.Coalesce('completed_at', 'abandoned_at', 'finish_by_at'), models.F('id'), name='attempt_ended_of_project'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(models.F('project_id'), django.db.models.functions.comparison.Coalesce('courses_filled_at', 'completed_at', 'abandoned_at', 'finish_by_at'), models.F('id'), name='attempt_listed_of_project'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(condition=models.Q(('recommendations', [])), fields=['project_id'], name='attempt_without_courses'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(condition=models.Q(('catalogue__isnull', False)), fields=['catalogue'], name='attempt_catalogue'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(('completed_at', None), ('abandoned_at', None), _connector='OR'), name='attempt_one_end_only'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('catalogue__isnull', True), ('completed_at__isnull', True), ('profile__isnull', True), ('recommendations__isnull', True)), models.Q(('catalogue__isnull', False), ('completed_at__isnull', False), ('profile__isnull', False), ('recommendations__isnull', False)), _connector='OR'), name='attempt_result_iff_completed'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('completed_at', None), ('takers', '')), models.Q(('completed_at__isnull', False), ('takers__in', ['school-leavers', 'graduates', 'both'])), _connector='OR'), name='attempt_takers_iff_completed'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(('courses_filled_at', None), models.Q(('completed_at__isnull', False), ('courses_filled_at__gt', models.F('completed_at'))), _connector='OR'), name='attempt_filled_after_completion'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(('finish_by_at__gt', models.F('started_at'))), name='attempt_finish_by_after_start'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(('consent_version', ''), _negated=True), name='attempt_consent_version_not_empty'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('is_minor', True), ('is_minor__isnull', False), models.Q(('guardian_name', ''), _negated=True), models.Q(('guardian_contact', ''), _negated=True)), models.Q(models.Q(('is_minor__isnull', True), models.Q(('is_minor', False), ('is_minor__isnull', False)), _connector='OR'), ('guardian_contact', ''), ('guardian_name', '')), _connector='OR'), name='attempt_guardian_iff_minor'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(('retention_months__range', (1, 24))), name='attempt_retention_in_range'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(('continuations__gt', 0), models.Q(('answers_hidden_until__isnull', True), ('continuations', 0)), _connector='OR'), name='attempt_hidden_until_needs_continuation'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(('stream__in', ['', 'science-maths', 'science-biology', 'science-maths-biology', 'commerce', 'arts', 'other'])), name='attempt_stream_known'),
        ),
        migrations.AddConstraint(
            model_name='webhookendpoint',
            constraint=models.CheckConstraint(condition=models.Q(('url', ''), _negated=True), name='webhookendpoint_url_not_empty'),
        ),
        migrations.AddConstraint(
            model_name='webhookendpoint',
            constraint=models.CheckConstraint(condition=models.Q(('secret_version__gte', 1)), name='webhookendpoint_version_positive'),
        ),
        migrations.AddConstraint(
            model_name='webhookendpoint',
            constraint=models.CheckConstraint(condition=models.Q(('previous_until__isnull', True), ('secret_version__gte', 2), _connector='OR'), name='webhookendpoint_previous_needs_one'),
        ),
        migrations.AddConstraint(
            model_name='webhookendpoint',
            constraint=models.CheckConstraint(condition=models.Q(('switched_off_at__isnull', False), ('switched_off_why', ''), _connector='OR'), name='webhookendpoint_why_needs_off'),
        ),
        migrations.AddIndex(
            model_name='webhookevent',
            index=models.Index(condition=models.Q(('queued_at__isnull', False)), fields=['queued_at'], name='webhookevent_due'),
        ),
        migrations.AddIndex(
            model_name='webhookevent',
            index=models.Index(fields=['endpoint', '-created_at'], name='webhookevent_newest'),
        ),
        migrations.AddIndex(
            model_name='webhookevent',
            index=models.Index(fields=['created_at'], name='webhookevent_created'),
        ),
        migrations.AddConstraint(
            model_name='webhookevent',
            constraint=models.UniqueConstraint(fields=('attempt', 'happened_at'), name='webhookevent_attempt_once'),
        ),
        migrations.AddConstraint(
            model_name='webhookevent',
            constraint=models.UniqueConstraint(fields=('link',), name='webhookevent_link_once'),
        ),
        migrations.AddConstraint(
            model_name='webhookevent',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('attempt__isnull', False), ('kind__in', ('assessment.completed', 'assessment.abandoned')), ('link__isnull', True)), models.Q(('attempt__isnull', True), ('kind', 'link.expired'), ('link__isnull', False)), models.Q(('attempt__isnull', True), ('kind', 'webhook.test'), ('link__isnull', True)), _connector='OR'), name='webhookevent_about_what_it_says'),
        ),
        migrations.AddConstraint(
            model_name='webhookevent',
            constraint=models.CheckConstraint(condition=models.Q(('delivered_at__isnull', True), ('queued_at__isnull', True), _connector='OR'), name='webhookevent_delivered_not_queued'),
        ),
        migrations.RunPython(tie_project_to_student),
    ]
