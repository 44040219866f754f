"""Which X-Access-Token lets a call in, what each refusal says, and what is stored of its use."""

import logging
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from tests.factories import BY, AccessTokenFactory, ProjectFactory, issued_token
from tokens import crypto
from tokens.authentication import AccessTokenAuthentication, InvalidCredentials, token_with_project
from tokens.models import AccessToken

pytestmark = [pytest.mark.urls("tests.tokens.probe_urls")]
WEEK, MINUTE = timedelta(days=7), timedelta(minutes=1)
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def authenticate(header):
    request = Request(APIRequestFactory().post("/partner/links"))
    request.client_address = "192.0.2.1"
    if header is not None:
        request.META["HTTP_X_ACCESS_TOKEN"] = header
    return AccessTokenAuthentication().authenticate(request)


def post(header):
    headers = {} if header is None else {"X-Access-Token": header}
    return Client().post("/partner/links", headers=headers)


@pytest.mark.django_db
def test_a_token_lets_in_by_one_query_and_so_does_its_successor_during_the_overlap(
    django_assert_num_queries,
):
    token, secret = issued_token()
    other, _ = issued_token()
    successor, new_secret = token.rotate(overlap=WEEK, by=BY)

    answers = [post(f"{token}:{secret}"), post(f"{successor}:{new_secret}")]
    refused = post(f"{other}:{secret}")

    project, partner = token.project, token.project.partner.name
    assert [answer.json() for answer in answers] == [
        {"token": token.token_id, "partner": partner},
        {"token": successor.token_id, "partner": partner},
    ]
    token.refresh_from_db()
    other.refresh_from_db()
    assert (refused.status_code, other.last_used_at) == (401, None)
    assert token.last_used_at is not None
    with django_assert_num_queries(1):
        user, found = authenticate(f"{token}:{secret}")
        assert (found, found.project.project_id) == (token, project.project_id)
    assert not user.is_authenticated


# Without django_db: a missing or malformed header must not reach the database.


@pytest.mark.parametrize(
    ("header", "code"),
    [
        (None, "missing_credentials"),
        ("", "missing_credentials"),
        (f"tok_{'0' * 16}:sec_{'0' * 43}028SX5", "malformed_credentials"),
        (f"tok_{'0' * 16}:sec_{'0' * 43}028SX", "malformed_credentials"),
    ],
)
def test_a_missing_header_and_a_cut_off_secret_have_codes_of_their_own(header, code):
    response = post(header)

    assert (response.status_code, response.json()["code"]) == (401, code)
    assert response.headers["WWW-Authenticate"] == "AccessToken"


WITHOUT_THE_SECRET = ["unknown", "wrong secret", "another token's secret"]
WITH_THE_SECRET = ["revoked", "expired", "rotated", "project_closed"]


def header_of(refused):
    expires_in = WEEK if refused == "expired" else None
    token, secret = issued_token(expires_in=expires_in, at=timezone.now() - WEEK)
    match refused:
        case "unknown":
            return f"{crypto.new_token_id()}:{secret}"
        case "wrong secret":
            secret = crypto.new_secret()
        case "another token's secret":
            _, secret = issued_token(token.project)
        case "revoked":
            token.revoke(by=BY)
        case "rotated":
            token.rotate(overlap=timedelta(0), by=BY)
        case "project_closed":
            token.project.close(by=BY)
    return f"{token}:{secret}"


@pytest.mark.django_db
@pytest.mark.parametrize("refused", [*WITHOUT_THE_SECRET, *WITH_THE_SECRET])
def test_every_refusal_takes_one_query_and_one_comparison_and_is_logged_with_its_cause(
    refused, monkeypatch, caplog, django_assert_num_queries
):
    header, compared = header_of(refused), []
    cause = "wrong secret" if "secret" in refused else refused
    token_id, _, secret = header.partition(":")
    matches = crypto.matches
    monkeypatch.setattr(crypto, "matches", lambda *pair: compared.append(pair) or matches(*pair))

    caplog.set_level(logging.INFO, "tokens")
    with django_assert_num_queries(1), pytest.raises(InvalidCredentials):
        authenticate(header)

    assert len(compared) == 1
    assert f"Credentials refused: {token_id}, {cause}, from 192.0.2.1" in caplog.text
    assert secret not in caplog.text


def values(row):
    """Return every column of a row, read without a query."""
    names = {field.attname for field in row._meta.concrete_fields}
    return {name: value for name, value in row.__dict__.items() if name in names}


@pytest.mark.sqlite
@pytest.mark.django_db
def test_the_constant_statement_reads_what_the_orm_reads(django_assert_num_queries):
    at = timezone.now().replace(microsecond=123457)
    limits = {"link_rate_per_minute": 7, "results_rate_per_minute": 9}
    used, of_closed, rotated = (issued_token(ProjectFactory.create(**limits))[0] for _ in range(3))
    used.record_use(at)
    of_closed.revoke(at=at, reason="leaked", by=BY)
    of_closed.project.close(at=at, by=BY)
    successor, _ = rotated.rotate(overlap=timedelta(hours=1), by=BY)

    for token in (issued_token()[0], used, of_closed, rotated, successor):
        stored = AccessToken.objects.select_related("project").get(pk=token.pk)
        with django_assert_num_queries(1):
            found = token_with_project(token.token_id)
        assert found is not None
        assert values(found).items() <= values(stored).items()
        assert values(found.project).items() <= values(stored.project).items()
    assert token_with_project("tok_0000000000000000") is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("later", "is_written"),
    [(MINUTE - timedelta(milliseconds=1), False), (MINUTE, True), (-timedelta(days=1), False)],
    ids=["within a minute", "after a minute", "clock jumped back"],
)
def test_the_last_use_is_written_once_a_minute(later, is_written, django_assert_num_queries):
    token = AccessTokenFactory.create(last_used_at=NOON)

    with django_assert_num_queries(1 if is_written else 0):
        token.record_use(NOON + later)

    token.refresh_from_db()
    assert token.last_used_at == (NOON + later if is_written else NOON)


@pytest.mark.django_db
def test_of_two_calls_that_read_the_old_last_use_one_writes_it():
    token = AccessTokenFactory.create(last_used_at=NOON)
    stale = AccessToken.objects.get()
    token.record_use(NOON + MINUTE + timedelta(seconds=1))

    stale.record_use(NOON + MINUTE)

    stale.refresh_from_db()
    assert stale.last_used_at == NOON + MINUTE + timedelta(seconds=1)
