"""Migration operations for tables in use: requests do not wait while they read a table.

They are named like Django's own for PostgreSQL. On SQLite, which has one writer, they do the same
in one step. docs/decisions/0010-migrations-on-a-live-table.md says when to use which.

They wait only for long transactions and other schema changes, and no request waits behind them.
So they lift the `lock_timeout` that the release command sets for all other statements.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.postgres import operations as postgresql
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import AddConstraint, AddIndex, RunSQL
from django.db.migrations.state import ProjectState


class AddIndexConcurrently(postgresql.AddIndexConcurrently):
    """Build an index while the table is written to. Needs `atomic = False` and a file of its own.

    Drops the invalid index that an interrupted run leaves behind.
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


class AddUniqueConstraintConcurrently(AddConstraint):
    """Add a UniqueConstraint with a condition, whose index is built while the table is written to.

    Needs `atomic = False` and a file of its own, and drops what an interrupted run leaves behind.
    """

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        if schema_editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        created = str(self.constraint.create_sql(model, schema_editor))
        name = schema_editor.quote_name(self.constraint.name)
        with _patience(schema_editor):
            schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            schema_editor.execute(
                created.replace(" INDEX ", " INDEX CONCURRENTLY ", 1), params=None
            )


class AddConstraintNotValid(postgresql.AddConstraintNotValid):
    """Check new rows at once. ValidateConstraint checks the existing rows later."""

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
    """Check the rows that AddConstraintNotValid left out. Needs a later file of its own."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        # SQLite checked them when the constraint was added.
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute("SET LOCAL lock_timeout = 0")
            super().database_forwards(app_label, schema_editor, from_state, to_state)


class PostgreSQLOnly(RunSQL):
    """Run SQL for what Django's operations cannot say, such as a trigger; nothing on SQLite."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        if schema_editor.connection.vendor == "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        if schema_editor.connection.vendor == "postgresql":
            super().database_backwards(app_label, schema_editor, from_state, to_state)


@contextmanager
def _patience(schema_editor: BaseDatabaseSchemaEditor) -> Iterator[None]:
    """Wait for locks without a limit, and use one processor only.

    An interruption would leave an invalid index behind.
    """
    settings = ("lock_timeout", "max_parallel_maintenance_workers")
    for setting in settings:
        schema_editor.execute(f"SET {setting} = 0")
    try:
        yield
    finally:
        for setting in settings:
            schema_editor.execute(f"RESET {setting}")
