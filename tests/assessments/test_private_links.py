"""Private links: made once, found by their key alone, ended for good; and what they open."""

import re
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from assessments.keeping.retention import purge
from assessments.models import Attempt, PrivateLink
from assessments.models.course_choices import dismiss
from assessments.models.identity import secret_digest
from assessments.models.private_links import AnotherMade, NoResult
from measurement import explanation
from measurement.reasons import Reason
from measurement.wording import ENGLISH
from tests.assessments.attempts import completed, issue, liking, marked_completed, started, use
from tests.assessments.test_landing_page import AFTER
from tests.factories import BY
from tests.support.threads import race_in_rounds

AT = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ROUNDS = 20

pytestmark = pytest.mark.usefixtures("bank")


@pytest.fixture
def attempt(project):
    with time_machine.travel(AT, tick=False):
        return marked_completed(started(project))


def make(attempt, seen_version="", at=AT):
    return PrivateLink.objects.make(attempt, with_puzzles=False, seen_version=seen_version, at=at)


def find(project, key, at=AT):
    """Return the link that a key opens, and the queries that it took, without the key."""
    with CaptureQueriesContext(connection) as queries:
        try:
            link = PrivateLink.objects.for_key(project.project_id, key, at)
        except PrivateLink.DoesNotExist:
            link = None
    return link, [query["sql"].replace(secret_digest(key), "?") for query in queries]


@pytest.mark.sqlite
def test_its_key_opens_it_for_90_days_and_is_not_stored(attempt, project, other_project):
    link, key = make(attempt)
    last = AT + 90 * DAY - timedelta(seconds=1)

    assert len(key) == 22
    assert find(project, key, last)[0] == link
    assert link.works(last)
    assert find(project, key, link.expires_at)[0] is None
    assert not link.works(link.expires_at)
    assert find(other_project, key)[0] is None
    assert find(project, link.key_digest[:22])[0] is None
    assert PrivateLink.objects.get().key_digest == secret_digest(key)
    assert key not in str(PrivateLink.objects.values())


@pytest.mark.sqlite
def test_a_further_one_takes_the_place_of_the_earlier(attempt, project):
    made = [make(attempt)]
    for hour in range(1, 5):
        made.append(make(attempt, made[-1][0].version, AT + hour * HOUR))

    last = PrivateLink.objects.get()
    assert (last, last.ended_at) == (made[-1][0], None)
    opened = [find(project, key, AT + 5 * HOUR)[0] for _, key in made]
    assert opened == [None, None, None, None, last]


@pytest.mark.sqlite
def test_a_form_that_did_not_show_the_newest_link_makes_none(attempt):
    make(attempt)
    assert PrivateLink.objects.end(attempt, AT)
    assert not PrivateLink.objects.end(attempt, AT)
    before = PrivateLink.objects.values().get()

    for stale in ("", "x", "2026"):
        with pytest.raises(AnotherMade):
            make(attempt, stale)

    assert PrivateLink.objects.values().get() == before
    assert not PrivateLink.objects.get().works(AT)


def test_it_ends_with_the_retention_of_the_attempt(attempt):
    Attempt.objects.update(retention_months=1)

    link, _ = make(attempt)

    assert link.expires_at == datetime(2026, 12, 24, tzinfo=UTC)
    with pytest.raises(NoResult):
        make(attempt, link.version, link.expires_at)


@pytest.mark.parametrize("wrong", ["", "A" * 21, "A" * 23, "\0" * 22, "अ" * 22])
def test_a_malformed_key_is_refused_without_a_query(project, wrong):
    assert find(project, wrong) == (None, [])


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("act", ["make", "forget", "erase", "purge"])
def test_a_link_made_at_the_moment_of_another_of_forgetting_erasing_or_purging(project, act):
    """One form makes a link, which survives "Forget this browser", and nothing else."""
    links = [issue(project, email=f"{number}@example.com")[0] for number in range(ROUNDS)]
    attempts = [marked_completed(use(link)) for link in links]
    later = timezone.now() + 900 * DAY

    def try_to_make(number):
        try:
            return make(attempts[number])[0]
        except (AnotherMade, NoResult) as error:
            return type(error)

    acts = {
        "make": try_to_make,
        "forget": lambda n: Attempt.objects.get(pk=attempts[n].pk).forget_browser(),
        "erase": lambda n: attempts[n].student.erase(by=BY),
        # passes an attempt that is locked by, and leaves it to the next one
        "purge": lambda _: list(purge(later, by=BY)),
    }

    runners = [try_to_make, *[acts[act]] * (3 if act == "make" else 1)]
    outcomes = race_in_rounds(runners, 1 if act == "purge" else ROUNDS)

    made = [each for outcome in outcomes for each in outcome if isinstance(each, PrivateLink)]
    if act == "make":
        assert [outcome.count(AnotherMade) for outcome in outcomes] == [3] * ROUNDS
        assert len(made) == ROUNDS
    else:
        assert {link for link, _ in outcomes} - {*made} <= {NoResult}
    if act == "forget":
        assert {forgotten for _, forgotten in outcomes} == {True}
    if act == "purge":
        list(purge(later, by=BY))
        assert not Attempt.objects.exists()
    survive = made if act in {"make", "forget"} else []
    assert {*PrivateLink.objects.working(AT)} == {*PrivateLink.objects.all()} == {*survive}


WELL_FORMED = "A" * 22
WELL, LEVEL = asdict(Reason("well_overall")), asdict(Reason("level_overall"))


@pytest.fixture
def result(project, browser, demo_catalogue):
    """Give an attempt that was completed with courses to recommend."""
    browser.start(issue(project, name="Asha Padmini Rao")[1])
    return completed(Attempt.objects.get(), choice=liking("realistic"))


def address(project, key=WELL_FORMED):
    return f"{reverse('private-result', args=[project.project_id])}?key={key}"


def shared(attempt, *, with_puzzles=False):
    newest = attempt.private_links.first()
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
    assert result.validity.flags

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


def test_what_chats_append_to_its_address_changes_nothing(result, other_browser):
    for after in AFTER:
        url = shared(result)
        for address in (url, url.replace("result?", "Result/?")):
            assert other_browser.open(address + after).name == "private-result", after


def test_any_address_that_opens_nothing_gets_the_same_404(result, other_project, other_browser):
    unknown, url = other_browser.get(address(result.project)), shared(result)
    path, _, key = url.partition("?key=")
    queries = ("", "?key=", f"?key={WELL_FORMED}A", f"?key={WELL_FORMED}%0A", "?key=%ff%00")
    wrong = [path + query for query in queries]
    wrong += [f"{url}&key={key}", address(other_project, key)]
    assert other_browser.get(url).status == 200

    pages = [other_browser.get(each) for each in wrong]
    assert PrivateLink.objects.end(result)
    pages.append(other_browser.get(url))

    for page in (unknown, *pages):
        assert (page.status, page.name, page.text) == (404, "error-404", unknown.text)
        assert page.response.headers["Cache-Control"] == "no-store"
