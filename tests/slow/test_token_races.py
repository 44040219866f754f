"""Tokens that end while sixteen backends call both operations with them.

Two of staff who rotate one token at once are raced in tests/tokens/test_two_at_once.py.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from tests.slow.racing import OK, UNAUTHORIZED
from tests.support.callers import AFTER_THE_END, LINK, Call, Callers
from tests.support.clients import Partner
from tests.support.server import Service
from tests.support.token_staff import TokenStaff

pytestmark = pytest.mark.slow

CALLERS = 16
# Seconds that a token lives which expires by itself, and one that was rotated with an overlap.
LIFETIME, OVERLAP = 1.0, 0.5


@dataclass(frozen=True)
class Ended:
    """The calls with a token that ended, and with its successor if it has one.

    A call may be let in until the end was asked for (`begun`), and must be refused if it began
    after the end was committed, or came by the clock (`ends`).
    """

    old: str
    new: str
    begun: float
    ends: float
    calls: list[Call]


@pytest.fixture(scope="module")
def staff(busy_service: Service) -> Iterator[TokenStaff]:
    with TokenStaff(busy_service) as staff:
        yield staff


def wait_until(moment: float) -> None:
    time.sleep(max(0.0, moment - time.monotonic()))


def id_of(credential: str) -> str:
    return credential.partition(":")[0]


End = Callable[[TokenStaff, str, Callers], tuple[str, float, float]]


def revoke(staff: TokenStaff, token_id: str, callers: Callers) -> tuple[str, float, float]:
    done = staff.do("revoke", token_id=token_id)
    return "", done["begun"], done["ends"]


def rotate_at_once(staff: TokenStaff, token_id: str, callers: Callers) -> tuple[str, float, float]:
    done = staff.do("rotate", token_id=token_id, overlap=0)
    callers.add(done["credential"])
    return done["credential"], done["begun"], done["ends"]


def rotate_with_overlap(
    staff: TokenStaff, token_id: str, callers: Callers
) -> tuple[str, float, float]:
    done = staff.do("rotate", token_id=token_id, overlap=OVERLAP)
    callers.add(done["credential"])
    wait_until(done["ends"])
    return done["credential"], done["ends"], done["ends"]


# How a token ends, and the audit events that it then has.
ENDS: list[tuple[End, list[str]]] = [
    (revoke, ["token.issued", "token.revoked"]),
    (rotate_at_once, ["token.issued", "token.rotated"]),
    (rotate_with_overlap, ["token.issued", "token.rotated"]),
]


@pytest.mark.parametrize(("end", "events"), ENDS, ids=lambda value: getattr(value, "__name__", ""))
def test_no_call_that_begins_after_the_end_is_let_in(
    busy_service: Service, staff: TokenStaff, times: int, end: End, events: list[str]
) -> None:
    partner = Partner.onboarded(busy_service.manage)
    for _ in range(2 * times):
        old = staff.do("issue", project_id=partner.project_id)["credential"]
        with Callers(busy_service.port, partner.project_id, CALLERS, old) as callers:
            callers.wait_until_all_came_in()
            new, begun, ends = end(staff, id_of(old), callers)
            ended = Ended(old, new, begun, ends, callers.stop())
        check(busy_service, ended, events)
        if new:
            staff.do("revoke", token_id=id_of(new))


def test_no_call_that_begins_after_the_expiry_is_let_in(
    busy_service: Service, staff: TokenStaff, times: int
) -> None:
    partner = Partner.onboarded(busy_service.manage)
    for _ in range(2 * times):
        issued = staff.do("issue", project_id=partner.project_id, seconds=LIFETIME)
        old, ends = issued["credential"], issued["ends"]
        with Callers(busy_service.port, partner.project_id, CALLERS, old) as callers:
            wait_until(ends)
            ended = Ended(old, "", ends, ends, callers.stop())
        check(busy_service, ended, ["token.issued"])


def check(service: Service, ended: Ended, events: list[str]) -> None:
    """Check what the callers saw and what is stored."""
    with_old = [call for call in ended.calls if call.credential == ended.old]
    after = [call for call in with_old if call.began > ended.ends]

    assert {call.status for call in with_old} <= {OK, UNAUTHORIZED}
    assert {call.status for call in after} == {UNAUTHORIZED}
    assert {call.caller for call in after} == set(range(CALLERS))
    assert len(after) >= AFTER_THE_END * CALLERS
    assert {call.status for call in with_old if call.ended < ended.begun} == {OK}
    assert all(call.status == OK for call in ended.calls if call.credential == ended.new)
    for credential in filter(None, (ended.old, ended.new)):
        given = sum(
            (call.credential, call.operation, call.status) == (credential, LINK, OK)
            for call in ended.calls
        )
        [stored] = service.rows(
            "SELECT count(*) AS links FROM assessments_assessmentlink l"
            " JOIN tokens_accesstoken t ON t.id = l.access_token_id WHERE t.token_id = %s",
            (id_of(credential),),
        )
        assert stored["links"] == given
    written = service.rows(
        "SELECT action FROM partners_auditevent WHERE object_id = %s ORDER BY action",
        (id_of(ended.old),),
    )
    assert [row["action"] for row in written] == events
