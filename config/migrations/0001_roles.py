"""Make the four roles of the staff.

The table is as it was on that day, and is never changed: config/staff/roles.py says what it is today.
"""

from __future__ import annotations

from django.contrib.auth.management import create_permissions
from django.db import migrations

SUPPORT = {
    "assessments": ["close_assessment", "extend_assessment", "issue_link", "view_assessment", "view_assessmentlink", "view_student"],
    "partners": ["add_partner", "add_project", "change_partner", "change_project", "close_project", "view_partner", "view_project"],
    "tokens": ["issue_token", "revoke_token", "rotate_token", "view_accesstoken"],
}
CONTENT = {
    "assessments": ["add_course", "change_course", "publish_itembank", "view_course", "view_item", "view_itembank"],
    "partners": ["view_partner", "view_project"],
}
AUDITOR = {
    "assessments": ["view_answer", "view_assessment", "view_assessmentlink", "view_course", "view_item", "view_itembank", "view_student"],
    "auth": ["view_group", "view_user"],
    "partners": ["view_auditevent", "view_partner", "view_project"],
    "tokens": ["view_accesstoken"],
}
ADMINISTRATOR = {
    "assessments": [
        "add_course", "change_course", "view_course",
        "close_assessment", "extend_assessment", "export_results", "view_answer", "view_assessment",
        "issue_link", "view_assessmentlink",
        "erase_student", "view_student",
        "publish_itembank", "view_item", "view_itembank",
    ],
    "auth": ["add_user", "change_user", "view_group", "view_user"],
    "partners": ["add_partner", "add_project", "change_partner", "change_project", "close_project", "view_auditevent", "view_partner", "view_project"],
    "tokens": ["issue_token", "revoke_token", "rotate_token", "view_accesstoken"],
}
ROLES = {
    "Support": SUPPORT,
    "Content": CONTENT,
    "Auditor": AUDITOR,
    "Administrator": ADMINISTRATOR,
}


def make_roles(apps, schema_editor):
    """Make the groups, or give those of the same name exactly these rights."""
    database = schema_editor.connection.alias
    for app in ("assessments", "auth", "partners", "tokens"):
        # Otherwise the permissions come after the last migration, when `migrate` ends. An app of
        # the history has no module of models, and would be taken for one without any.
        config = apps.get_app_config(app)
        config.models_module = True
        create_permissions(config, verbosity=0, using=database, apps=apps)
        config.models_module = None
    Group = apps.get_model("auth", "Group")
    Permission = apps.get_model("auth", "Permission")
    for role, rights in ROLES.items():
        group, _ = Group.objects.using(database).get_or_create(name=role)
        permissions = [
            Permission.objects.using(database).get(content_type__app_label=app, codename=codename)
            for app, codenames in rights.items()
            for codename in codenames
        ]
        group.permissions.set(permissions)


def remove_roles(apps, schema_editor):
    groups = apps.get_model("auth", "Group").objects.using(schema_editor.connection.alias)
    groups.filter(name__in=ROLES).delete()


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("assessments", "0005_back_office"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("partners", "0005_audit_append_only"),
        ("tokens", "0001_initial"),
    ]

    operations = [migrations.RunPython(make_roles, remove_roles, elidable=False)]
