"""No migration stops a running service: each is held to the rules as PostgreSQL would read it."""

from __future__ import annotations

import re
from typing import ClassVar

import pytest
from django.db import migrations, models
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from partners import online_migrations
from tests.migration_rules import faults

pytestmark = [pytest.mark.django_db]

# The last of each app that landed before anything was live. What follows is held to the rules.
BASELINE = {"assessments": 8, "config": 1, "partners": 7, "tokens": 2}
# Taken out of a rule, each with its reason. Of what goes: the release that stopped using it.
# ("assessments.0014_drop_note", "drop"): "0.4.0 neither reads nor writes it"
ALLOWED: dict[tuple[str, str], str] = {
    ("assessments.0044_assessment_project_not_null", "not-null"): "a validated check spares the "
    "reading, and a trigger fills the column of rows that 0.1.0 writes",
    ("tokens.0003_test_token_ids", "type"): (
        "PostgreSQL has widened a varchar without writing the table since 9.2.0."
    ),
}


@pytest.fixture(scope="module")
def loader() -> MigrationLoader:
    return MigrationLoader(None)


@pytest.mark.django_db(transaction=True)  # building an index concurrently refuses a transaction
def test_what_has_landed_since_keeps_to_the_rules(loader: MigrationLoader) -> None:
    found = {
        (f"{app}.{name}", rule): fault
        for (app, name), migration in loader.disk_migrations.items()
        if app in BASELINE and int(name[:4]) > BASELINE[app]
        for rule, fault in faults(
            migration, loader.project_state((app, name), at_end=False)
        ).items()
    }

    assert {key: fault for key, fault in found.items() if key not in ALLOWED} == {}
    assert ALLOWED.keys() <= found.keys(), "an exception that nothing needs any more"
    for reason in ALLOWED.values():
        assert re.search(r"\d+\.\d+\.\d+", reason), "which release?"


def test_the_baseline_names_migrations_that_exist(loader: MigrationLoader) -> None:
    numbers = {(app, int(name[:4])) for app, name in loader.disk_migrations if app in BASELINE}

    assert set(BASELINE.items()) <= numbers


@pytest.fixture(scope="module")
def state(loader: MigrationLoader) -> ProjectState:
    return loader.project_state()


PROJECT = "project"
INDEX = models.Index(fields=["created_at"], name="project_created")
CHECK = models.CheckConstraint(condition=~models.Q(name="none"), name="project_is_not_none")
UNIQUE = models.UniqueConstraint(fields=["name"], name="project_name_once")


def migration(*operations: Operation, atomic: bool = True) -> Migration:
    made = Migration("0099_of_the_test", "partners")
    made.operations = list(operations)
    made.atomic = atomic
    return made


def add(field: models.Field[object, object], model: str = PROJECT) -> Operation:
    return migrations.AddField(model, "note", field)


def nothing(apps: object, schema_editor: object) -> None:
    pass


class Refused:
    """Operations with the rule that each breaks."""

    CASES: ClassVar[list[tuple[str, list[Operation]]]] = [
        ("drop", [migrations.RemoveField(PROJECT, "accent")]),
        ("drop", [migrations.DeleteModel("AuditEvent")]),
        ("rename", [migrations.RenameField(PROJECT, "accent", "colour")]),
        ("rename", [migrations.RenameModel("AuditEvent", "Trace")]),
        ("rename", [migrations.AlterModelTable(PROJECT, "schools")]),
        ("type", [migrations.AlterField(PROJECT, "name", models.TextField())]),
        ("not-null", [migrations.AlterField(PROJECT, "closed_at", models.DateTimeField())]),
        ("default", [add(models.CharField(max_length=9, default=""))]),
        ("inline", [add(models.PositiveIntegerField(null=True))]),
        ("inline", [add(models.IntegerField(null=True, unique=True))]),
        (
            "inline",
            [add(models.ForeignKey("partners.Partner", models.PROTECT, null=True, db_index=False))],
        ),
        ("index", [add(models.IntegerField(null=True, db_index=True))]),
        ("index", [migrations.AddIndex(PROJECT, INDEX)]),
        ("constraint", [migrations.AddConstraint(PROJECT, CHECK)]),
        ("constraint", [migrations.AddConstraint(PROJECT, UNIQUE)]),
        ("drop", [migrations.RunSQL('ALTER TABLE "partners_project" DROP COLUMN "accent"')]),
        (
            "one-table",
            [add(models.IntegerField(null=True)), add(models.IntegerField(null=True), "partner")],
        ),
        ("fill", [add(models.IntegerField(null=True)), migrations.RunPython(nothing)]),
        (
            "fill",
            [
                add(models.IntegerField(null=True)),
                migrations.RunSQL('UPDATE "partners_project" SET note = 1'),
            ],
        ),
        (
            "validate",
            [
                online_migrations.AddConstraintNotValid(PROJECT, CHECK),
                online_migrations.ValidateConstraint(PROJECT, CHECK.name),
            ],
        ),
    ]


@pytest.mark.parametrize(("rule", "operations"), Refused.CASES)
def test_what_would_stop_a_running_service_is_refused(
    state: ProjectState, rule: str, operations: list[Operation]
) -> None:
    assert set(faults(migration(*operations), state)) == {rule}


@pytest.mark.django_db(transaction=True)
def test_what_cannot_be_undone_together_is_refused(state: ProjectState) -> None:
    two = [
        online_migrations.AddIndexConcurrently(PROJECT, INDEX),
        online_migrations.AddIndexConcurrently(
            PROJECT, models.Index(fields=["closed_at"], name="project_closed")
        ),
    ]

    assert set(faults(migration(*two, atomic=False), state)) == {"alone"}


@pytest.mark.parametrize(
    "operation",
    [
        add(models.CharField(max_length=9, null=True)),
        add(models.CharField(max_length=9, default="", db_default="")),
        online_migrations.AddConstraintNotValid(PROJECT, CHECK),
        online_migrations.ValidateConstraint(PROJECT, CHECK.name),
        migrations.AlterField(PROJECT, "name", models.CharField("called", max_length=200)),
        migrations.RunPython(nothing),
        migrations.CreateModel(
            "Note",
            [
                ("id", models.BigAutoField(primary_key=True)),
                ("project", models.ForeignKey(PROJECT, models.PROTECT)),
                ("count", models.PositiveIntegerField()),
            ],
            options={"constraints": [UNIQUE.__class__(fields=["count"], name="note_once")]},
        ),
    ],
)
def test_what_a_running_service_does_not_notice_is_fine(
    state: ProjectState, operation: Operation
) -> None:
    assert faults(migration(operation), state) == {}


@pytest.mark.django_db(transaction=True)
def test_an_index_that_is_built_concurrently_is_fine(state: ProjectState) -> None:
    built = migration(online_migrations.AddIndexConcurrently(PROJECT, INDEX), atomic=False)

    assert faults(built, state) == {}


@pytest.mark.django_db(transaction=True)
def test_a_unique_constraint_that_is_built_concurrently_is_fine(state: ProjectState) -> None:
    once = models.UniqueConstraint(fields=["name"], name="once", condition=models.Q(name="once"))
    add = online_migrations.AddUniqueConstraintConcurrently(PROJECT, once)

    assert faults(migration(add, atomic=False), state) == {}
