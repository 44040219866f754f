"""Record the requests and acknowledged writes of clients under load; find those that are lost."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

EXPECTED = {200, 302, 303}


@dataclass(frozen=True)
class Asked:
    """One request: its start and end on the monotonic clock, and its status (0: no answer).

    `is_plain` tells whether a 5xx had the documented JSON body or error page.
    """

    path: str
    method: str
    began: float
    ended: float
    status: int
    is_plain: bool

    @property
    def has_failed(self):
        return self.status not in EXPECTED

    @property
    def seconds(self):
        return self.ended - self.began


@dataclass(frozen=True)
class Done:
    """An acknowledged write: its kind and its key."""

    kind: str  # link, start, answers, unsure, completed, left, read, issued, rotated, revoked
    what: Mapping[str, Any]
    at: float = field(default_factory=time.monotonic)


class Ledger:
    """All requests and acknowledgements of the clients of one load."""

    def __init__(self):
        self.asked = []
        self.done = []
        self.complaints = []  # answers that cannot be right

    def note(self, kind, **what):
        self.done.append(Done(kind, what))

    def of(self, *kinds):
        return [done for done in self.done if done.kind in kinds]

    @property
    def acknowledged(self):
        return [done for done in self.done if done.kind != "unsure"]

    @property
    def failures(self):
        failed = [each for each in self.asked if each.has_failed]
        return dict(Counter(f"{each.method} {each.status or 'no answer'}" for each in failed))

    @property
    def failed(self):
        return sum(each.has_failed for each in self.asked)

    @property
    def crashes(self):
        return sum(each.status >= 500 for each in self.asked)

    @property
    def not_plain(self):
        return sum(not each.is_plain for each in self.asked)

    def quantile(self, share):
        ordered = sorted(each.seconds for each in self.asked)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    def choices(self):
        """Return the choices that may be stored, by AssessmentId and position.

        These are the last acknowledged choice, and later ones that got no answer.
        """
        found = {}
        for done in self.of("answers", "unsure"):
            for position, choice in done.what["choices"].items():
                place = done.what["attempt"], position
                if done.kind == "answers":
                    found[place] = {choice}
                elif place in found:
                    found[place].add(choice)
        return found


def lost(ledger, rows):
    """I-8: return the acknowledged writes that are not in the database (PostgreSQL)."""

    def keyed(sql):
        return {row["key"]: row for row in rows(sql)}

    links = keyed(
        "SELECT l.token_digest AS key, s.email, l.used_at, a.browser_digest"
        " FROM assessments_assessmentlink l JOIN assessments_student s ON s.id = l.student_id"
        " LEFT JOIN assessments_attempt a ON a.id = l.attempt_id"
    )
    attempts = keyed(
        "SELECT assessment_id AS key, completed_at AS completed, abandoned_at AS left,"
        " results_read_at AS read FROM assessments_attempt"
    )
    tokens = keyed(
        "SELECT token_id AS key, issued_at AS issued, rotated_at AS rotated,"
        " revoked_at AS revoked FROM tokens_accesstoken"
    )
    stored = {
        (row["assessment_id"], row["position"]): row["choice"]
        for row in rows(
            "SELECT a.assessment_id, n.position, n.choice FROM assessments_answer n"
            " JOIN assessments_attempt a ON a.id = n.attempt_id WHERE n.choice IS NOT NULL"
        )
    }
    possible = ledger.choices()

    def is_there(done):
        what = done.what
        if done.kind == "answers":
            places = [(what["attempt"], position) for position in what["choices"]]
            return all(stored.get(place) in possible[place] for place in places)
        if done.kind in {"issued", "rotated", "revoked"}:
            return bool(tokens.get(what["token_id"], {}).get(done.kind))
        if done.kind in {"completed", "left", "read"}:
            return bool(attempts.get(what["attempt"], {}).get(done.kind))
        link = links.get(_digest(what["token"]), {})
        if done.kind == "link":
            return link.get("email") == what["email"]
        return bool(link.get("used_at")) and link["browser_digest"] == _digest(what["browser"])

    return [done for done in ledger.acknowledged if not is_there(done)]


def _digest(text):
    return hashlib.sha256(text.encode()).hexdigest()
