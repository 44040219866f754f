from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from tests.factories import issued_token
from tests.tokens.test_crypto import MALFORMED
from tokens import crypto
from tokens.authentication import (
    REASONS,
    AccessTokenAuthentication,
    InvalidCredentials,
    MalformedCredentials,
    MissingCredentials,
)

pytestmark = [pytest.mark.urls("tests.tokens.probe_urls")]
WEEK = timedelta(days=7)


def authenticate(header: str | None) -> Any:
    request = Request(APIRequestFactory().post("/partner/links"))
    request.client_address = "192.0.2.1"  # type: ignore[attr-defined]
    if header is not None:
        request.META["HTTP_X_ACCESS_TOKEN"] = header
    return AccessTokenAuthentication().authenticate(request)


def post(header: str | None) -> Any:
    headers = {} if header is None else {"X-Access-Token": header}
    return Client().post("/partner/links", headers=headers)


@pytest.mark.django_db
def test_a_good_token_comes_in_with_project_and_partner() -> None:
    token, secret = issued_token()

    response = post(f"{token.token_id}:{secret}")

    assert response.status_code == 200
    assert response.json() == {"token": token.token_id, "partner": token.project.partner.name}


@pytest.mark.django_db
def test_it_takes_one_look_up(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    token, secret = issued_token()
    token.note_use()

    with django_assert_num_queries(1):
        user, found = authenticate(f"{token.token_id}:{secret}")

    assert found == token
    assert not user.is_authenticated
    with django_assert_num_queries(0):
        assert found.project.project_id


@pytest.mark.django_db
def test_the_old_and_the_new_token_come_in_during_the_overlap() -> None:
    token, secret = issued_token()
    successor, new_secret = token.rotate(overlap=WEEK, actor="staff:1")

    answers = [post(f"{token}:{secret}"), post(f"{successor}:{new_secret}")]

    assert [answer.status_code for answer in answers] == [200, 200]


# Without django_db: a malformed header must not reach the database.


@pytest.mark.parametrize("header", [None, ""])
def test_without_a_header_it_says_so(header: str | None) -> None:
    response = post(header)

    assert response.status_code == 401
    assert response.json()["code"] == "missing_credentials"
    assert response.headers["WWW-Authenticate"] == "AccessToken"


@pytest.mark.parametrize("header", [header for header in MALFORMED if header])
def test_a_malformed_header_is_refused_unasked(header: str) -> None:
    with pytest.raises(MalformedCredentials):
        authenticate(header)


def test_a_cut_off_secret_is_called_malformed() -> None:
    header = f"{crypto.new_token_id()}:{crypto.new_secret()}"
    changed = header[:-1] + ("0" if header[-1] != "0" else "1")

    response = post(changed)

    assert response.status_code == 401
    assert response.json()["code"] == "malformed_credentials"


PAIR = st.builds(lambda: f"{crypto.new_token_id()}:{crypto.new_secret()}")
MUTATED = st.builds(
    lambda pair, at, text: pair[:at] + text + pair[at + 1 :],
    PAIR,
    st.integers(0, 74),
    st.text(max_size=3),
)


@pytest.mark.django_db
@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.one_of(st.text(), MUTATED, st.text(alphabet="tok_sec:Aa0 ", max_size=80)))
def test_no_header_gets_anything_but_a_401(header: str) -> None:
    with pytest.raises((MissingCredentials, MalformedCredentials, InvalidCredentials)):
        authenticate(header)


def unknown() -> str:
    return f"{crypto.new_token_id()}:{crypto.new_secret()}"


def wrong_secret() -> str:
    token, _ = issued_token()
    return f"{token.token_id}:{crypto.new_secret()}"


def another_tokens_secret() -> str:
    token, _ = issued_token()
    _, secret = issued_token(token.project)
    return f"{token.token_id}:{secret}"


def revoked() -> str:
    token, secret = issued_token()
    token.revoke(actor="staff:1")
    return f"{token.token_id}:{secret}"


def expired() -> str:
    token, secret = issued_token(expires_in=WEEK, at=timezone.now() - WEEK)
    return f"{token.token_id}:{secret}"


def rotated_away() -> str:
    token, secret = issued_token()
    token.rotate(overlap=timedelta(0), actor="staff:1")
    return f"{token.token_id}:{secret}"


def of_a_closed_project() -> str:
    token, secret = issued_token()
    token.project.close(actor="staff:1")
    return f"{token.token_id}:{secret}"


WITHOUT_THE_SECRET = [
    (unknown, "unknown"),
    (wrong_secret, "wrong secret"),
    (another_tokens_secret, "wrong secret"),
]
WITH_THE_SECRET = [
    (revoked, "revoked"),
    (expired, "expired"),
    (rotated_away, "rotated"),
    (of_a_closed_project, "project_closed"),
]
REFUSED = [*WITHOUT_THE_SECRET, *WITH_THE_SECRET]


@pytest.mark.django_db
def test_every_refusal_without_the_right_secret_looks_the_same() -> None:
    revoked_id, closed_id = (make().partition(":")[0] for make in (revoked, of_a_closed_project))
    others = [f"{token_id}:{crypto.new_secret()}" for token_id in (revoked_id, closed_id)]

    answers = [post(header) for header in (*(make() for make, _ in WITHOUT_THE_SECRET), *others)]

    bodies = [{**answer.json(), "requestId": ""} for answer in answers]
    heads = [
        {name: value for name, value in answer.headers.items() if name != "X-Request-ID"}
        for answer in answers
    ]
    assert {answer.status_code for answer in answers} == {401}
    assert bodies[0]["code"] == "invalid_credentials"
    assert "reason" not in bodies[0]
    assert all(body == bodies[0] for body in bodies)
    assert all(head == heads[0] for head in heads)


@pytest.mark.django_db
@pytest.mark.parametrize(("make", "reason"), WITH_THE_SECRET)
def test_who_holds_the_secret_is_told_the_reason(make: Callable[[], str], reason: str) -> None:
    header = make()

    answer = post(header)

    body = answer.json()
    assert (answer.status_code, body["code"]) == (401, "invalid_credentials")
    assert body["reason"] == reason
    assert body["detail"] == REASONS[reason]
    assert answer.headers["WWW-Authenticate"] == "AccessToken"


@pytest.mark.django_db
@pytest.mark.parametrize(("make", "cause"), REFUSED)
def test_every_other_refusal_takes_one_look_up_and_one_comparison(
    make: Callable[[], str],
    cause: str,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    header, compared = make(), []
    matches = crypto.matches
    monkeypatch.setattr(crypto, "matches", lambda *pair: compared.append(pair) or matches(*pair))

    with django_assert_num_queries(1), pytest.raises(InvalidCredentials):
        authenticate(header)

    assert len(compared) == 1


@pytest.mark.django_db
@pytest.mark.parametrize(("make", "cause"), REFUSED)
def test_the_log_gives_the_cause(
    make: Callable[[], str], cause: str, caplog: pytest.LogCaptureFixture
) -> None:
    header = make()
    token_id, _, secret = header.partition(":")

    with caplog.at_level(logging.INFO, "tokens"), pytest.raises(InvalidCredentials):
        authenticate(header)

    assert f"Credentials refused: {token_id}, {cause}, from 192.0.2.1" in caplog.text
    assert secret not in caplog.text
