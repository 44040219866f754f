"""Before the puzzles the page names the fields that the answers so far point to."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F, QuerySet
from django.utils import timezone

from assessments.models import Answer, Assessment
from partners.models import Project
from tests.assessments.attempts import issue, question_path
from tests.assessments.two_stages import STAGE_1, STAGE_2, answered_until, publish_field_bank
from tests.support.browser import Browser

PUZZLES = STAGE_1 + STAGE_2 + 1
SO_FAR = "So far you enjoy: <b>machines"

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def before_the_puzzles(project: Project, browser: Browser) -> Assessment:
    """Answer both stages of the browser's attempt with care, two minutes a page."""
    publish_field_bank()
    browser.start(issue(project)[1])
    attempt = answered_until(project, PUZZLES, Assessment.objects.get())
    Answer.objects.update(shown_at=F("shown_at") - timedelta(minutes=2))
    return attempt


def changed(queryset: QuerySet[Any], **values: object) -> Callable[[], object]:
    return lambda: queryset.all().update(**values)


@pytest.mark.parametrize(
    "change",
    [
        changed(Answer.objects.all(), answered_at=F("shown_at")),
        changed(Answer.objects.all(), choice=2 + F("position") % 3),
        changed(Assessment.objects.all(), moved_at=timezone.now(), moves=1),
    ],
    ids=["hasty answers", "no field stands out", "a move"],
)
def test_it_names_the_fields_that_stand_out_but_not_after(
    before_the_puzzles: Assessment, browser: Browser, change: Callable[[], object]
) -> None:
    page = browser.open(question_path(before_the_puzzles, PUZZLES))
    change()

    assert page.name == "section"
    assert SO_FAR in page.text
    assert "So far" not in browser.open(question_path(before_the_puzzles, PUZZLES)).text
