"""What a private link opens: the shared part of one result, to whoever has the link."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape
from pytest_django import Settings

from assessments import explanation
from assessments.catalogue.courses_file import parse
from assessments.measurement.reason_wording import PAGE_NOTE_WORDS
from assessments.measurement.reasons import Point
from assessments.models import Assessment, PrivateLink
from assessments.models.catalogues import Catalogue
from assessments.models.dismissals import dismiss
from assessments.models.retention import purge
from config.management.commands.demo import COURSES
from partners.models import Project
from tests.assessments.attempts import completed, issue, liking, marked_completed, started
from tests.factories import ProjectFactory
from tests.support.browser import Browser

WELL_FORMED = "A" * 43
ROBOTS = [
    "WhatsApp/2.23.20.0",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "TelegramBot (like TwitterBot)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; Microsoft Safe Links)",
]

WELL = Point("well", "numerical", rating=1, band="higher", importance=2).to_json()
LEVEL = Point("level_overall", "verbal", rating=3, band="lower", importance=2).to_json()

pytestmark = [pytest.mark.sqlite, pytest.mark.usefixtures("bank")]


@pytest.fixture
def result(project: Project, browser: Browser) -> Assessment:
    """Give an attempt that was completed with courses to recommend."""
    Catalogue(project).load(parse(COURSES.read_bytes()), actor="command:tests")
    browser.start(issue(project, name="Asha Padmini Rao")[1])
    return completed(Assessment.objects.get(), choice=liking("realistic"))


@pytest.fixture
def attempt(project: Project) -> Assessment:
    """Give a completed attempt whose page no test opens."""
    return marked_completed(started(project))


def shared(attempt: Assessment, *, with_puzzles: bool = False) -> str:
    """Make a link and return its path and query."""
    newest = PrivateLink.objects.newest_of(attempt)
    seen = newest.version if newest else ""
    _, key = PrivateLink.objects.make(attempt, with_puzzles=with_puzzles, seen=seen)
    return f"{address(attempt.student.project)}?key={key}"


def address(project: Project) -> str:
    return reverse("private-result", args=[project.project_id])


def rows() -> dict[Any, list[str]]:
    models = apps.get_app_config("assessments").get_models()
    return {model: sorted(map(repr, model._base_manager.values())) for model in models}


def test_it_shows_first_name_courses_and_reasons_in_any_browser(
    result: Assessment, other_browser: Browser
) -> None:
    page = other_browser.get(shared(result))

    assert (page.status, page.name) == (200, "private-result")
    assert "Asha" in page.text
    assert "Padmini" not in page.text
    for name in result.recommended_names:
        assert name in page.text
    assert page.forms == []


def test_what_rests_on_the_puzzles_is_shown_only_if_the_student_ticked_it(
    result: Assessment, other_browser: Browser
) -> None:
    course = {**result.recommendations[0], "reasons": [WELL], "counterpoint": LEVEL}
    Assessment.objects.update(recommendations=[course, *result.recommendations[1:]])
    said = explanation.texts(course, "en")
    of_puzzles = [*said["reasons"], said["counterpoint"], "How you reason"]
    assert len(of_puzzles) == 3

    closed = other_browser.get(shared(result)).text
    ticked = other_browser.get(shared(result, with_puzzles=True)).text

    assert [text for text in of_puzzles if escape(text) in closed] == []
    assert [text for text in of_puzzles if escape(text) in ticked] == of_puzzles
    assert course["name"] in closed


def test_it_says_nothing_of_careless_answers(result: Assessment, other_browser: Browser) -> None:
    assert result.flags
    said = PAGE_NOTE_WORDS["en"]["flagged"]

    page = other_browser.get(shared(result, with_puzzles=True))

    assert escape(said) not in page.text


def test_it_keeps_its_address_to_itself(result: Assessment, other_browser: Browser) -> None:
    url = shared(result)

    page = other_browser.get(url)

    headers = page.response.headers
    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "noindex" in headers["X-Robots-Tag"]
    assert '<meta name="robots" content="noindex">' in page.text
    assert url.partition("?key=")[2] not in page.text


def test_neither_title_nor_description_has_a_name(
    result: Assessment, other_browser: Browser
) -> None:
    text = other_browser.get(shared(result)).text

    head = text.partition("</head>")[0]
    assert "Asha" not in head
    assert re.search(r'<meta name="description"\s+content="[^"]{20,}">', head)


def test_fetches_of_robots_change_no_row(result: Assessment, other_browser: Browser) -> None:
    url = shared(result)
    before = rows()

    for agent in ROBOTS:
        fetched = other_browser.get(url, HTTP_USER_AGENT=agent)
        asked = other_browser.client.head(url, HTTP_USER_AGENT=agent)
        assert fetched.status == asked.status_code == 200

    assert rows() == before


def test_another_student_s_cookie_is_neither_read_nor_set(
    result: Assessment, project: Project, other_browser: Browser
) -> None:
    other_browser.start(issue(project, email="zoya@example.com", name="Zoya Khan")[1])
    url, before = shared(result), other_browser.cookies
    plain = Browser().get(url)

    page = other_browser.get(url)

    assert page.text == plain.text
    assert "Zoya" not in page.text
    assert not page.response.cookies
    assert not plain.response.cookies
    assert other_browser.cookies == before


def test_a_form_sent_to_it_is_refused(result: Assessment, browser: Browser) -> None:
    page = browser.post(shared(result), {"assessment": result.assessment_id})

    assert page.status == 405


def end(result: Assessment) -> None:
    assert PrivateLink.objects.end(result)


def make_another(result: Assessment) -> None:
    shared(result)


def expire(result: Assessment) -> None:
    earlier = timezone.now() - timedelta(days=91)
    PrivateLink.objects.update(created_at=earlier, expires_at=earlier + timedelta(days=90))


def erase(result: Assessment) -> None:
    result.student.erase(actor="command:tests")


def purge_it(result: Assessment) -> None:
    Assessment.objects.update(completed_at=timezone.now() - timedelta(days=900))
    assert list(purge(timezone.now(), actor="command:tests"))


@pytest.mark.parametrize("ending", [end, make_another, expire, erase, purge_it])
def test_one_that_has_ended_looks_like_one_that_never_was(
    attempt: Assessment, ending: Callable[[Assessment], None], other_browser: Browser
) -> None:
    url = shared(attempt)
    unknown = other_browser.get(f"{address(attempt.student.project)}?key={WELL_FORMED}")
    ending(attempt)

    page = other_browser.get(url)

    assert (page.status, page.name) == (404, "error-404")
    assert page.text == unknown.text
    assert page.response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "query",
    ["", "key", "key=", "key=abc", f"key={'A' * 44}", f"key={WELL_FORMED}%0A", "key=%ff%00"],
)
def test_a_malformed_one_looks_like_an_unknown_one(
    project: Project, other_browser: Browser, query: str
) -> None:
    unknown = other_browser.get(f"{address(project)}?key={WELL_FORMED}")

    page = other_browser.get(f"{address(project)}?{query}")

    assert page.status == unknown.status == 404
    assert page.text == unknown.text


def test_two_keys_are_none_even_if_both_are_right(
    attempt: Assessment, other_browser: Browser
) -> None:
    url = shared(attempt)

    page = other_browser.get(f"{url}&{url.partition('?')[2]}")

    assert page.status == 404


def test_another_project_s_address_opens_nothing(
    attempt: Assessment, other_browser: Browser
) -> None:
    key = shared(attempt).partition("?key=")[2]

    page = other_browser.get(f"{address(ProjectFactory.create())}?key={key}")

    assert page.status == 404


def test_guesses_count_with_unknown_links_and_a_good_one_still_opens(
    result: Assessment, project: Project, settings: Settings
) -> None:
    settings.UNKNOWN_LINKS_PER_MINUTE = 2
    url = shared(result)
    with time_machine.travel(1_800_000_000, tick=False):
        guesser = Browser()
        guesser.get(f"/{project.project_id}/assessment?token={WELL_FORMED}")
        statuses = [guesser.get(f"{address(project)}?key={WELL_FORMED}").status for _ in range(2)]
    assert statuses == [404, 429]

    assert guesser.get(url).status == 200


def test_dismissed_courses_are_not_shown(result: Assessment, other_browser: Browser) -> None:
    recommended = result.recommendations
    assert recommended
    assert dismiss(result, recommended[0]["code"])

    page = other_browser.get(shared(result))

    assert recommended[0]["name"] not in page.text
    assert recommended[1]["name"] in page.text


def test_it_speaks_the_language_of_the_attempt(result: Assessment, other_browser: Browser) -> None:
    page = other_browser.get(shared(result), HTTP_ACCEPT_LANGUAGE="hi")

    assert '<html lang="en"' in page.text
