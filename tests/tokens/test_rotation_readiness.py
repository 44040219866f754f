"""When the old token of a rotation is safe to end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.factories import ProjectFactory, issued_token, staff_with
from tokens.models import AccessToken, RotationReadiness

NOON = datetime(2026, 6, 10, 12, tzinfo=UTC)
DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
LIST = "/admin/tokens/accesstoken/"


@pytest.mark.parametrize(
    ("rotated", "used", "expected"),
    [
        # never used
        (DAY, None, RotationReadiness.SAFE),
        (DAY - MINUTE, None, RotationReadiness.TOO_EARLY),
        (timedelta(0), None, RotationReadiness.TOO_EARLY),
        # last used before the rotation: the day counts from the rotation
        (DAY, 3 * DAY, RotationReadiness.SAFE),
        (DAY - MINUTE, 3 * DAY, RotationReadiness.TOO_EARLY),
        (DAY - MINUTE, DAY, RotationReadiness.TOO_EARLY),
        (DAY - MINUTE, DAY - MINUTE, RotationReadiness.TOO_EARLY),
        # used since the rotation: the day counts from the last call
        (3 * DAY, DAY, RotationReadiness.SAFE),
        (3 * DAY, DAY - MINUTE, RotationReadiness.IN_USE),
        (3 * DAY, timedelta(0), RotationReadiness.IN_USE),
        (DAY, DAY - MINUTE, RotationReadiness.IN_USE),
        # a clock that jumped: a call that is noted for later
        (3 * DAY, -MINUTE, RotationReadiness.IN_USE),
    ],
)
def test_the_day_counts_from_the_later_of_last_call_and_rotation(
    rotated: timedelta, used: timedelta | None, expected: RotationReadiness
) -> None:
    last_used_at = None if used is None else NOON - used

    token = AccessToken(
        rotated_at=NOON - rotated, expires_at=NOON + 7 * DAY, last_used_at=last_used_at
    )

    assert token.readiness_at(NOON) is expected


@pytest.mark.parametrize(
    ("overlap", "expected"),
    [
        (timedelta(hours=1), RotationReadiness.BRIEF),
        (DAY, RotationReadiness.BRIEF),
        (DAY + MINUTE, RotationReadiness.TOO_EARLY),
    ],
)
def test_what_ends_within_a_day_of_the_rotation_never_gets_safe(
    overlap: timedelta, expected: RotationReadiness
) -> None:
    rotated_at = NOON - timedelta(minutes=30)

    token = AccessToken(rotated_at=rotated_at, expires_at=rotated_at + overlap)

    assert token.readiness_at(NOON) is expected


@pytest.fixture
def token() -> AccessToken:
    """Give a token that was issued ten days ago."""
    project = ProjectFactory.create(time_zone="Asia/Kolkata")
    return issued_token(project, label="CRM", at=NOON - 10 * DAY)[0]


def rotated(token: AccessToken, ago: timedelta, used: timedelta | None = None) -> AccessToken:
    token.rotate(at=NOON - ago, actor="staff:0")
    if used is not None:
        AccessToken.objects.filter(pk=token.pk).update(last_used_at=NOON - used)
    token.refresh_from_db()
    return token


@pytest.mark.django_db
def test_only_an_ending_token_has_a_readiness(token: AccessToken) -> None:
    before = token.readiness_at(NOON)
    rotated(token, 2 * DAY)
    ending = token.readiness_at(NOON)
    expired = token.readiness_at(NOON + 30 * DAY)
    successor = token.successor.readiness_at(NOON)
    token.revoke(at=NOON, actor="staff:0")

    assert (before, ending, expired, successor) == (None, RotationReadiness.SAFE, None, None)
    assert token.readiness_at(NOON) is None
    assert token.readiness_in_words(NOON) == ""


@pytest.fixture
def admin() -> Client:
    client = Client()
    client.force_login(staff_with("tokens.view_accesstoken", "tokens.revoke_token"))
    return client


@pytest.fixture
def _noon() -> Iterator[None]:
    with time_machine.travel(NOON, tick=False):
        yield


def button(token: AccessToken, words: str) -> str:
    return f'href="{LIST}{token.pk}/revoke/">{words}</a>'


@pytest.mark.django_db
@pytest.mark.usefixtures("_noon")
@pytest.mark.parametrize("ago", [2 * DAY, timedelta(hours=2)])
def test_list_and_both_pages_show_it_with_the_button_when_safe(
    admin: Client, token: AccessToken, ago: timedelta
) -> None:
    rotated(token, ago)
    is_safe = ago == 2 * DAY
    pages = {
        LIST: "End it now",
        f"{LIST}{token.pk}/change/": "End it now",
        f"{LIST}{token.successor.pk}/change/": "End the old token now",
    }

    for address, words in pages.items():
        text = re.sub(r"\s*\n\s*", "", admin.get(address).content.decode())
        assert ("afe to end now" in text) is is_safe
        assert ("ot yet a day since the rotation" in text) is not is_safe
        assert (button(token, words) in text) is is_safe
        assert button(token.successor, words) not in text


@pytest.mark.django_db
@pytest.mark.usefixtures("_noon")
def test_without_the_right_there_is_a_readiness_but_no_button(token: AccessToken) -> None:
    rotated(token, 2 * DAY)
    client = Client()
    client.force_login(staff_with("tokens.view_accesstoken"))

    for address in (LIST, f"{LIST}{token.pk}/change/", f"{LIST}{token.successor.pk}/change/"):
        text = client.get(address).content.decode()
        assert "afe to end now" in text
        assert "End it now" not in text
        assert "End the old token now" not in text


@pytest.mark.django_db
@pytest.mark.usefixtures("_noon")
def test_the_list_asks_no_more_for_more_ending_tokens(
    admin: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(12):
        rotated(issued_token(at=NOON - 10 * DAY)[0], 2 * DAY)

    with django_assert_max_num_queries(12):
        text = admin.get(LIST).content.decode()

    assert text.count("End it now") == 12
