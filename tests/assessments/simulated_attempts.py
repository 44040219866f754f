"""Completed attempts of made-up students, written to the database in one go."""

import random
import secrets
from datetime import UTC, datetime, timedelta
from statistics import fmean

from assessments.models import Answer, Attempt
from assessments.models.catalogue_snapshots import CatalogueSnapshot
from measurement.ability import probability
from measurement.fields import fields_to_ask
from measurement.profile import score_attempt
from measurement.scales import INSTRUCTED
from measurement.validity import AnsweredItem
from tests.assessments.attempts import issue

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
PUZZLE_SECONDS, STATEMENT_SECONDS = 30.0, 4.0


def simulate_attempts(project, bank, count, *, language="en", straight=False):
    """Simulate students who answer what the bank gives them, with care.

    Stage 2 asks about their leading fields, and puzzles are drawn at random. Their statements go up
    and down; `straight` ones give one answer to all, which is flagged.
    """
    draw = random.Random(f"sittings {bank.version}")
    link, _ = issue(project, AT, email=f"{secrets.token_hex(8)}@example.com")
    sections = {section.code: section for section in bank.layout.sections}
    catalogue = CatalogueSnapshot.objects.current(project)
    attempts, answers = [], []
    for _ in range(count):
        theta, likes = draw.gauss(0, 1), {s: draw.gauss(3.2, 0.9) for s in bank.scoring.norms}
        likes |= {
            field: fmean(likes[each] for each in types)
            for field, types in bank.scoring.fields.items()
        }
        attempt = Attempt(
            student=link.student,
            project_id=link.student.project_id,
            bank=bank,
            language=language,
            browser_digest=secrets.token_hex(32),
            consent_version="test",
            consented_at=AT,
            started_at=AT,
            finish_by_at=AT + timedelta(days=1),
            completed_at=AT + timedelta(minutes=20),
            recommendations=[],
            catalogue=catalogue,
        )
        given = []
        for position in range(1, bank.layout.total + 1):
            section = bank.layout.section_at(position)
            if position == section.first:
                items = asked(bank, section, given, draw)
            item = items[position - section.first]
            if item.is_aptitude:
                assert item.key is not None
                parameters = bank.scoring.aptitude[item.code]
                right = probability(theta, parameters.a, parameters.b, parameters.c)
                choice = item.key if draw.random() < right else 0
                seconds = PUZZLE_SECONDS
            elif "expected" in item.content and not straight:
                choice, seconds = item.content["expected"], STATEMENT_SECONDS
            else:
                liked = 4 if straight else round(likes[item.scale] + draw.gauss(0, 0.4))
                choice = max(1, min(5, liked))
                seconds = STATEMENT_SECONDS
            page = seconds * sections[item.section].per_page
            answers.append(
                Answer(
                    attempt=attempt,
                    position=position,
                    item=item,
                    choice=choice,
                    shown_at=AT,
                    answered_at=AT + timedelta(seconds=page),
                    language=language,
                )
            )
            given.append(AnsweredItem(item.code, choice, seconds))
        attempt.profile = score_attempt(bank.scoring, given).to_json()
        attempts.append(attempt)
    Attempt.objects.bulk_create(attempts)
    Answer.objects.bulk_create(answers)
    return attempts


def asked(bank, section, given, draw):
    """Return the items of a section for a student with these answers so far."""
    items = list(bank.items_by_section[section.code].values())
    if section.code == "fields":
        leading = fields_to_ask(bank.scoring, {each.code: each.choice for each in given})
        return [item for item in items if item.scale in (*leading, INSTRUCTED)]
    count = section.last - section.first + 1
    return items if len(items) == count else draw.sample(items, count)
