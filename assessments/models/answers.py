from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar, Self

from django.db import connection, models
from django.db.models import Q

from assessments.measurement.validity import Given
from assessments.models.items import Item

if TYPE_CHECKING:
    from assessments.models.banks import ItemBank

# Django's bulk_update, which writes a CASE for each row, costs ten times as much.
_STORE = "UPDATE assessments_answer SET choice = %s, answered_at = %s WHERE id = %s"


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
