"""What a call's token is looked up with: the columns that a call needs, of every kind of token."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.factories import ProjectFactory, issued_token
from tokens.callers import OF_PROJECT, OF_TOKEN, token_of_call
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


def test_it_is_as_it_stands(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for kind in kinds():
        stored = AccessToken.objects.select_related("project").get(pk=kind.pk)

        with django_assert_num_queries(1):
            found = token_of_call(kind.token_id)
            assert found == stored
            assert [getattr(found, name) for name in OF_TOKEN] == [
                getattr(stored, name) for name in OF_TOKEN
            ]
            assert [getattr(found.project, name) for name in OF_PROJECT] == [
                getattr(stored.project, name) for name in OF_PROJECT
            ]


def test_what_was_left_out_can_still_be_asked_for() -> None:
    token, _ = issued_token(label="CRM")

    found = token_of_call(token.token_id)

    assert found is not None
    assert (found.label, found.project.name) == ("CRM", token.project.name)


def test_there_is_none() -> None:
    issued_token()

    assert token_of_call("tok_0000000000000000") is None
