"""What migrations do to tables in use: the same on both databases, and nobody waits for it."""

from __future__ import annotations

import threading

import psycopg
import pytest
from django.conf import settings
from django.db import IntegrityError, connection, models, transaction
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from partners import online_migrations
from partners.models import Project
from tests.factories import ProjectFactory

INDEX = models.Index(fields=["closed_at"], name="project_closed_for_a_test")
UNIQUE = models.UniqueConstraint(
    fields=["name"], name="project_name_once_open", condition=models.Q(closed_at__isnull=True)
)
CHECK = models.CheckConstraint(condition=~models.Q(name="none"), name="project_is_not_none")
TABLE = Project._meta.db_table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def state() -> ProjectState:
    return MigrationLoader(None).project_state()


def migrate(state: ProjectState, *operations: Operation, atomic: bool) -> ProjectState:
    """Apply operations as one migration; return the state after it."""
    with connection.schema_editor(atomic=atomic) as editor:
        return made(*operations, atomic=atomic).apply(state.clone(), editor)


def undo(state: ProjectState, *operations: Operation, atomic: bool) -> None:
    with connection.schema_editor(atomic=atomic) as editor:
        made(*operations, atomic=atomic).unapply(state.clone(), editor)


def made(*operations: Operation, atomic: bool) -> Migration:
    migration = Migration("0099_of_the_test", "partners")
    migration.operations, migration.atomic = list(operations), atomic
    return migration


def is_there(name: str) -> bool:
    """Return whether the table has an index or a constraint of this name."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            return name in connection.introspection.get_constraints(cursor, TABLE)
        # Django's reading of such a table stumbles over a comma within a CHECK.
        cursor.execute("SELECT sql FROM sqlite_master WHERE tbl_name = %s", [TABLE])
        return any(f'"{name}"' in sql for (sql,) in cursor.fetchall() if sql)


def columns(index: str) -> list[str]:
    with connection.cursor() as cursor:
        found: list[str] = connection.introspection.get_constraints(cursor, TABLE)[index]["columns"]
        return found


def lock_timeout() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        return str(cursor.fetchone()[0])


def test_an_index_comes_and_goes(state: ProjectState) -> None:
    add = online_migrations.AddIndexConcurrently("project", INDEX)

    migrate(state, add, atomic=False)
    assert is_there(INDEX.name)

    undo(state, add, atomic=False)
    assert not is_there(INDEX.name)


def test_an_index_that_was_cut_off_is_built_again(state: ProjectState) -> None:
    add = online_migrations.AddIndexConcurrently("project", INDEX)
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE INDEX "{INDEX.name}" ON "{TABLE}" ("created_at")')
    try:
        migrate(state, add, atomic=False)

        assert columns(INDEX.name) == ["closed_at"]
    finally:
        undo(state, add, atomic=False)


def test_a_unique_constraint_holds_until_it_goes(state: ProjectState) -> None:
    add = online_migrations.AddUniqueConstraintConcurrently("project", UNIQUE)
    first = ProjectFactory.create()

    after = migrate(state, add, atomic=False)
    with pytest.raises(IntegrityError):
        ProjectFactory.create(name=first.name)

    undo(state, add, atomic=False)
    assert not is_there(UNIQUE.name)
    ProjectFactory.create(name=first.name)
    assert after.models["partners", "project"].options["constraints"][-1] == UNIQUE


def test_a_unique_constraint_that_was_cut_off_is_built_again(state: ProjectState) -> None:
    add = online_migrations.AddUniqueConstraintConcurrently("project", UNIQUE)
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE INDEX "{UNIQUE.name}" ON "{TABLE}" ("created_at")')
    try:
        migrate(state, add, atomic=False)

        assert columns(UNIQUE.name) == ["name"]
    finally:
        undo(state, add, atomic=False)


def test_an_index_waits_for_a_long_transaction_longer_than_other_statements(
    state: ProjectState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGOPTIONS", "-c lock_timeout=50ms")
    add = online_migrations.AddIndexConcurrently("project", INDEX)
    found: list[str] = []

    def build() -> None:
        # A connection of its own, which reads PGOPTIONS as it begins.
        try:
            found.append(lock_timeout())
            migrate(state, add, atomic=False)
            found.append(lock_timeout())
        finally:
            connection.close()

    builder = threading.Thread(target=build)
    with psycopg.connect(address()) as other:
        other.execute(f'UPDATE "{TABLE}" SET name = name')
        builder.start()
        builder.join(0.4)
        is_waiting = builder.is_alive()
    builder.join(20)

    try:
        assert is_waiting
        assert found == ["50ms", "50ms"]
        assert columns(INDEX.name) == ["closed_at"]
    finally:
        undo(state, add, atomic=False)


def test_a_constraint_holds_for_new_rows_then_for_all(state: ProjectState) -> None:
    add = online_migrations.AddConstraintNotValid("project", CHECK)
    validate = online_migrations.ValidateConstraint("project", CHECK.name)
    project = ProjectFactory.create()

    after = migrate(state, add, atomic=True)
    try:
        with pytest.raises(IntegrityError, match=CHECK.name), transaction.atomic():
            Project.objects.filter(pk=project.pk).update(name="none")
        migrate(after, validate, atomic=True)
        assert is_there(CHECK.name)
    finally:
        undo(state, add, atomic=True)
    assert not is_there(CHECK.name)


def test_rows_that_are_there_are_read_by_the_second_step(state: ProjectState) -> None:
    add = online_migrations.AddConstraintNotValid("project", CHECK)
    validate = online_migrations.ValidateConstraint("project", CHECK.name)
    ProjectFactory.create(name="none")

    after = migrate(state, add, atomic=True)
    try:
        with pytest.raises(IntegrityError, match=CHECK.name):
            migrate(after, validate, atomic=True)
    finally:
        undo(state, add, atomic=True)


def address() -> str:
    """Return how to reach the test's own database."""
    database = settings.DATABASES["default"]
    return psycopg.conninfo.make_conninfo(
        host=database["HOST"],
        port=database["PORT"] or None,
        user=database["USER"],
        password=database["PASSWORD"] or None,
        dbname=connection.settings_dict["NAME"],
    )
