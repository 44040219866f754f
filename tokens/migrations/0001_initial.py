import django.db.models.deletion
import django.db.models.functions.text
import django.db.models.lookups
import django.utils.timezone
from django.db import migrations, models

import partners.plain_text
import tokens.crypto


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('partners', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='AccessToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token_id', models.CharField(default=tokens.crypto.new_token_id, editable=False, max_length=25, unique=True, verbose_name='token id')),
                ('secret_digest', models.CharField(editable=False, max_length=64)),
                ('label', models.CharField(blank=True, default='', help_text='What it is used for, for example “CRM, production”.', max_length=100, validators=[partners.plain_text.validate_plain_text])),
                ('issued_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('rotated_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('revoke_reason', models.CharField(blank=True, default='', max_length=200)),
                ('last_used_at', models.DateTimeField(blank=True, null=True, verbose_name='last use')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='access_tokens', to='partners.project')),
                ('replaces', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='successor', to='tokens.accesstoken')),
            ],
            options={
                'permissions': [('issue_token', 'Can issue a token'), ('rotate_token', 'Can rotate a token'), ('revoke_token', 'Can revoke a token')],
                'default_permissions': ('view',),
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('token_id', ''), _negated=True), django.db.models.lookups.Exact(django.db.models.functions.text.Length('secret_digest'), 64)), name='accesstoken_has_an_id_and_a_digest'), models.CheckConstraint(condition=models.Q(('rotated_at__isnull', True), ('expires_at__isnull', False), _connector='OR'), name='accesstoken_rotated_has_an_end'), models.CheckConstraint(condition=models.Q(('revoke_reason', ''), ('revoked_at__isnull', False), _connector='OR'), name='accesstoken_reason_only_if_revoked'), models.CheckConstraint(condition=models.Q(('replaces__isnull', True), models.Q(('replaces', models.F('id')), _negated=True), _connector='OR'), name='accesstoken_replaces_another')],
            },
        ),
    ]
