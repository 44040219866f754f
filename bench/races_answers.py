"""One page of one attempt, answered differently by sixteen hands at once."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.forms import Answer, race
from bench.races_ground import SEE_OTHER, Prepared, Statuses, beside
from tests.support.figures import Figure, exactly

if TYPE_CHECKING:
    from tests.support.server import Service

HANDS = 16
# A page of six statements, after which six more are shown; a puzzle, after which comes one more.
STATEMENTS, PUZZLE = 7, 27

# By AssessmentId: of each position from the page on, the choice that is stored.
Stored = dict[str, dict[int, int | None]]


@dataclass(frozen=True)
class Sent:
    """What several hands sent to one attempt, and what each was answered."""

    assessment_id: str
    choices: list[int]
    answers: list[Answer]

    @property
    def leads_on(self) -> bool:
        """Whether all were sent to one and the same next page."""
        told = {(answer.status, answer.location) for answer in self.answers}
        return len(told) == 1 and self.answers[0].status == SEE_OTHER


def statement_races(service: Service, races: int) -> list[Figure]:
    """Answer a page of statements from all hands at once, then from one: the last write wins."""
    prepared = Prepared.at(service, STATEMENTS, races)
    sent = send(service, prepared, HANDS)
    first = stored(service, prepared)
    last = send(service, prepared, 1)
    second = stored(service, prepared)
    whole = sum(page_of(prepared, first, each) in whole_pages(prepared, each) for each in sent)
    latest = sum(page_of(prepared, second, each) in whole_pages(prepared, each) for each in last)
    return [
        exactly("statements: pages that are one of the sixteen, whole", whole, races),
        exactly("statements: pages that are what was sent last", latest, races),
        *common("statements", sent + last, second, 2 * len(prepared.positions) * races),
    ]


def puzzle_races(service: Service, races: int) -> list[Figure]:
    """Answer a puzzle from all hands at once, and again: the first stored choice stands."""
    prepared = Prepared.at(service, PUZZLE, races)
    sent = send(service, prepared, HANDS)
    first = stored(service, prepared)
    again = send(service, prepared, 2)
    second = stored(service, prepared)
    one = sum(page_of(prepared, first, each) in whole_pages(prepared, each) for each in sent)
    changed = sum(first[assessment_id] != second[assessment_id] for assessment_id in first)
    tried = sum(set(each.choices) != set(page_of(prepared, first, each)) for each in again)
    return [
        exactly("puzzles: choices that are one of the sixteen", one, races),
        exactly("puzzles: choices or next items changed by sending again", changed, 0),
        exactly("puzzles: sent again with another choice", tried, races),
        *common("puzzles", sent + again, second, 2 * races),
    ]


def common(name: str, sent: list[Sent], second: Stored, rows: int) -> list[Figure]:
    """Return what must be true of either kind."""
    statuses = Statuses()
    for each in sent:
        statuses.note(each.answers)
    leading = sum(each.leads_on for each in sent)
    found = sum(len(places) for places in second.values())
    return [
        exactly(f"{name}: times that all were sent to one next page", leading, len(sent)),
        exactly(f"{name}: rows, of each page and the one after it", found, rows),
        exactly(f"{name}: answers of 5xx", statuses.crashes, 0),
        exactly(f"{name}: other answers", statuses.other_than(SEE_OTHER), 0),
    ]


def send(service: Service, prepared: Prepared, hands: int) -> list[Sent]:
    """Let so many hands answer each attempt's page at once, each by a choice of its own."""

    def answer(attempt: tuple[str, str]) -> Sent:
        choices = some_of(prepared.offered[0], hands)
        posts = [prepared.page(attempt, choice) for choice in choices]
        return Sent(attempt[0], choices, race(service.port, posts))

    return beside(answer, prepared.attempts)


def some_of(offered: list[int], count: int) -> list[int]:
    """Return so many of the choices, as different as there are."""
    return [*random.sample(offered, len(offered)), *random.choices(offered, k=count)][:count]


def whole_pages(prepared: Prepared, sent: Sent) -> list[list[int]]:
    """Return the pages that were sent: one choice for all of a page's questions."""
    return [[choice] * len(prepared.positions) for choice in sent.choices]


def page_of(prepared: Prepared, found: Stored, sent: Sent) -> list[int | None]:
    return [found[sent.assessment_id][position] for position in prepared.positions]


def stored(service: Service, prepared: Prepared) -> Stored:
    """Return what is stored of each attempt from its page on."""
    found: Stored = {}
    for row in service.rows(
        "SELECT a.assessment_id, w.position, w.choice FROM assessments_answer w"
        " JOIN assessments_assessment a ON a.id = w.assessment_id"
        " JOIN assessments_student s ON s.id = a.student_id"
        " JOIN partners_project p ON p.id = s.project_id"
        " WHERE p.project_id = %s AND w.position >= %s",
        (prepared.ground.project_id, prepared.positions[0]),
    ):
        found.setdefault(row["assessment_id"], {})[row["position"]] = row["choice"]
    return found
