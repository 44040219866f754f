"""The answers of an attempt, stored page by page and read all at once."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import ClassVar, NamedTuple, Self

from django.db import connection, models
from django.db.models import Q

from assessments.models.banks import ItemBank
from assessments.models.items import Item
from measurement.layout import Section
from measurement.validity import AnsweredItem

# Django's bulk_update, a CASE for each row, takes 1.4 ms of CPU more for a page of six answers.
_STORE = "UPDATE assessments_answer SET choice=%s, answered_at=%s, language=%s WHERE id=%s"
# A constant, because compiling the ORM's query takes a sixth of a page.
_READ = """
SELECT id, position, item_id, choice, answered_at <= %s, replaced_at IS NOT NULL
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


class ShownAnswer(NamedTuple):
    """An answer as pages need it. Rows take a third of the time of models."""

    pk: int
    position: int
    item: Item
    choice: int | None
    is_hidden: bool = False  # given before another browser took over, which does not show it
    is_settled: bool = False  # a statement of stage 1, by which stage 2 has been chosen
    is_replacement: bool = False  # a puzzle in place of one with pictures

    @property
    def is_replaceable(self) -> bool:
        item = self.item
        return self.choice is None and item.uses_pictures and item.bank.can_replace_pictures

    @property
    def is_locked(self) -> bool:
        """Whether the choice is final, because the next questions depend on it."""
        return self.choice is not None and (self.item.is_aptitude or self.is_settled)


class AttemptAnswers:
    """The answers of one attempt, read at once. Those given up to `hidden_until` are hidden."""

    def __init__(self, attempt: int, bank: ItemBank, hidden_until: datetime | None) -> None:
        until = connection.ops.adapt_datetimefield_value(hidden_until)
        with connection.cursor() as cursor:
            cursor.execute(_READ, [until, attempt])
            rows = cursor.fetchall()
        self._bank, self._hidden_until = bank, hidden_until
        self._replaced = {position for _, position, *_, is_replaced in rows if is_replaced}
        # Whether stage 2 was shown, which makes the statements of stage 1 final.
        stage_2 = bank.layout.find(Item.Section.FIELDS)
        self.has_stage_2 = any(position == stage_2.first for _, position, *_ in rows)
        settled = Item.Section.INTERESTS.value if self.has_stage_2 else None
        self._answers: dict[int, ShownAnswer] = {}
        for pk, position, item_id, choice, is_hidden, is_replaced in rows:
            if not is_replaced:
                item = bank.items[item_id]
                marks = bool(is_hidden), item.section == settled, position in self._replaced
                self._answers[position] = ShownAnswer(pk, position, item, choice, *marks)

    @property
    def answered_count(self) -> int:
        return sum(answer.choice is not None for answer in self._answers.values())

    @property
    def resume_position(self) -> int:
        """The page of the first unanswered question, or the section page before it."""
        layout = self._bank.layout
        waiting = [each.position for each in self._answers.values() if each.choice is None]
        position = min(waiting, default=len(self._answers) + 1)
        position = min(position, layout.total)
        return layout.section_at(position).page_first(position)

    @property
    def avoid_pictures(self) -> bool:
        return bool(self._replaced)

    def page(self, position: int) -> list[ShownAnswer]:
        """Return the answers on the page of a position, also those without a choice."""
        positions = self._bank.layout.section_at(position).page(position)
        return [self._answers[each] for each in positions if each in self._answers]

    def page_to_record(self, position: int, *, is_replacement: bool) -> list[ShownAnswer]:
        """Return the page that begins at a position. Raise NotShown if another one was shown."""
        page = self.page(position)
        if not page or page[0].position != position or all(each.is_hidden for each in page):
            raise NotShown
        if page[0].is_replacement != is_replacement:
            raise NotShown
        return page

    def visible(self, position: int) -> list[ShownAnswer]:
        """Return the answers on the page of a position that this browser may see."""
        return [answer for answer in self.page(position) if not answer.is_hidden]

    def choices(self, section: Section) -> dict[str, int | None]:
        """Map the codes of the section's items so far to their choices, or None."""
        of_section = (each for each in self._answers.values() if each.item.section == section.code)
        return {answer.item.code: answer.choice for answer in of_section}

    def replace(self, answer: ShownAnswer, at: datetime) -> None:
        """Mark an answer without a choice as replaced. Its position becomes empty."""
        Answer.objects.current().filter(pk=answer.pk, choice=None).update(replaced_at=at)
        del self._answers[answer.position]
        self._replaced.add(answer.position)

    def store_choices(
        self, page: Sequence[ShownAnswer], choices: Mapping[int, int], at: datetime, language: str
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
                changed.append((choice, answered_at, language, answer.pk))
                is_hidden = self._hidden_until is not None and at <= self._hidden_until
                self._answers[answer.position] = answer._replace(choice=choice, is_hidden=is_hidden)
        if changed:  # in one round trip
            with connection.cursor() as cursor:
                cursor.executemany(_STORE, changed)
        return tuple(not_offered)

    @property
    def answered_by_section(self) -> Counter[str]:
        answered = (each for each in self._answers.values() if each.choice is not None)
        return Counter(each.item.section for each in answered)


class RecordedPage(NamedTuple):
    """A page after `Attempt.record`."""

    not_offered: tuple[int, ...]  # positions whose item does not offer the choice
    next_position: int | None  # its own while choices are missing, None after the last page
    answers: AttemptAnswers
