"""Attempts on the banks that shipped before go on, end, and are read and scored as they were.

`attempts-2026.2.json` and `attempts-2026.3.json` have attempts with their results, stored by the
releases that shipped these banks.
"""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from assessments.banks import EARLIER, REWORDED, SHIPPED
from assessments.models import Answer, Assessment, CatalogueSnapshot, Course, ItemBank
from partners.models import Project
from tests.assessments.attempts import answer_until, issue, started, use
from tests.factories import CourseFactory
from tests.support.browser import Browser

AT = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
STORED: dict[str, dict[str, Any]] = {
    bank.stem: json.loads((Path(__file__).parent / "data" / f"attempts-{bank.name}").read_bytes())
    for bank in (EARLIER, REWORDED)
}
FIRST_PUZZLE = 51

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def made_current(file: Path) -> ItemBank:
    """Return a bank that shipped, published and current."""
    bank, _ = ItemBank.objects.publish(
        json.loads(file.read_bytes()), shipped=True, actor="command:tests", at=AT
    )
    bank.make_current(actor="command:tests", at=AT)
    return bank


@pytest.fixture
def earlier() -> ItemBank:
    """Give the bank that ranks by types, published and current."""
    return made_current(EARLIER)


@pytest.fixture
def reworded() -> ItemBank:
    """Give the bank that asks the same in other words, published and current."""
    return made_current(REWORDED)


@pytest.fixture
def courses(project: Project) -> list[Course]:
    """Give the project the courses of the stored attempts."""
    interests = ("realistic", "investigative", "artistic", "social", "enterprising", "conventional")
    return [
        CourseFactory.create(
            project=project,
            code=course["code"],
            name=course["name"],
            order=course["order"],
            **dict(zip(interests, course["ratings"], strict=True)),
        )
        for course in STORED[EARLIER.stem]["catalogue"]
    ]


def upgrade() -> None:
    """Load the bank that ships now, as a release does."""
    call_command("load_items", stdout=io.StringIO(), stderr=io.StringIO())
    assert str(ItemBank.objects.current()) == "2026.4"


def restored(project: Project, stored: dict[str, Any]) -> Assessment:
    """Return the attempt with its answers and result as they were stored."""
    attempt = use(issue(project, AT, email=f"{stored['assessment_id']}@example.com")[0], at=AT)
    items = {item.code: item for item in attempt.content.items.values()}
    Answer.objects.bulk_create(
        Answer(
            assessment=attempt,
            position=position,
            item=items[code],
            choice=choice,
            shown_at=AT + timedelta(seconds=shown),
            answered_at=AT + timedelta(seconds=answered),
        )
        for position, (code, choice, shown, answered) in enumerate(stored["answers"], start=1)
    )
    snapshot, _ = CatalogueSnapshot.objects.get_or_create(
        project=project,
        digest="0" * 64,
        defaults={"courses": STORED[stored["bank"]]["catalogue"], "taken_at": AT},
    )
    Assessment.objects.filter(pk=attempt.pk).update(
        completed_at=stored["completed_at"],
        profile=stored["profile"],
        recommendations=stored["recommendations"],
        catalogue=snapshot,
    )
    attempt.refresh_from_db()
    return attempt


@pytest.mark.parametrize(
    "stored",
    [attempt for bank in STORED.values() for attempt in bank["attempts"]],
    ids=lambda stored: stored["who"],
)
def test_its_results_are_rescored_without_a_difference(
    project: Project, stored: dict[str, Any]
) -> None:
    made_current(SHIPPED.with_name(f"{stored['bank']}.json"))
    attempt = restored(project, stored)
    upgrade()

    profile, recommendations = attempt.rescore()

    assert profile == stored["profile"]
    assert recommendations == stored["recommendations"]
    call_command("rescore", "--all", stdout=io.StringIO(), stderr=io.StringIO())


@pytest.mark.slow
def test_an_attempt_that_began_before_the_upgrade_is_continued_and_completed_on_its_bank(
    earlier: ItemBank, project: Project, courses: list[Course], browser: Browser
) -> None:
    browser.start(issue(project)[1])
    attempt = Assessment.objects.get()
    answer_until(attempt, FIRST_PUZZLE + 3, choice=3)
    upgrade()

    resumed = browser.open(f"/{project.project_id}/assessment")
    page = browser.finish(resumed, choice=1)

    attempt.refresh_from_db()
    assert resumed.place == f"/{FIRST_PUZZLE + 4}"
    assert page.name == "result"
    assert attempt.bank == earlier
    assert attempt.read_answers().answered_count == 90
    assert attempt.leading_fields is None
    assert attempt.profile is not None
    assert "fields" not in attempt.profile
    names = [course["name"] for course in attempt.recommendations or []]
    assert len(names) == 5
    assert all(name in page.text for name in names)
    assert attempt.rescore() == (attempt.profile, attempt.recommendations)


@pytest.mark.slow
def test_an_attempt_keeps_the_words_that_it_began_with(
    reworded: ItemBank, project: Project, browser: Browser
) -> None:
    CourseFactory.create(project=project)
    browser.start(issue(project)[1])
    attempt = Assessment.objects.get()
    answer_until(attempt, 8, choice=4)
    upgrade()

    resumed = browser.open(f"/{project.project_id}/assessment")
    page = browser.finish(resumed, choice=4)

    attempt.refresh_from_db()
    assert resumed.place == "/9"
    assert "Strongly like" in resumed.text
    assert "Love it" not in resumed.text
    assert page.name == "result"
    assert attempt.bank == reworded
    assert attempt.rescore() == (attempt.profile, attempt.recommendations)
    assert attempt.rescore(ItemBank.objects.current()) == attempt.rescore()


def test_a_new_attempt_after_the_upgrade_is_on_the_new_bank(
    earlier: ItemBank, project: Project
) -> None:
    before = started(project)
    upgrade()
    after = started(project, email="somebody.else@example.com")

    assert (str(before.bank), str(after.bank)) == ("2026.2", "2026.4")
