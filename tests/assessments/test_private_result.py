"""What a private link opens: the shared part of one result, to anybody who has the link."""

import re
from dataclasses import asdict

import pytest
from django.urls import reverse
from django.utils.html import escape

from assessments.models import Attempt, PrivateLink
from assessments.models.course_choices import dismiss
from measurement import explanation
from measurement.reasons import Reason
from measurement.wording import ENGLISH
from tests.assessments.attempts import completed, issue, liking
from tests.assessments.test_landing_page import AFTER

WELL_FORMED = "A" * 22
WELL, LEVEL = asdict(Reason("well_overall")), asdict(Reason("level_overall"))

pytestmark = [pytest.mark.usefixtures("bank")]


@pytest.fixture
def result(project, browser, demo_catalogue):
    """Give an attempt that was completed with courses to recommend."""
    browser.start(issue(project, name="Asha Padmini Rao")[1])
    return completed(Attempt.objects.get(), choice=liking("realistic"))


def address(project, key=WELL_FORMED):
    return f"{reverse('private-result', args=[project.project_id])}?key={key}"


def shared(attempt, *, with_puzzles=False):
    newest = PrivateLink.objects.newest_of(attempt)
    seen = newest.version if newest else ""
    _, key = PrivateLink.objects.make(attempt, with_puzzles=with_puzzles, seen_version=seen)
    return address(attempt.project, key)


@pytest.mark.sqlite
def test_it_shows_first_name_courses_and_reasons_in_any_browser_and_keeps_its_address(
    result, other_browser
):
    url = shared(result)

    page = other_browser.get(url, HTTP_ACCEPT_LANGUAGE="hi")

    assert (page.status, page.name, page.forms) == (200, "private-result", [])
    assert [name for name in result.recommended_names if name not in page.text] == []
    head, _, body = page.text.partition("</head>")
    assert '<html lang="en"' in head
    assert "Asha" in body
    assert "Asha" not in head
    assert re.search(r'<meta name="description"\s+content="[^"]{20,}">', head)
    assert '<meta name="robots" content="noindex">' in head
    assert "Padmini" not in page.text
    assert url.partition("?key=")[2] not in page.text
    headers = page.response.headers
    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "noindex" in headers["X-Robots-Tag"]


def test_the_rest_of_the_result_is_shown_only_as_far_as_the_student_ticked_it(
    result, other_browser
):
    first, removed, *rest = result.recommendations or []
    course = {**first, "reasons": [WELL], "counterpoint": LEVEL}
    Attempt.objects.update(recommendations=[course, removed, *rest])
    dismiss(result, removed["code"])
    texts = explanation.course_texts(course, "en", {})
    of_puzzles = [*texts["reasons"], texts["counterpoint"], "The puzzles"]
    assert len(of_puzzles) == 3
    assert result.flags

    closed = other_browser.get(shared(result)).text
    ticked = other_browser.get(shared(result, with_puzzles=True)).text

    assert [text for text in of_puzzles if escape(text) in closed] == []
    assert [text for text in of_puzzles if escape(text) in ticked] == of_puzzles
    for text in (closed, ticked):
        assert course["name"] in text
        assert removed["name"] not in text
        # As doubtful as the student's own page, but not why.
        assert "first ideas" in text
        told = [*ENGLISH.doubts.values(), *ENGLISH.cautions.values()]
        assert [each for each in told if escape(each) in text] == []


@pytest.mark.parametrize("after", AFTER)
def test_what_chats_append_to_its_address_changes_nothing(result, other_browser, after):
    assert other_browser.get(shared(result) + after).name == "private-result"
    assert other_browser.get(shared(result).replace("result?", "Result/?") + after).status == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        "",
        "?key=",
        f"?key={'A' * 23}",
        f"?key={WELL_FORMED}%0A",
        "?key=%ff%00",
        "?key={key}&key={key}",
        "another project's",
        "ended",
    ],
)
def test_any_address_that_opens_nothing_gets_the_same_404(
    result, other_project, other_browser, query
):
    unknown = other_browser.get(address(result.project))
    url = shared(result)
    path, _, key = url.partition("?key=")
    assert other_browser.get(url).status == 200
    if query == "another project's":
        url = address(other_project, key)
    elif query == "ended":
        assert PrivateLink.objects.end(result)
    else:
        url = path + query.format(key=key)

    page = other_browser.get(url)

    assert (page.status, page.name, unknown.status) == (404, "error-404", 404)
    assert page.text == unknown.text
    assert page.response.headers["Cache-Control"] == "no-store"
