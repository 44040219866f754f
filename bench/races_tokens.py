"""Tokens that end while sixteen backends call with them, and two of staff at one token."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bench.races_ground import OK, UNAUTHORIZED, Ground, onboard
from bench.staff import Staff
from tests.support.callers import AFTER_THE_END, LINK, Call, Callers
from tests.support.figures import Figure, at_least, exactly

if TYPE_CHECKING:
    from tests.support.server import Service

CALLERS = 16
# How long a token lives that expires by itself, and one that was rotated with an overlap.
LIFETIME, OVERLAP = 1.0, 0.5


@dataclass(frozen=True)
class Ended:
    """What was called with a token that ended, and with its successor if it has one.

    `begun` is when its end was asked for, `ends` the moment from which nobody may come in; both
    are the same for a token that ended by the clock.
    """

    old: str
    new: str
    begun: float
    ends: float
    calls: Sequence[Call]

    def after(self) -> list[Call]:
        """Return the calls with the old token that began after its end."""
        return [call for call in self.with_old() if call.began > self.ends]

    def before(self) -> list[Call]:
        """Return the calls with the old token that were answered before its end was asked for."""
        return [call for call in self.with_old() if call.ended < self.begun]

    def across(self) -> list[Call]:
        """Return the calls with the old token that were under way when it ended."""
        return [call for call in self.with_old() if call.began < self.ends < call.ended]

    def with_old(self) -> list[Call]:
        return [call for call in self.calls if call.credential == self.old]

    def with_new(self) -> list[Call]:
        return [call for call in self.calls if call.credential == self.new]


def revoke(service: Service, staff: Staff, ground: Ground) -> Ended:
    old: str = staff.do("issue", project_id=ground.project_id)["credential"]
    with Callers(service.port, ground.project_id, CALLERS, old) as callers:
        callers.wait_until_all_came_in()
        done = staff.do("revoke", token_id=id_of(old))
        return Ended(old, "", done["begun"], done["ends"], callers.stop())


def rotate_at_once(service: Service, staff: Staff, ground: Ground) -> Ended:
    """Rotate a token that leaked: its end is now."""
    return _rotate(service, staff, ground, 0)


def rotate_with_overlap(service: Service, staff: Staff, ground: Ground) -> Ended:
    """Rotate a token as usual: both open the door for a while."""
    return _rotate(service, staff, ground, OVERLAP)


def _rotate(service: Service, staff: Staff, ground: Ground, overlap: float) -> Ended:
    old: str = staff.do("issue", project_id=ground.project_id)["credential"]
    with Callers(service.port, ground.project_id, CALLERS, old) as callers:
        callers.wait_until_all_came_in()
        done = staff.do("rotate", token_id=id_of(old), overlap=overlap)
        callers.add(done["credential"])
        wait_until(done["ends"])
        calls = callers.stop()
    staff.do("revoke", token_id=id_of(done["credential"]))
    return Ended(
        old, done["credential"], done["ends"] if overlap else done["begun"], done["ends"], calls
    )


def expire(service: Service, staff: Staff, ground: Ground) -> Ended:
    issued: dict[str, Any] = staff.do("issue", project_id=ground.project_id, seconds=LIFETIME)
    old = issued["credential"]
    with Callers(service.port, ground.project_id, CALLERS, old) as callers:
        wait_until(issued["ends"])
        return Ended(old, "", issued["ends"], issued["ends"], callers.stop())


ENDS = (revoke, rotate_at_once, rotate_with_overlap, expire)


def token_races(service: Service, races: int) -> list[Figure]:
    """End so many tokens in each of the ways there are, each while all callers call with it."""
    ground = onboard(service)
    figures: list[Figure] = []
    with Staff(service) as staff:
        for end in ENDS:
            ended = [end(service, staff, ground) for _ in range(races)]
            figures += figures_of(end.__name__, ended)
            figures += stored_of(service, end.__name__, ended)
    return figures


def figures_of(name: str, ended: Sequence[Ended]) -> list[Figure]:
    """Return what the callers saw, of all tokens that ended in one way."""
    calls = [call for each in ended for call in each.calls]
    after = [call for each in ended for call in each.after()]
    late = [call for call in after if call.status == OK]
    let_in = [call for each in ended for call in each.with_old() if call.status == OK]
    early = [call for each in ended for call in each.before() if call.status != OK]
    all_came = sum(len({call.caller for call in each.after()}) == CALLERS for each in ended)
    least = AFTER_THE_END * CALLERS * len(ended)
    figures = [
        exactly(f"{name}: let in that began after the end", len(late), 0),
        exactly(f"{name}: refused that was answered before it", len(early), 0),
        at_least(f"{name}: calls let in before the end", len(let_in), len(ended)),
        exactly(f"{name}: tokens with which all callers came again", all_came, len(ended)),
        at_least(f"{name}: calls with a token that had ended", len(after), least),
        at_least(f"{name}: calls under way at an end", sum(len(e.across()) for e in ended), 1),
        exactly(f"{name}: answers of 5xx", sum(call.status >= 500 for call in calls), 0),
        exactly(f"{name}: other answers", sum(is_other(call) for call in calls), 0),
    ]
    successors = [call for each in ended if each.new for call in each.with_new()]
    if successors:
        refused = sum(call.status != OK for call in successors)
        figures.append(exactly(f"{name}: calls refused with the successor", refused, 0))
    return figures


def is_other(call: Call) -> bool:
    return call.status not in {OK, UNAUTHORIZED} and call.status < 500


def stored_of(service: Service, name: str, ended: Sequence[Ended]) -> list[Figure]:
    """Return what is stored of these tokens: the links that callers got, an event for each act."""
    wrong_links = wrong_events = 0
    for each in ended:
        for credential in filter(None, (each.old, each.new)):
            given = sum(
                call.credential == credential and call.operation == LINK and call.status == OK
                for call in each.calls
            )
            wrong_links += links_of(service, credential) != given
        wrong_events += events_of(service, each.old) != EVENTS[name]
    return [
        exactly(f"{name}: tokens whose links are not those given", wrong_links, 0),
        exactly(f"{name}: tokens without exactly their audit events", wrong_events, 0),
    ]


# What the trail has of a token that ended so.
EVENTS = {
    "revoke": ["token.issued", "token.revoked"],
    "rotate_at_once": ["token.issued", "token.rotated"],
    "rotate_with_overlap": ["token.issued", "token.rotated"],
    "expire": ["token.issued"],
}


def links_of(service: Service, credential: str) -> int:
    [counted] = service.rows(
        "SELECT count(*) AS links FROM assessments_assessmentlink l"
        " JOIN tokens_accesstoken t ON t.id = l.access_token_id WHERE t.token_id = %s",
        (id_of(credential),),
    )
    links: int = counted["links"]
    return links


def events_of(service: Service, credential: str) -> list[str]:
    rows = service.rows(
        "SELECT action FROM partners_auditevent WHERE object_id = %s ORDER BY action",
        (id_of(credential),),
    )
    return [row["action"] for row in rows]


def rotation_races(service: Service, races: int) -> list[Figure]:
    """Let two of staff rotate one token at once: one wins, the other is told of the successor."""
    ground = onboard(service)
    with Staff(service) as staff:
        counted = staff.do("rotate_together", project_id=ground.project_id, times=races)
    return [
        exactly("two rotate: who won", counted["won"], races),
        exactly("two rotate: who was told the successor", counted["told"], races),
        exactly("two rotate: successors", counted["successors"], races),
    ]


def id_of(credential: str) -> str:
    return credential.partition(":")[0]


def wait_until(moment: float) -> None:
    time.sleep(max(0.0, moment - time.monotonic()))
