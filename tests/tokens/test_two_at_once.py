"""Two people at one token, or eight at one project: the database decides, and somebody is told."""

from __future__ import annotations

import pytest

from partners.models import AuditEvent
from tests.factories import AccessTokenFactory, ProjectFactory, issued_token
from tests.support.threads import race
from tokens import crypto
from tokens.models import MAX_LIVE_TOKENS, AccessToken, AlreadyIssued, TokenRefused

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
ROUNDS = 20


def test_of_two_rotations_one_wins_and_the_other_reports_it(times: int) -> None:
    for _ in range(ROUNDS * times):
        token, _ = issued_token()
        mine, theirs = (AccessToken.objects.get(pk=token.pk) for _ in range(2))

        results = race(
            [lambda: mine.rotate(actor="staff:1"), lambda: theirs.rotate(actor="staff:2")]  # noqa: B023  ends in its turn
        )

        assert sorted(type(result).__name__ for result in results) == ["TokenRefused", "tuple"]
        assert AccessToken.objects.filter(replaces=token).count() == 1
        assert AuditEvent.objects.about(token).filter(action="token.rotated").count() == 1


def test_eight_who_issue_get_no_more_than_five() -> None:
    for _ in range(ROUNDS // 4):
        project = ProjectFactory.create()

        results = race([lambda: issued_token(project)] * 8)  # noqa: B023  ends in its turn

        refused = [result for result in results if isinstance(result, TokenRefused)]
        assert len(refused) == 8 - MAX_LIVE_TOKENS
        assert AccessToken.objects.filter(project=project).count() == MAX_LIVE_TOKENS


def test_issuing_and_rotating_together_keep_the_cap() -> None:
    project = ProjectFactory.create()
    tokens = AccessTokenFactory.create_batch(MAX_LIVE_TOKENS - 1, project=project)

    race(
        [
            *(lambda token=token: token.rotate(actor="staff:1") for token in tokens),
            *[lambda: issued_token(project)] * 4,
        ]
    )

    counted = AccessToken.objects.filter(project=project).counted_against_cap().count()
    assert counted == MAX_LIVE_TOKENS


def test_a_token_revoked_while_it_is_rotated_is_out_in_either_order() -> None:
    for _ in range(ROUNDS):
        token, _ = issued_token()
        mine, theirs = (AccessToken.objects.get(pk=token.pk) for _ in range(2))

        rotated, revoked = race(
            [lambda: mine.rotate(actor="staff:1"), lambda: theirs.revoke(actor="staff:2")]  # noqa: B023  ends in its turn
        )

        token.refresh_from_db()
        assert revoked is True
        assert not token.is_live()
        if isinstance(rotated, TokenRefused):
            assert not AccessToken.objects.filter(replaces=token).exists()
        else:
            assert rotated[0].is_live()


def test_of_two_who_revoke_one_did_it() -> None:
    token, _ = issued_token()

    results = race([lambda: AccessToken.objects.get(pk=token.pk).revoke(actor="staff:1")] * 4)

    assert sorted(results) == [False, False, False, True]
    assert AuditEvent.objects.filter(action="token.revoked").count() == 1


def test_one_form_sent_four_times_at_once_makes_one_token() -> None:
    project, token_id = ProjectFactory.create(), crypto.new_token_id()

    results = race(
        [lambda: AccessToken.objects.issue(project, token_id=token_id, actor="staff:1")] * 4
    )

    assert sum(isinstance(result, AlreadyIssued) for result in results) == 3
    assert AccessToken.objects.count() == 1


def test_one_form_sent_for_two_projects_makes_one_token() -> None:
    for _ in range(ROUNDS):
        token_id = crypto.new_token_id()
        projects = ProjectFactory.create_batch(2)

        results = race(
            [
                lambda project=project, token_id=token_id: AccessToken.objects.issue(
                    project, token_id=token_id, actor="staff:1"
                )
                for project in projects
            ]
        )

        assert sorted(type(result).__name__ for result in results) == ["AlreadyIssued", "tuple"]
        assert AccessToken.objects.filter(token_id=token_id).count() == 1


def test_an_identifier_that_is_taken_is_refused_by_the_column_too() -> None:
    token, _ = issued_token()

    with pytest.raises(AlreadyIssued):
        AccessToken.objects.all()._add(
            token_id=token.token_id, project=token.project, secret_digest="0" * 64
        )

    assert AccessToken.objects.get() == token
