"""Another puzzle in place of one with pictures, for a student who can't see them."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from assessments.models.answers import NotShown
from assessments.models.attempts import Assessment


@transaction.atomic
def replace_puzzle(attempt: Assessment, position: int, at: datetime) -> None:
    """Replace the unanswered picture puzzle at a position; the attempt gets no more of them.

    Idempotent: an answered puzzle stays, and so does the one that took another's place. Raises what
    `Assessment.lock` raises, or NotShown if the position was not shown.
    """
    attempt.lock(at)
    answers = attempt.read_answers()
    page = answers.page(position)
    if not page:
        raise NotShown
    [answer] = page[:1]
    if answer.is_replaceable:
        answers.replace(answer, at)
        attempt.show_page(answers, position, at)
