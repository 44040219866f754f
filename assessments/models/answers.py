"""Answers of an attempt: read once, shown by pages, and written on while nobody else may."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

from django.db import connection, models
from django.db.models import Q

from assessments.measurement.validity import Given
from assessments.models.banks import ItemBank
from assessments.models.items import Item
from partners.kept_queries import KeptQuery, of_row

if TYPE_CHECKING:
    from assessments.models.attempts import Assessment

# Django's bulk_update, which writes a CASE for each row, costs ten times as much.
_STORE = "UPDATE assessments_answer SET choice = %s, answered_at = %s WHERE id = %s"


class NotShown(Exception):
    """The position has not been put before the student yet."""


@dataclass(frozen=True)
class Recorded:
    """What came of an answered page.

    `missing` are positions still without a choice; `next_position` is where to go, None at the end.
    """

    missing: tuple[int, ...]
    next_position: int | None


class AnswerQuerySet(models.QuerySet["Answer"]):
    def given(self) -> Self:
        return self.filter(choice__isnull=False)

    def given_on(self, bank: ItemBank) -> list[Given]:
        """Return one attempt's answers in their order, each with the seconds spent on it.

        The time of a page, from when it was shown to its last answer, is shared out equally.
        """
        answers = self.given().order_by("position").select_related(None)
        given: list[Given] = []
        for _, page in groupby(
            answers,
            key=lambda each: bank.layout.section_at(each.position).page_first(each.position),
        ):
            together = list(page)
            spent = [a.answered_at - a.shown_at for a in together if a.answered_at is not None]
            # A clock that jumped back must not count as haste, nor as less than nothing.
            seconds = max(0.0, max(spent).total_seconds()) / len(together)
            given += [
                Given(bank.items[answer.item_id].code, answer.choice, seconds)
                for answer in together
                if answer.choice is not None
            ]
        return given

    def waiting(self) -> Self:
        return self.filter(choice__isnull=True)

    def store(self, changed: Sequence[Answer], at: datetime) -> None:
        """Store the choices of these answers, in one trip to the database."""
        answered_at = connection.ops.adapt_datetimefield_value(at)
        rows = [(answer.choice, answered_at, answer.pk) for answer in changed]
        if rows:
            with connection.cursor() as cursor:
                cursor.executemany(_STORE, rows)


class Answer(models.Model):
    """One item's place in one attempt, and the choice once it is given."""

    assessment = models.ForeignKey(
        "assessments.Assessment", on_delete=models.PROTECT, related_name="answers", db_index=False
    )
    position = models.PositiveSmallIntegerField()
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+", db_index=False)
    shown_at = models.DateTimeField()
    choice = models.PositiveSmallIntegerField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    objects = AnswerQuerySet.as_manager()

    class Meta:
        default_permissions = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["assessment", "position"], name="answer_one_per_position"
            ),
            models.UniqueConstraint(fields=["assessment", "item"], name="answer_one_per_item"),
            models.CheckConstraint(
                condition=Q(choice__isnull=True, answered_at__isnull=True)
                | Q(choice__isnull=False, answered_at__isnull=False),
                name="answer_choice_iff_answered",
            ),
            models.CheckConstraint(condition=Q(position__gte=1), name="answer_position_from_1"),
        ]

    def __str__(self) -> str:
        return f"answer {self.position}"

    @property
    def asked(self) -> Item:
        """The item, from this process's memory."""
        return self.assessment.content.items[self.item_id]

    @property
    def is_locked(self) -> bool:
        """Whether the choice stands: the choice of the next aptitude item depends on it."""
        return self.choice is not None and self.asked.is_aptitude

    def choose(self, choice: int, at: datetime) -> bool:
        """Take a choice, not yet stored. Return False if one stands already that is not replaced.

        Raise ValueError if the item does not offer it.
        """
        if not self.asked.offers(choice):
            raise ValueError(f"position {self.position} does not offer {choice}")
        if self.is_locked or self.choice == choice:
            return False
        self.choice = choice
        self.answered_at = at
        return True


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
