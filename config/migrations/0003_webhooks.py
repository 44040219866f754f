"""Let roles see and manage webhooks."""

from __future__ import annotations

from django.contrib.auth.management import create_permissions
from django.db import migrations

ADDED = {
    "Support": {"assessments": ["view_webhookendpoint", "manage_webhooks"]},
    "Auditor": {"assessments": ["view_webhookendpoint"]},
    "Administrator": {"assessments": ["view_webhookendpoint", "manage_webhooks"]},
}


def add_permissions(apps, schema_editor):
    database = schema_editor.connection.alias
    # See 0001_roles.
    app = apps.get_app_config("assessments")
    app.models_module = True
    create_permissions(app, verbosity=0, using=database, apps=apps)
    app.models_module = None
    Group = apps.get_model("auth", "Group")
    Permission = apps.get_model("auth", "Permission")
    for role, rights in ADDED.items():
        for group in Group.objects.using(database).filter(name=role):
            for label, codenames in rights.items():
                group.permissions.add(
                    *Permission.objects.using(database).filter(
                        content_type__app_label=label, codename__in=codenames
                    )
                )


class Migration(migrations.Migration):
    dependencies = [
        ("assessments", "0048_webhooks"),
        ("config", "0002_cancel_links"),
    ]

    operations = [
        migrations.RunPython(add_permissions, migrations.RunPython.noop, elidable=False)
    ]
