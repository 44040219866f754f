"""The answers of all students without their names, for the analysis of items in `lab/`.

Nothing in the file tells when an attempt took place, or that two attempts are those of one student.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple, Unpack

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from assessments.models import Answer, Assessment, ItemBank
from partners.models import AuditEvent
from partners.models.audit import ActorContext

ACTION = "answers.exported"
AT_A_TIME = 200
NUMBERS = 10**15
READ = ("bank", "language", "completed_at", "leading_fields", "profile")
COLUMNS = (
    *("attempt", "bank", "completed", "valid", "leading_fields", "position", "item", "choice"),
    *("seconds", "language", "replaced"),
)


class Row(NamedTuple):
    assessment: int
    position: int
    item: int
    shown_at: datetime
    choice: int | None
    answered_at: datetime | None
    language: str
    replaced_at: datetime | None


def answers(
    banks: Sequence[ItemBank], *, at: datetime | None = None, **context: Unpack[ActorContext]
) -> Iterator[tuple[Any, ...]]:
    """Record the export in the audit trail, and return a row for each question shown.

    The attempts on these banks have ended; those of test projects and of erased students are left
    out. Each has a random number, another one in each export, and stands at its place.
    """
    at = at or timezone.now()
    found = (
        Assessment.objects.finished(at)
        .without_tests()
        .filter(student__email_key__contains="@")  # erasure leaves a number in its place
    )
    keys: list[int] = []
    with transaction.atomic():
        for bank in banks:
            own = list(found.filter(bank=bank).values_list("pk", flat=True))
            AuditEvent.record(ACTION, bank, reason=f"attempts {len(own)}", at=at, **context)
            keys += own
    numbers = random.SystemRandom().sample(range(NUMBERS), len(keys))
    return _rows(found, sorted(zip(numbers, keys, strict=True)))


def _rows(
    found: QuerySet[Assessment], numbered: Sequence[tuple[int, int]]
) -> Iterator[tuple[Any, ...]]:
    for start in range(0, len(numbered), AT_A_TIME):
        batch = numbered[start : start + AT_A_TIME]
        # A student erased during the export is no longer found.
        attempts = found.only(*READ).in_bulk([key for _, key in batch])
        stored = Answer.objects.filter(assessment__in=attempts).order_by("assessment", "position")
        rows = map(Row._make, stored.values_list(*Row._fields))
        shown = {key: list(own) for key, own in groupby(rows, key=lambda row: row.assessment)}
        for number, key in batch:
            if key in attempts:
                for cells in _attempt(attempts[key], shown.get(key, [])):
                    yield number, *cells


def _attempt(attempt: Assessment, rows: Sequence[Row]) -> Iterator[tuple[Any, ...]]:
    bank = attempt.cached_bank
    is_completed = attempt.completed_at is not None
    common = (
        bank.version,
        int(is_completed),
        int(is_completed and not attempt.flags),
        " ".join(attempt.leading_fields or ()),
    )
    seconds = _seconds(bank, rows)
    for row in rows:
        is_replaced = row.replaced_at is not None
        yield (
            *common,
            row.position,
            bank.items[row.item].code,
            "" if row.choice is None else row.choice,
            "" if row.choice is None else seconds[_page(bank, row)],
            row.language or attempt.language,
            int(is_replaced),
        )


def _seconds(bank: ItemBank, rows: Sequence[Row]) -> dict[int, int]:
    """Return the seconds of each answer by page: those of the page, divided equally."""
    spent: dict[int, list[float]] = {}
    for row in rows:
        if row.answered_at is not None:
            took = (row.answered_at - row.shown_at).total_seconds()
            spent.setdefault(_page(bank, row), []).append(took)
    # A clock set back must not give negative times.
    return {page: round(max(0.0, *took) / len(took)) for page, took in spent.items()}


def _page(bank: ItemBank, row: Row) -> int:
    return bank.layout.section_at(row.position).page_first(row.position)
