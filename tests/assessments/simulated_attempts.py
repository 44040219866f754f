"""Completed attempts of made-up students, written to the database in one go."""

import random
import secrets
from datetime import UTC, datetime, timedelta

from assessments.made_up.students import answer_all, careful, careless
from assessments.models import Answer, Attempt
from assessments.models.catalogue_snapshots import CatalogueSnapshot
from measurement.profile import score_attempt
from measurement.validity import AnsweredItem
from tests.assessments.attempts import issue
from tests.factories import AttemptFactory

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
PUZZLE_SECONDS, STATEMENT_SECONDS = 30.0, 4.0


def simulate_attempts(project, bank, count, *, language="en", straight=False):
    """Simulate students who answer the whole bank; `straight` answers are flagged."""
    draw = random.Random(f"sittings {bank.version}")
    link, _ = issue(project, AT, email=f"{secrets.token_hex(8)}@example.com")
    catalogue = CatalogueSnapshot.objects.current(project)
    attempts, answers = [], []
    for number in range(count):
        attempt = AttemptFactory.build(
            is_completed=True,
            student=link.student,
            bank=bank,
            language=language,
            started_at=AT,
            completed_at=AT + timedelta(minutes=20),
            catalogue=catalogue,
        )
        given = []
        choose = careless if straight else careful(bank.scoring, draw)
        for position, each in enumerate(answer_all(bank, choose, str(number)), 1):
            item = bank.by_code[each.code]
            seconds = PUZZLE_SECONDS if item.is_aptitude else STATEMENT_SECONDS
            page = seconds * bank.layout.section_at(position).per_page
            answers.append(
                Answer(
                    attempt=attempt,
                    position=position,
                    item=item,
                    choice=each.choice,
                    shown_at=AT,
                    answered_at=AT + timedelta(seconds=page),
                    language=language,
                )
            )
            given.append(AnsweredItem(each.code, each.choice, seconds))
        attempt.profile = score_attempt(bank.scoring, given).to_json()
        attempts.append(attempt)
    Attempt.objects.bulk_create(attempts)
    Answer.objects.bulk_create(answers)
    return attempts
