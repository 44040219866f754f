"""After a disaster: is all that was acknowledged stored, once, and does everything else hold?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import django

from bench import ledger as log
from bench.ledger import Ledger, not_plain, unanswered
from tests.support.figures import Figure, at_least, exactly, told

if TYPE_CHECKING:
    from tests.support.server import Service

# How many violations are spelled out; the figure counts them all.
SHOWN = 10


def lost(service: Service, ledger: Ledger) -> list[str]:
    """I-8: return, in words, each acknowledged write that is not in the database."""
    checks = (_lost_links, _lost_starts, _lost_choices, _lost_ends, _lost_readings, _lost_tokens)
    return [found for check in checks for found in check(service, ledger)]


def _lost_links(service: Service, ledger: Ledger) -> Iterator[str]:
    issued = ledger.of(log.LINK)
    stored = {
        (row["token_digest"], row["email"])
        for row in service.rows(
            "SELECT l.token_digest, s.email FROM assessments_assessmentlink l"
            " JOIN assessments_student s ON s.id = l.student_id WHERE l.token_digest = ANY(%s)",
            ([each["link"] for each in issued],),
        )
    }
    for each in issued:
        if (each["link"], each["email"]) not in stored:
            yield f"I-8 a link for {each['email']} was handed out"


def _lost_starts(service: Service, ledger: Ledger) -> Iterator[str]:
    started = ledger.of(log.START)
    stored = {
        (row["token_digest"], row["browser_digest"])
        for row in service.rows(
            "SELECT l.token_digest, a.browser_digest FROM assessments_assessmentlink l"
            " JOIN assessments_assessment a ON a.id = l.assessment_id"
            " WHERE l.used_at IS NOT NULL AND l.token_digest = ANY(%s)",
            ([each["link"] for each in started],),
        )
    }
    for each in started:
        if (each["link"], each["browser"]) not in stored:
            yield f"I-8 the link {each['link']} was started"


def _lost_choices(service: Service, ledger: Ledger) -> Iterator[str]:
    choices = ledger.choices()
    stored = {
        (row["assessment_id"], row["position"]): row["choice"]
        for row in service.rows(
            "SELECT a.assessment_id, n.position, n.choice FROM assessments_answer n"
            " JOIN assessments_assessment a ON a.id = n.assessment_id"
            " WHERE a.assessment_id = ANY(%s)",
            (sorted({assessment_id for assessment_id, _ in choices}),),
        )
    }
    for place, possible in choices.items():
        if stored.get(place) not in possible:
            yield f"I-8 {place} was answered {possible}, and has {stored.get(place)}"


def _lost_ends(service: Service, ledger: Ledger) -> Iterator[str]:
    for kind, column in ((log.COMPLETED, "completed_at"), (log.LEFT, "abandoned_at")):
        yield from _without(service, column, ledger.of(kind), f"was {kind}")


def _lost_readings(service: Service, ledger: Ledger) -> Iterator[str]:
    yield from _without(service, "results_read_at", ledger.of(log.READ), "was read")


def _without(service: Service, column: str, ids: Sequence[str], what: str) -> Iterator[str]:
    # The column is one of the three above.
    sql = (
        "SELECT assessment_id FROM assessments_assessment"
        f" WHERE {column} IS NOT NULL AND assessment_id = ANY(%s)"
    )
    stored = {row["assessment_id"] for row in service.rows(sql, (list(ids),))}
    for assessment_id in sorted(set(ids) - stored):
        yield f"I-8 {assessment_id} {what}"


def _lost_tokens(service: Service, ledger: Ledger) -> Iterator[str]:
    issued = ledger.of(log.TOKEN)
    rows = service.rows(
        "SELECT token_id, rotated_at, revoked_at FROM tokens_accesstoken WHERE token_id = ANY(%s)",
        ([token_id for _, token_id in issued],),
    )
    stored = {row["token_id"]: row for row in rows}
    for act, token_id in issued:
        row = stored.get(token_id)
        if row is None or (act != "issued" and row[f"{act}_at"] is None):
            yield f"I-8 token {token_id} was {act}"


class Reckoning:
    """What is checked after each disaster; it remembers which attempts had ended before."""

    def __init__(self, service: Service) -> None:
        django.setup()
        from tests.support import invariants  # it needs the models

        self._service, self._invariants = service, invariants
        self._ends = invariants.ends_of(service)

    def figures(self, ledger: Ledger) -> list[Figure]:
        """Return what was stored and what not, and how the clients were answered."""
        gone = lost(self._service, ledger)
        before, self._ends = self._ends, self._invariants.ends_of(self._service)
        changed = self._invariants.changed(before, self._ends)
        broken = self._invariants.violations_of(self._service)
        for words in [*gone, *changed, *broken, *ledger.complaints][:SHOWN]:
            print(f"     {words}")
        counts = ledger.counts()
        return [
            at_least("acknowledged: links", counts[log.LINK], 1),
            at_least("acknowledged: pages of answers", counts[log.ANSWERS], 1),
            told("acknowledged: attempts begun", counts[log.START]),
            told("acknowledged: attempts completed or left", len(ledger.ended)),
            told("acknowledged: tokens issued, rotated, revoked", counts[log.TOKEN]),
            told("requests that got no answer, sent again", unanswered(ledger.asked)),
            exactly("I-8: acknowledged writes lost", len(gone), 0),
            exactly("answers stored twice", self._doubles(), 0),
            exactly("I-1: attempts without a link", _of(broken, "I-1"), 0),
            exactly("I-2: ended attempts that changed", len(changed), 0),
            exactly("I-3: half-complete attempts", _of(broken, "I-3"), 0),
            exactly("I-4 to I-7: violations", _of(broken, "I-4", "I-5", "I-6", "I-7"), 0),
            exactly("clients who were told what cannot be", len(ledger.complaints), 0),
            exactly("failures not told as JSON or as the page", not_plain(ledger.asked), 0),
        ]

    def _doubles(self) -> int:
        [row] = self._service.rows(
            "SELECT count(*) AS doubles FROM (SELECT 1 FROM assessments_answer"
            " GROUP BY assessment_id, position HAVING count(*) > 1) AS double"
        )
        count: int = row["doubles"]
        return count


def _of(broken: Sequence[str], *numbers: str) -> int:
    return sum(each.startswith(numbers) for each in broken)


def scores(service: Service) -> Figure:
    """Return whether each stored result is what the stored answers give."""
    try:
        service.manage("rescore", "--all")
    except AssertionError as difference:
        print(f"     {str(difference)[-500:]}")
        return exactly("exit status of `rescore --all`: results fit answers", 1, 0)
    return exactly("exit status of `rescore --all`: results fit answers", 0, 0)
