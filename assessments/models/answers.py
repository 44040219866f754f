"""The answers of an attempt, stored page by page and read all at once."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import groupby, starmap
from typing import ClassVar, NamedTuple, Self

from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.models import Q

from assessments.models.banks import ItemBank
from assessments.models.items import Item
from measurement.layout import Section
from measurement.validity import AnsweredItem

# Django's bulk_update, a CASE for each row, takes 1.4 ms of CPU more for a page of six answers.
_STORE = "UPDATE assessments_answer SET choice=%s, answered_at=%s, language=%s WHERE id=%s"
# A constant, because compiling the ORM's query takes a sixth of a page. The columns of AnswerRow.
_READ = """
SELECT id, attempt_id, position, item_id, choice, replaced_at IS NOT NULL, answered_at <= %s
FROM assessments_answer WHERE attempt_id = %s
"""


class NotShown(Exception):
    """This is not a page to answer: not shown yet, hidden, or replaced by another puzzle."""


class AnswerQuerySet(models.QuerySet["Answer"]):
    def current(self) -> Self:
        """Return one answer a position: replaced puzzles do not count."""
        return self.filter(replaced_at=None)

    def given(self) -> Self:
        return self.current().filter(choice__isnull=False)

    def answered_items(self, bank: ItemBank) -> list[AnsweredItem]:
        """Return the answers in order. The seconds spent on a page are divided equally."""
        section_at, answered = bank.layout.section_at, []
        for _, page in groupby(
            self.given().order_by("position"),
            key=lambda each: section_at(each.position).page_first(each.position),
        ):
            together = list(page)
            spent = [a.answered_at - a.shown_at for a in together if a.answered_at is not None]
            # A clock set back must not give negative times.
            seconds = max(0.0, max(spent).total_seconds()) / len(together)
            answered += [
                AnsweredItem(bank.items[answer.item_id].code, answer.choice, seconds)
                for answer in together
                if answer.choice is not None
            ]
        return answered


class Answer(models.Model):
    """The item at a position of an attempt, and the choice once it is made."""

    attempt = models.ForeignKey(
        "assessments.Attempt", on_delete=models.PROTECT, related_name="answers", db_index=False
    )
    position = models.PositiveSmallIntegerField()
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+", db_index=False)
    shown_at = models.DateTimeField()
    choice = models.PositiveSmallIntegerField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    language = models.CharField(
        max_length=8, blank=True, default="", help_text="In which it was read when it was answered."
    )
    replaced_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When another puzzle took its place, as the student could not see the pictures.",
    )

    objects = AnswerQuerySet.as_manager()

    class Meta:
        default_permissions = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["attempt", "position"],
                name="answer_one_current_per_position",
                condition=Q(replaced_at__isnull=True),
            ),
            models.UniqueConstraint(fields=["attempt", "item"], name="answer_one_per_item"),
            models.CheckConstraint(
                condition=Q(choice__isnull=True, answered_at__isnull=True, language="")
                | Q(choice__isnull=False, answered_at__isnull=False) & ~Q(language=""),
                name="answer_choice_iff_answered",
            ),
            models.CheckConstraint(condition=Q(position__gte=1), name="answer_position_from_1"),
            models.CheckConstraint(
                condition=Q(replaced_at__isnull=True) | Q(choice__isnull=True),
                name="answer_replaced_has_no_choice",
            ),
        ]

    def __str__(self) -> str:
        return f"answer {self.position}"

    # Set by AttemptAnswers.
    is_settled = False  # a statement of stage 1, by which stage 2 has been chosen
    is_hidden = False  # given before another browser took over, which does not show it
    is_replacement = False  # a puzzle in place of one with pictures

    @property
    def is_replaceable(self) -> bool:
        item = self.item
        return self.choice is None and item.uses_pictures and item.bank.can_replace_pictures

    @property
    def is_locked(self) -> bool:
        """Whether the choice is final, because the next questions depend on it."""
        return self.choice is not None and (self.item.is_aptitude or self.is_settled)


class AnswerRow(NamedTuple):
    """What pages need, first of all COLUMNS. Rows take a third of the time of models."""

    id: int
    attempt_id: int
    position: int
    item_id: int
    choice: int | None
    is_replaced: bool
    is_hidden: bool | None


COLUMNS = AnswerRow._fields[:5]


class AttemptAnswers:
    """The answers of one attempt, read at once. Those given up to `hidden_until` are hidden."""

    def __init__(self, attempt: int, bank: ItemBank, hidden_until: datetime | None) -> None:
        until = connection.ops.adapt_datetimefield_value(hidden_until)
        with connection.cursor() as cursor:
            cursor.execute(_READ, [until, attempt])
            stored = list(starmap(AnswerRow, cursor.fetchall()))
        self._rows = {row.position: row for row in stored if not row.is_replaced}
        self._replaced = {row.position for row in stored if row.is_replaced}
        self._bank = bank
        self._hidden_until = hidden_until

    @property
    def answered_count(self) -> int:
        return sum(row.choice is not None for row in self._rows.values())

    @property
    def has_begun(self) -> bool:
        return bool(self._rows)

    @property
    def resume_position(self) -> int:
        """The page of the first unanswered question, or the section page before it."""
        layout = self._bank.layout
        waiting = [row.position for row in self._rows.values() if row.choice is None]
        position = min(waiting, default=len(self._rows) + 1)
        position = min(position, layout.total)
        return layout.section_at(position).page_first(position)

    @cached_property
    def has_stage_2(self) -> bool:
        """Whether stage 2 was shown, which makes the statements of stage 1 final."""
        return self._bank.layout.find(Item.Section.FIELDS).first in self._rows

    @property
    def avoid_pictures(self) -> bool:
        return bool(self._replaced)

    def page(self, position: int) -> list[Answer]:
        """Return the answers on the page of a position, also those without a choice."""
        positions = self._bank.layout.section_at(position).page(position)
        return [self._answer(self._rows[each]) for each in positions if each in self._rows]

    def _answer(self, row: AnswerRow) -> Answer:
        answer = Answer.from_db(DEFAULT_DB_ALIAS, COLUMNS, row[: len(COLUMNS)])
        answer.item = self._bank.items[row.item_id]
        answer.is_settled = self.has_stage_2 and answer.item.section == Item.Section.INTERESTS
        answer.is_hidden = bool(row.is_hidden)
        answer.is_replacement = row.position in self._replaced
        return answer

    def page_to_record(self, position: int, *, is_replacement: bool) -> list[Answer]:
        """Return the page that begins at a position. Raise NotShown if another one was shown."""
        page = self.page(position)
        if not page or page[0].position != position or all(each.is_hidden for each in page):
            raise NotShown
        if page[0].is_replacement != is_replacement:
            raise NotShown
        return page

    def visible(self, position: int) -> list[Answer]:
        """Return the answers on the page of a position that this browser may see."""
        return [answer for answer in self.page(position) if not answer.is_hidden]

    def shows(self, position: int) -> bool:
        """Return whether this browser may see an answer on the page of a position."""
        positions = self._bank.layout.section_at(position).page(position)
        return any(each in self._rows and not self._rows[each].is_hidden for each in positions)

    def choices(self, section: Section) -> dict[int, int | None]:
        """Map the keys of the section's items so far to their choices, or None."""
        return {
            row.item_id: row.choice
            for row in self._rows.values()
            if section.first <= row.position <= section.last
        }

    def replace(self, answer: Answer, at: datetime) -> None:
        """Mark an answer without a choice as replaced. Its position becomes empty."""
        Answer.objects.current().filter(pk=answer.pk, choice=None).update(replaced_at=at)
        del self._rows[answer.position]
        self._replaced.add(answer.position)

    def store_choices(
        self, page: Sequence[Answer], choices: Mapping[int, int], at: datetime, language: str
    ) -> tuple[int, ...]:
        """Return positions whose item does not offer the choice. Final and hidden answers stay."""
        answered_at = connection.ops.adapt_datetimefield_value(at)
        changed, not_offered = [], []
        for answer in page:
            if answer.position not in choices or answer.is_settled or answer.is_hidden:
                continue
            choice = choices[answer.position]
            if not answer.item.offers(choice):
                not_offered.append(answer.position)
            elif not answer.is_locked and answer.choice != choice:
                answer.choice, answer.answered_at = choice, at
                changed.append((choice, answered_at, language, answer.pk))
                row = self._rows[answer.position]
                is_hidden = self._hidden_until is not None and at <= self._hidden_until
                self._rows[answer.position] = row._replace(choice=choice, is_hidden=is_hidden)
        if changed:  # in one round trip
            with connection.cursor() as cursor:
                cursor.executemany(_STORE, changed)
        return tuple(not_offered)

    @property
    def answered_by_section(self) -> dict[str, int]:
        return {
            section.code: sum(choice is not None for choice in self.choices(section).values())
            for section in self._bank.layout.sections
        }


class RecordedPage(NamedTuple):
    """A page after `Attempt.record`."""

    not_offered: tuple[int, ...]  # positions whose item does not offer the choice
    next_position: int | None  # its own while choices are missing, None after the last page
    answers: AttemptAnswers
