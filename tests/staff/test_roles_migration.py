"""The migrations that make the roles: from an empty database, on an old one, twice and back."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from staff import roles
from tests.factories import permission_row, staff_as

pytestmark = pytest.mark.django_db

migration: Any = import_module("config.migrations.0001_roles")


@pytest.fixture(scope="module")
def loader() -> MigrationLoader:
    return MigrationLoader(None)


@pytest.fixture(scope="module")
def history(loader: MigrationLoader) -> Any:
    """Give the apps as they are where the migration runs."""
    return loader.project_state(("config", "0001_roles")).apps


@pytest.fixture(autouse=True)
def _nothing_remembered(history: Any) -> None:
    ContentType.objects.clear_cache()
    history.get_model("contenttypes", "ContentType").objects.clear_cache()


def run(what: Any, history: Any) -> None:
    what(history, SimpleNamespace(connection=connection))


def made() -> dict[str, set[str]]:
    return {
        group.name: {
            f"{app}.{codename}"
            for app, codename in group.permissions.values_list(
                "content_type__app_label", "codename"
            )
        }
        for group in Group.objects.all()
    }


FROZEN = {
    role: {f"{app}.{codename}" for app, codenames in rights.items() for codename in codenames}
    for role, rights in migration.ROLES.items()
}


def test_from_nothing_it_makes_the_permissions_too(history: Any) -> None:
    Group.objects.all().delete()
    names = set(Permission.objects.values_list("content_type__app_label", "codename", "name"))
    ContentType.objects.all().delete()
    assert not Permission.objects.exists()
    history.get_model("contenttypes", "ContentType").objects.clear_cache()

    run(migration.make_roles, history)

    assert made() == FROZEN
    assert names >= set(
        Permission.objects.values_list("content_type__app_label", "codename", "name")
    )


def test_a_group_of_the_same_name_gets_the_rights_of_the_role(history: Any) -> None:
    member = staff_as(roles.SUPPORT)
    group = Group.objects.get(name=roles.SUPPORT)
    group.permissions.set([permission_row("assessments.erase_student")])

    run(migration.make_roles, history)

    assert made()[roles.SUPPORT] == FROZEN[roles.SUPPORT]
    assert list(member.groups.all()) == [group]


def test_all_of_them_together_make_the_table_of_today(loader: MigrationLoader) -> None:
    Group.objects.all().delete()
    for app, name in sorted(key for key in loader.disk_migrations if key[0] == "config"):
        module: Any = import_module(f"config.migrations.{name}")
        what = getattr(module, "make_roles", None) or module.add_permissions
        run(what, loader.project_state((app, name)).apps)

    assert made() == {role: roles.permissions_of(role) for role in roles.ROLES}


def test_back_it_takes_the_groups_and_leaves_the_accounts(history: Any) -> None:
    member = staff_as(*roles.ROLES)

    run(migration.remove_roles, history)

    assert not Group.objects.filter(name__in=roles.ROLES).exists()
    assert User.objects.filter(pk=member.pk).exists()
