"""Create the four roles of the staff. This table is the one list of their permissions."""

from __future__ import annotations

from django.contrib.auth.management import create_permissions
from django.db import migrations

ROLES = {
    "Support": {
        "assessments": ["cancel_link", "close_attempt", "extend_attempt", "fill_results", "issue_link", "manage_webhooks", "view_attempt", "view_assessmentlink", "view_course", "view_student", "view_webhookendpoint"],
        "partners": ["add_partner", "add_project", "change_partner", "change_project", "close_project", "view_partner", "view_project"],
        "tokens": ["issue_token", "revoke_token", "rotate_token", "view_accesstoken"],
    },
    "Content": {
        "assessments": ["add_course", "change_course", "fill_results", "publish_itembank", "view_course", "view_item", "view_itembank"],
        "partners": ["view_partner", "view_project"],
    },
    "Auditor": {
        "assessments": ["view_answer", "view_attempt", "view_assessmentlink", "view_course", "view_item", "view_itembank", "view_student", "view_webhookendpoint"],
        "auth": ["view_group", "view_user"],
        "partners": ["view_auditevent", "view_partner", "view_project"],
        "tokens": ["view_accesstoken"],
    },
    "Administrator": {
        "assessments": ["add_course", "cancel_link", "change_course", "close_attempt", "erase_student", "export_results", "extend_attempt", "fill_results", "issue_link", "manage_webhooks", "publish_itembank", "view_answer", "view_attempt", "view_assessmentlink", "view_course", "view_item", "view_itembank", "view_student", "view_webhookendpoint"],
        "auth": ["add_user", "change_user", "view_group", "view_user"],
        "partners": ["add_partner", "add_project", "change_partner", "change_project", "close_project", "view_auditevent", "view_partner", "view_project"],
        "tokens": ["issue_token", "revoke_token", "rotate_token", "view_accesstoken"],
    },
}


def create_roles(apps, schema_editor):
    database = schema_editor.connection.alias
    for app in ("assessments", "auth", "partners", "tokens"):
        # Otherwise Django makes the permissions when `migrate` ends. An app of the migrations' state
        # has no module of models, and would be taken for one without any.
        config = apps.get_app_config(app)
        config.models_module = True
        create_permissions(config, verbosity=0, using=database, apps=apps)
        config.models_module = None
    groups = apps.get_model("auth", "Group").objects.using(database)
    permissions = apps.get_model("auth", "Permission").objects.using(database)
    for role, rights in ROLES.items():
        groups.create(name=role).permissions.set(
            permissions.get(content_type__app_label=app, codename=codename)
            for app, codenames in rights.items()
            for codename in codenames
        )


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("assessments", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("partners", "0001_initial"),
        ("tokens", "0001_initial"),
    ]

    operations = [migrations.RunPython(create_roles)]
