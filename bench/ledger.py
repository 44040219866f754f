"""The client's own log: what it asked for, and what it was told is stored."""

from __future__ import annotations

import collections
import json
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Kinds of what was acknowledged. UNSURE was sent and never answered, as the load ended first: it
# may be stored or not.
LINK, START, ANSWERS, COMPLETED = "link", "start", "answers", "completed"
LEFT, READ, TOKEN, UNSURE = "left", "read", "token", "unsure"
NO_ANSWER = 0


@dataclass(frozen=True)
class Asked:
    """One request, from when to when on the monotonic clock, and how it ended.

    `status` is NO_ANSWER where the connection broke; `is_plain` whether a failure was told in the
    service's own words: JSON under /partner/, a page elsewhere.
    """

    kind: str
    began: float
    ended: float
    status: int
    is_plain: bool = True

    @property
    def has_failed(self) -> bool:
        return self.status == NO_ANSWER or self.status >= 500

    @property
    def is_partners(self) -> bool:
        return self.kind.startswith("/partner/")


class Ledger:
    """What all clients of one load share. Every acknowledged write also stands in the file."""

    def __init__(self, file: Path) -> None:
        self.asked: list[Asked] = []
        self.acknowledged: list[tuple[str, Any]] = []
        # What a client was told that cannot be, in words.
        self.complaints: list[str] = []
        # AssessmentId and wire status of attempts whose end was acknowledged, by project, e-mail.
        self.ended: list[tuple[str, str, str, str]] = []
        self._lock = threading.Lock()
        self._file = file.open("w")

    def note(self, kind: str, what: Any) -> None:
        """Write down what was acknowledged, before the client goes on."""
        with self._lock:
            self.acknowledged.append((kind, what))
            print(json.dumps([kind, what]), file=self._file, flush=True)

    def close(self) -> None:
        self._file.close()

    def of(self, kind: str) -> list[Any]:
        return [what for noted, what in self.acknowledged if noted == kind]

    def choices(self) -> dict[tuple[str, int], set[int]]:
        """Return, by AssessmentId and position, what may be stored: the last acknowledged choice.

        Or one that was sent after it and got no answer.
        """
        found: dict[tuple[str, int], set[int]] = {}
        for kind, what in self.acknowledged:
            if kind not in (ANSWERS, UNSURE):
                continue
            for position, choice in what["choices"].items():
                place = what["assessment"], int(position)
                if kind == ANSWERS:
                    found[place] = {choice}
                elif place in found:
                    found[place].add(choice)
        return found

    def counts(self) -> collections.Counter[str]:
        return collections.Counter(kind for kind, _ in self.acknowledged)


def crashes(asked: Iterable[Asked]) -> int:
    """Count the answers of 5xx."""
    return sum(each.status >= 500 for each in asked)


def unanswered(asked: Iterable[Asked]) -> int:
    return sum(each.status == NO_ANSWER for each in asked)


def not_plain(asked: Iterable[Asked]) -> int:
    """Count the failures that were not told in the service's own words."""
    return sum(not each.is_plain for each in asked)
