"""Attempts on the bank that asks in two stages."""

import json
import secrets

from assessments.banks import SHIPPED
from assessments.models import Attempt, ItemBank
from tests.assessments.attempts import started
from tests.factories import BY

STAGE_1, STAGE_2 = 37, 25
# Loves machines, likes computers, hates offices, and does what the checks ask.
ANSWERS = {"machines": 5, "computers": 4, "office": 1}


WHOLE = json.loads(SHIPPED.read_bytes())
# The shipped bank with a seventh of its puzzles: it is stored in a quarter of the time.
FIELD_BANK = WHOLE | {
    "items": [item for item in WHOLE["items"] if "family" not in item or item["order"] % 7 == 0]
}


def publish_field_bank(data=FIELD_BANK):
    bank, _ = ItemBank.objects.publish(data, shipped=True, by=BY)
    bank.make_current(by=BY)
    return bank


def answer_page(attempt, position):
    """Answer the page that begins at a position, beginning its section first if it must."""
    section = attempt.cached_bank.layout.section_at(position)
    if position == section.first:
        attempt.begin_section(position)
    choices = {
        answer.position: choice_of(answer.item) for answer in attempt.read_answers().page(position)
    }
    return attempt.record(position, choices).next_position


def choice_of(item):
    if "expected" in item.content:
        return int(item.content["expected"])
    if item.section == "aptitude":
        return int(item.key)
    fields = item.content.get("fields", [item.scale])
    return next((ANSWERS[field] for field in fields if field in ANSWERS), 3)


def answered_until(project, position, attempt=None):
    """Return an attempt, by default a new student's, whose pages before a position are answered."""
    attempt = attempt or started(project, email=f"{secrets.token_hex(8)}@example.com")
    page = 1
    while page is not None and page < position:
        page = answer_page(attempt, page)
    return Attempt.objects.get(pk=attempt.pk)
