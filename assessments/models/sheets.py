"""The answers of one attempt: read once, shown by pages, and written on while nobody else may."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from assessments.models.answers import Answer
from assessments.models.attempt_states import NotShown, Recorded
from partners.kept_queries import KeptQuery, of_row

if TYPE_CHECKING:
    from assessments.models.attempts import Assessment


class Line(NamedTuple):
    """An answer as it is stored; a model for each of ninety would cost more than reading them."""

    id: int
    assessment_id: int
    position: int
    item_id: int
    choice: int | None


_ANSWERS = KeptQuery(
    lambda attempt: Answer.objects.filter(assessment=attempt).values_list(*Line._fields), 1
)


class Sheet:
    """An attempt's answers as they were when it was made.

    Who writes on it must hold the attempt since before, as `Assessment.held` does.
    """

    def __init__(self, attempt: Assessment) -> None:
        self._attempt = attempt
        self._layout = attempt.content.layout
        rows = map(Line._make, _ANSWERS.rows(attempt.pk))
        self._lines = {line.position: line for line in rows}

    @property
    def answered_count(self) -> int:
        return sum(line.choice is not None for line in self._lines.values())

    @property
    def resume_position(self) -> int:
        """The page of the first unanswered question, or the section page before it."""
        waiting = [line.position for line in self._lines.values() if line.choice is None]
        position = min(waiting, default=len(self._lines) + 1)
        position = min(position, self._layout.total)
        return self._layout.section_at(position).page_first(position)

    def page(self, position: int) -> list[Answer]:
        """Return the answers, given or waiting, of the page on which a position stands."""
        positions = self._layout.section_at(position).page(position)
        return [self._answer(self._lines[each]) for each in positions if each in self._lines]

    def _answer(self, line: Line) -> Answer:
        answer = of_row(Answer, Line._fields, line)
        answer.assessment = self._attempt
        return answer

    def begin_section(self, position: int, at: datetime) -> None:
        """Do as `Assessment.begin_section` says."""
        begins_here = position == self._layout.section_at(position).first
        if not begins_here or self.answered_count < position - 1:
            raise NotShown
        self._show_page(position, at)

    def record(self, position: int, choices: Mapping[int, int], at: datetime) -> Recorded:
        """Do as `Assessment.record` says."""
        page = self.page(position)
        if not page or page[0].position != position:
            raise NotShown
        given = [answer for answer in page if answer.position in choices]
        self._store([answer for answer in given if answer.choose(choices[answer.position], at)], at)
        missing = tuple(answer.position for answer in page if answer.choice is None)
        if missing:
            return Recorded(missing, position)
        return Recorded((), self._follow(page[-1].position, at))

    def _store(self, changed: list[Answer], at: datetime) -> None:
        Answer.objects.store(changed, at)
        for answer in changed:
            line = self._lines[answer.position]
            self._lines[answer.position] = line._replace(choice=answer.choice)

    def _follow(self, last: int, at: datetime) -> int | None:
        """Return the position after an answered page, showing it or completing the attempt."""
        if last == self._layout.total:
            self._attempt.complete(at)
            return None
        if self._layout.section_at(last).last != last:
            self._show_page(last + 1, at)
        return last + 1

    def _show_page(self, first: int, at: datetime) -> None:
        """Create the answers of a page, if they do not exist."""
        if first in self._lines:
            return
        section = self._layout.section_at(first)
        taken = {
            line.item_id: line.choice
            for line in self._lines.values()
            if line.position >= section.first
        }
        attempt, new = self._attempt, []
        exposure = attempt.exposure(at)
        for position in section.page(first):
            item = attempt.content.next_item(
                section.code, taken, exposure=exposure, seed=f"{attempt.assessment_id} {position}"
            )
            taken[item.pk] = None
            new.append(Answer(assessment=attempt, position=position, item=item, shown_at=at))
        Answer.objects.bulk_create(new)
