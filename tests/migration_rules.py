"""What a migration may tell PostgreSQL while the service runs, by the statements that it sends.

The rules are those of docs/decisions/0010-migrations-on-a-live-table.md. A table that the same
migration creates is nobody's yet, and anything may be done with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.db import connection
from django.db.migrations import Migration, RunPython, SeparateDatabaseAndState
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

# What is refused of one statement on a table that is there. The word before is a rule's name.
_REFUSED = (
    ("drop", r"DROP TABLE|DROP COLUMN", "the release before still reads or writes it"),
    ("rename", r"\bRENAME\b", "the release before knows only the old name"),
    ("type", r"ALTER COLUMN \S+ TYPE", "the table is written anew, under a lock"),
    ("not-null", r"SET NOT NULL", "every row is read under a lock, and older code may write nulls"),
    (
        "default",
        r"ADD COLUMN (?!.*DEFAULT).*NOT NULL|DROP DEFAULT",
        "the release before cannot insert a row: give it null=True or a db_default",
    ),
    (
        "inline",
        r"ADD COLUMN .*(CHECK \(|REFERENCES|UNIQUE|PRIMARY KEY|GENERATED)",
        "every row is read or written under a lock: add the column bare, the rest after it",
    ),
    ("index", r"CREATE (UNIQUE )?INDEX (?!CONCURRENTLY)", "writers wait: AddIndexConcurrently"),
    (
        "constraint",
        r"ADD CONSTRAINT \S+ (?!.*NOT VALID)",
        "writers wait while every row is read: AddConstraintNotValid, then ValidateConstraint",
    ),
)
_TABLE = re.compile(r'(?:ALTER TABLE|DROP TABLE|\bON|UPDATE|INTO|FROM)\s+(?:ONLY )?"(\w+)"')
_CREATED = re.compile(r'CREATE TABLE "(\w+)"')
_FILLS = re.compile(r"^(UPDATE|DELETE|INSERT)\b", re.I)
_VALIDATES = "VALIDATE CONSTRAINT"


def faults(migration: Migration, before: ProjectState) -> dict[str, str]:
    """Return what is wrong with a migration that is applied to a state, by the rule's name."""
    statements = _statements(migration, before)
    created = {name for statement in statements for name in _CREATED.findall(statement)}
    live = [each for each in statements if not set(_TABLE.findall(each)) <= created]
    found = {
        rule: f"{statement}: {why}"
        for statement in live
        for rule, pattern, why in _REFUSED
        if re.search(pattern, statement)
    }
    tables = {name for each in live for name in _TABLE.findall(each)[:1]}
    runs_code = any(isinstance(each, RunPython) for each in _flat(migration.operations))
    defines = [each for each in live if not _FILLS.match(each)]
    if migration.atomic and len(tables) > 1:
        found["one-table"] = f"{sorted(tables)}: it waits for one while it holds another"
    if not migration.atomic and len(migration.operations) > 1:
        found["alone"] = "atomic = False: what fails halfway is not undone, so one operation only"
    if defines and (runs_code or len(defines) < len(live)):
        found["fill"] = "filling holds the table's lock until its end: a file of its own"
    if any(_VALIDATES in each for each in live) and len(migration.operations) > 1:
        found["validate"] = "validating under another operation's lock: a file of its own"
    return found


def _statements(migration: Migration, before: ProjectState) -> list[str]:
    """Return what the migration would send, without sending it."""
    with connection.schema_editor(collect_sql=True, atomic=migration.atomic) as editor:
        migration.apply(before.clone(), editor, collect_sql=True)
    return [
        each
        for each in editor.collected_sql
        if each and not each.startswith(("--", "SET ", "RESET "))
    ]


def _flat(operations: Iterable[Operation]) -> Iterable[Operation]:
    for operation in operations:
        if isinstance(operation, SeparateDatabaseAndState):
            yield from _flat(operation.database_operations)
        else:
            yield operation
