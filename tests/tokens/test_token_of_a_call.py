"""The token that a call names, with its project: constant SQL that gives what the ORM gives."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from partners.models import Project
from tests.factories import ProjectFactory, issued_token
from tokens import authentication
from tokens.authentication import token_with_project
from tokens.models import AccessToken

pytestmark = pytest.mark.django_db

AT = timezone.now().replace(microsecond=123457)


def kinds() -> list[AccessToken]:
    fresh, _ = issued_token()
    used, _ = issued_token()
    used.note_use(AT)
    revoked, _ = issued_token()
    revoked.revoke(at=AT, actor="staff:1")
    limited = ProjectFactory.create(link_rate_per_minute=7, results_rate_per_minute=9)
    closed, _ = issued_token(limited)
    limited.close(at=AT, actor="staff:1")
    rotated, _ = issued_token()
    successor, _ = rotated.rotate(overlap=timedelta(hours=1), actor="staff:1")
    return [fresh, used, revoked, closed, rotated, successor]


def test_the_statement_gives_what_the_orm_gives(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for kind in kinds():
        stored = AccessToken.objects.select_related("project").get(pk=kind.pk)

        with django_assert_num_queries(1):
            found = token_with_project(kind.token_id)

        assert found is not None
        assert values(found) == values(stored)
        assert values(found.project) == values(stored.project)
        assert authentication._row(kind.token_id) == authentication._row_by_orm(kind.token_id)


def values(row: AccessToken | Project) -> dict[str, Any]:
    """Return every column of a row, read without a query."""
    return {field.attname: row.__dict__[field.attname] for field in row._meta.concrete_fields}


def test_there_is_none() -> None:
    issued_token()

    assert token_with_project("tok_0000000000000000") is None
