"""Attempts at a picture puzzle, and at what comes in its place."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from assessments.models import Answer, Assessment, Item, ItemBank
from partners.models import Project
from tests.assessments.attempts import answer_until, started

# The first puzzle of the small bank.
FIRST, PUZZLES = 25, 12
CIRCLE = {"kind": "cell", "cell": {"shape": "circle", "fill": "empty"}}


def publish_picture_bank(small_bank: Mapping[str, Any]) -> ItemBank:
    """Return the small bank with twice as many series and with matrices, made current."""
    data = copy.deepcopy({**small_bank, "version": "pictures"})
    data["items"] = [
        item for item in data["items"] if item.get("family") not in {"matrices", "data"}
    ]
    series = [item for item in data["items"] if item.get("family") == "series"]
    for number, item in enumerate(series):
        more = {**item, "code": f"{item['code']}-more", "order": 100 + number}
        drawn = {**item, "code": f"apt-matrices-{number}", "order": 200 + number}
        drawn["family"] = "matrices"
        drawn["options"] = [
            {"value": value, "label": {"en": "ABCDE"[value - 1]}, "figure": CIRCLE}
            for value in range(1, 6)
        ]
        data["items"] += [more, drawn]
    words = {name: {"en": name} for name in ("title", "answer", "explanation")}
    section = next(each for each in data["sections"] if each["code"] == "aptitude")
    section["examples"] = [{"text": drawn["text"], "options": drawn["options"], **words}]
    data["facets"] = {"abstract": ["matrices", "series"], "verbal": ["patterns"]}
    bank, _ = ItemBank.objects.publish(data, actor="command:tests")
    bank.make_current(actor="command:tests")
    return bank


def at_picture_puzzle(project: Project, position: int = FIRST, **details: str) -> Assessment:
    """Return an attempt whose puzzle at a position has pictures, as those before it have not."""
    attempt = answer_until(started(project, **details), FIRST - 1)
    attempt.begin_section(FIRST)
    for each in range(FIRST, position):
        attempt.record(each, {each: 1})
    show_pictures(attempt, position)
    return attempt


def show_pictures(attempt: Assessment, position: int) -> None:
    """Show a picture puzzle that was not shown before at a position."""
    shown = attempt.answers.values("item")
    pictures = Item.objects.filter(bank=attempt.bank, scale="matrices").exclude(pk__in=shown)
    attempt.answers.current().filter(position=position).update(item=pictures[0])


def replaced(attempt: Assessment, position: int, at: datetime) -> tuple[Answer, Answer]:
    """Replace the puzzle at a position; return the old and the new one."""
    attempt.replace_puzzle(position, at)
    old, new = attempt.answers.filter(position=position).order_by("pk").select_related("item__bank")
    return old, new


def finish(attempt: Assessment, position: int) -> Assessment:
    """Answer everything from a position on."""
    page: int | None = position
    layout = attempt.content.layout
    while page is not None:
        if page == layout.section_at(page).first:
            attempt.begin_section(page)
        answers = attempt.read_answers().page(page)
        page = attempt.record(
            page,
            {answer.position: 1 + answer.position % 5 for answer in answers},
            is_replacement=answers[0].is_replacement,
        ).next_position
    attempt.refresh_from_db()
    return attempt
