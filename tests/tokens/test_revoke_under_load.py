from __future__ import annotations

import threading
import time

import pytest
from django.test import Client

from tests.factories import ProjectFactory, issued_token
from tests.support.threads import race
from tokens.models import AccessToken

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.urls("tests.tokens.probe_urls"),
]
CALLERS = 8


def test_no_call_that_starts_after_the_revocation_comes_in() -> None:
    project = ProjectFactory.create(link_rate_per_minute=1_000_000)
    for _ in range(3):
        token, secret = issued_token(project)
        headers = {"X-Access-Token": f"{token.token_id}:{secret}"}
        revoked_at: list[float] = []
        came_in: list[float] = []
        some_came_in, refused = threading.Event(), threading.Event()

        def call(headers: dict[str, str] = headers, came_in: list[float] = came_in) -> None:
            client = Client()
            last_call = False
            while not last_call:
                last_call = refused.is_set()  # noqa: B023  ends in its turn
                started = time.perf_counter()
                if client.post("/partner/links", headers=headers).status_code == 200:
                    came_in.append(started)
                    some_came_in.set()  # noqa: B023  ends in its turn

        def revoke(token: AccessToken = token, revoked_at: list[float] = revoked_at) -> None:
            some_came_in.wait(20)  # noqa: B023  ends in its turn
            token.revoke(actor="staff:1")
            revoked_at.append(time.perf_counter())
            time.sleep(0.05)
            refused.set()  # noqa: B023  ends in its turn

        race([*[call] * CALLERS, revoke])

        assert came_in
        assert [start for start in came_in if start > revoked_at[0]] == []
