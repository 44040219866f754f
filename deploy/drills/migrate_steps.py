"""Sample migrations of a table in use. Runs inside `manage.py shell`, as `migrate` would."""

from __future__ import annotations

from django.db import connection, migrations, models
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation

from partners import online_migrations

TABLE = "assessmentlink"
_INDEX = models.Index(fields=["channel", "id"], name="assessmentlink_channel")
_CHECK = models.CheckConstraint(condition=~models.Q(channel=""), name="assessmentlink_channel_set")

# Each step builds on the earlier ones. The previous release keeps working.
STEPS: dict[str, list[Operation]] = {
    "column": [
        migrations.AddField(
            TABLE, "channel", models.CharField(max_length=20, default="api", db_default="api")
        )
    ],
    "index": [online_migrations.AddIndexConcurrently(TABLE, _INDEX)],
    "constraint": [online_migrations.AddConstraintNotValid(TABLE, _CHECK)],
    "validate": [online_migrations.ValidateConstraint(TABLE, _CHECK.name)],
    "contract": [
        migrations.RemoveConstraint(TABLE, _CHECK.name),
        migrations.RemoveIndex(TABLE, _INDEX.name),
        migrations.RemoveField(TABLE, "channel"),
    ],
}
# Operations as `makemigrations` writes them, which the rules for migrations refuse.
PLAIN: dict[str, list[Operation]] = {
    "index": [migrations.AddIndex(TABLE, _INDEX)],
    "constraint": [migrations.AddConstraint(TABLE, _CHECK)],
    "contract": [migrations.RemoveField(TABLE, "channel")],
}


def apply(name: str, *, plain: bool = False) -> None:
    """Apply one step after those that it builds on."""
    state = MigrationLoader(None).project_state()
    for earlier in STEPS:
        if earlier == name:
            break
        for operation in STEPS[earlier]:
            operation.state_forwards("assessments", state)
    migration = Migration(f"0099_{name}", "assessments")
    migration.operations = (PLAIN if plain else STEPS)[name]
    migration.atomic = not any(
        isinstance(each, online_migrations.AddIndexConcurrently) for each in migration.operations
    )
    with connection.schema_editor(atomic=migration.atomic) as editor:
        migration.apply(state, editor)
