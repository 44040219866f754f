"""Migration operations for tables in use: none of them keeps requests waiting while it reads one.

They bear the names of Django's own, which only PostgreSQL has; on SQLite, with its one writer,
they do the same at once. docs/decisions/0010-migrations-on-a-live-table.md says when to use which.

What they wait for is other statements that define something, which no request does, and long
transactions; nobody waits behind them. So the release line's `lock_timeout`, which is there for
all else, is taken off.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.postgres import operations as postgresql
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import AddConstraint, AddIndex
from django.db.migrations.state import ProjectState


class AddIndexConcurrently(postgresql.AddIndexConcurrently):
    """Build an index while its table is written to. Needs `atomic = False`; stands alone.

    What is left of it where it was cut off, an index that nothing uses, makes way first.
    """

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        if schema_editor.connection.vendor != "postgresql":
            AddIndex.database_forwards(self, app_label, schema_editor, from_state, to_state)
            return
        self._ensure_not_in_transaction(schema_editor)
        name = schema_editor.quote_name(self.index.name)
        with _patience(schema_editor):
            schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            super().database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        if schema_editor.connection.vendor != "postgresql":
            AddIndex.database_backwards(self, app_label, schema_editor, from_state, to_state)
            return
        with _patience(schema_editor):
            super().database_backwards(app_label, schema_editor, from_state, to_state)


class AddConstraintNotValid(postgresql.AddConstraintNotValid):
    """Hold new rows to a CHECK at once; the rows that are there are read by ValidateConstraint."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        if schema_editor.connection.vendor != "postgresql":
            AddConstraint.database_forwards(self, app_label, schema_editor, from_state, to_state)
            return
        super().database_forwards(app_label, schema_editor, from_state, to_state)


class ValidateConstraint(postgresql.ValidateConstraint):
    """Read the rows that an AddConstraintNotValid left unread. Stands alone, in a later file."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        # SQLite has read them as the constraint was added.
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute("SET LOCAL lock_timeout = 0")
            super().database_forwards(app_label, schema_editor, from_state, to_state)


@contextmanager
def _patience(schema_editor: BaseDatabaseSchemaEditor) -> Iterator[None]:
    """Wait for locks as long as it takes, and leave the other processors to the requests.

    Cut off, an index would be left half built.
    """
    settings = ("lock_timeout", "max_parallel_maintenance_workers")
    for setting in settings:
        schema_editor.execute(f"SET {setting} = 0")
    try:
        yield
    finally:
        for setting in settings:
            schema_editor.execute(f"RESET {setting}")
