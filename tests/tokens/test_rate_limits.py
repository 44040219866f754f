"""Calls of a project and failures of an address are counted by the minute; beyond it is 429."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils.timezone import now

from tests.factories import BY, ProjectFactory, issued_token
from tokens import crypto, limits
from tokens.limits import count_failure, seconds_to_wait

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.tokens.probe_urls")]
NOW = 1_780_000_000
HOUR = timedelta(hours=1)
ADDRESS, ELSEWHERE = "192.0.2.1", "192.0.2.2"


@pytest.fixture(autouse=True)
def low_limits(settings):
    settings.LINK_RATE_PER_MINUTE = settings.OTHER_RATE_PER_MINUTE = 2
    settings.RESULTS_RATE_PER_MINUTE = 3
    settings.FAILED_CREDENTIALS_PER_MINUTE = 3


def post(header, path="links", address=ADDRESS):
    client = Client(REMOTE_ADDR=address)
    return client.post(f"/partner/{path}", headers={"X-Access-Token": header})


def header_of(**project):
    token, secret = issued_token(ProjectFactory.create(**project))
    return f"{token.token_id}:{secret}"


def unknown():
    return f"{crypto.new_token_id()}:{crypto.new_secret()}"


def statuses(header, *paths):
    with time_machine.travel(NOW, tick=False):
        return [post(header, path).status_code for path in paths]


@pytest.mark.parametrize(
    ("project", "paths", "expected"),
    [
        ({}, ["links"] * 2 + ["results"] * 4, [200] * 5 + [429]),
        ({}, ["links"] * 3 + ["one"] * 2, [200, 200, 429, 200, 200]),
        ({}, ["one", "another", "one", "another"], [200, 200, 429, 429]),
        ({"link_rate_per_minute": 4}, ["links"] * 5, [200] * 4 + [429]),
        ({"results_rate_per_minute": 1}, ["results"] * 2, [200, 429]),
    ],
    ids=["own", "apart", "shared", "links of the project", "results of the project"],
)
def test_calls_are_counted_by_limit(project, paths, expected):
    assert statuses(header_of(**project), *paths) == expected


def test_the_tokens_of_a_project_share_its_count_and_projects_do_not():
    project = ProjectFactory.create()
    headers = [f"{token}:{secret}" for token, secret in (issued_token(project) for _ in range(3))]

    found = [statuses(header, "links") for header in (*headers, header_of())]

    assert found == [[200], [200], [429], [200]]


@pytest.mark.parametrize("offset", [0, 7, 35, 59, 60])
def test_a_call_passes_after_retry_after_and_not_a_second_earlier(offset):
    header = header_of()

    with time_machine.travel(NOW + offset, tick=False) as clock:
        refused = [post(header) for _ in range(3)][2]
        wait = int(refused.headers["Retry-After"])
        clock.shift(wait - 1)
        too_early = post(header)
        clock.shift(1)
        in_time = post(header)

    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
    assert refused.headers["Cache-Control"] == "no-store"
    assert 1 <= wait <= 60
    # With a wait of 1 s, the call a second earlier is still of the refused minute.
    assert [too_early.status_code, in_time.status_code] == [429, 200]


def test_decisions_are_counted_for_the_operator():
    def decided():
        counters = [limits.DECISIONS.labels("other", each) for each in ("allowed", "refused")]
        return [counter.collect()[0].samples[0].value for counter in counters]

    allowed, refused = decided()

    statuses(header_of(), "one", "one", "another")

    assert decided() == [allowed + 2, refused + 1]


def test_failed_credentials_are_counted_by_address_and_never_stop_a_good_token():
    good = header_of()

    with time_machine.travel(NOW, tick=False):
        malformed = [post("tok_:sec_").status_code for _ in range(5)]
        cut_off = [post(good[:-1]).status_code for _ in range(3)]
        failed = [post(unknown()) for _ in range(5)]
        wrong = post(f"{good.partition(':')[0]}:{crypto.new_secret()}")
        elsewhere = post(unknown(), address=ELSEWHERE)
        passed = [post(good, address=each).status_code for each in (ADDRESS, ELSEWHERE)]

    assert malformed + cut_off == [401] * 8
    assert [each.status_code for each in failed] == [401, 401, 401, 429, 429]
    assert failed[-1].json()["code"] == "rate_limited"
    assert 1 <= int(failed[-1].headers["Retry-After"]) <= 60
    assert (wrong.status_code, elsewhere.status_code) == (429, 401)
    assert passed == [200, 200]


@pytest.mark.parametrize("end", ["revoked", "expired", "rotated", "project_closed"])
def test_the_right_secret_of_a_token_that_has_ended_is_never_limited_and_a_wrong_one_is(
    settings, end
):
    settings.FAILED_CREDENTIALS_PER_MINUTE = 30  # as documented
    token, secret = issued_token(expires_in=HOUR if end == "expired" else None, at=now() - HOUR)
    if end == "revoked":
        token.revoke(by=BY)
    elif end == "rotated":
        token.rotate(overlap=timedelta(0), by=BY)
    elif end == "project_closed":
        token.project.close(by=BY)
    good = header_of()

    with time_machine.travel(now(), tick=False):
        right = [post(f"{token}:{secret}") for _ in range(40)]
        wrong = [post(f"{token}:{crypto.new_secret()}") for _ in range(31)]
        right.append(post(f"{token}:{secret}"))
        passed = post(good)

    assert {(each.status_code, each.json()["reason"]) for each in right} == {(401, end)}
    assert [each.status_code for each in wrong] == [401] * 30 + [429]
    assert "refused too often" in wrong[-1].json()["detail"]
    assert passed.status_code == 200


def test_failures_are_counted_by_group_and_address_or_ipv6_network():
    with time_machine.travel(NOW, tick=False):
        counted = [count_failure(ADDRESS, "a", 2)]
        looks = [seconds_to_wait(ADDRESS, "a", 2) for _ in range(3)]  # which count nothing
        counted += [count_failure(ADDRESS, "a", 2), count_failure(ADDRESS, "a", 2)]
        look = seconds_to_wait(ADDRESS, "a", 2)
        others = [count_failure(*each, 1) for each in ((ELSEWHERE, "a"), (ADDRESS, "b"))]
        networks = [
            count_failure(address, "a", 1) > 0
            for address in (
                *("2001:db8::1", "2001:db8::ffff:1", "2001:db8:0:ff:ffff::9", "2001:db8:0:100::1"),
                *("unknown", "unknown"),
            )
        ]
    assert (looks, counted, others) == ([0, 0, 0], [0, 0, look], [0, 0])
    assert 1 <= look <= 60
    assert networks == [False, True, True, False, False, True]
