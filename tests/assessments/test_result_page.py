"""The result in the browser of the attempt: its courses, comparing some, and removing some."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from assessments.models import Attempt, Course
from assessments.models.course_choices import dismiss, restore, visible_courses
from assessments.templatetags.student_pages import percent, span
from tests.assessments.attempts import completed, inside, issue, liking, newest_of
from tests.factories import BY
from tests.support.browser import Browser
from tests.support.threads import race_in_rounds

AT = datetime(2026, 11, 21, 19, 0, tzinfo=UTC)  # half past midnight in India

pytestmark = [pytest.mark.usefixtures("bank")]


@pytest.fixture
def attempt(project, browser, demo_catalogue):
    """Give a completed attempt of this browser, in a project with courses."""
    browser.start(issue(project, name="Asha Padmini Rao")[1])
    return completed(Attempt.objects.get(), choice=liking("artistic"))


def codes(attempt):
    return [course["code"] for course in attempt.recommendations or []]


def press(browser, attempt, **choice):
    path = inside("result", attempt)
    return browser.post(path, choice)


def compare(browser, attempt, *places):
    query = "&".join(f"course={codes(attempt)[place]}" for place in places)
    return browser.get(f"{inside('compare', attempt)}?{query}")


@pytest.mark.parametrize(
    ("days", "status"), [(0, 200), (7.99, 200), (8, 410), (8.01, 410), (400, 410)]
)
def test_it_can_be_used_until_a_week_after_finish_by(project, browser, days, status):
    with time_machine.travel(AT, tick=False) as clock:
        browser.start(url := issue(project)[1])
        attempt = completed(Attempt.objects.get())
        cookies = browser.cookies
        clock.shift(timedelta(days=days))
        browser.client.cookies.load(cookies)

        page = browser.get(inside("result", attempt))
        pressed, compared = press(browser, attempt, dismiss="A"), compare(browser, attempt)
        by_link = Browser().open(url)

    expected = (200, 303, 400) if status == 200 else (410, 410, 410)
    assert (page.status, pressed.status, compared.status) == expected
    assert ("22 November 2026" in page.text) is (status == 200)  # in the project's zone
    assert "21 November 2026" not in page.text
    assert (by_link.status, by_link.name) == (410, "link-unavailable")
    assert "Asha" not in by_link.text


def test_a_course_shows_todays_texts_and_addresses_of_the_catalogue(attempt, browser, project):
    path = inside("result", newest_of(project))
    course = Course.objects.filter(code=codes(attempt)[0])
    course.update(
        about={"en": "Colour, form and material."},
        leads_to={"en": ["Textile designer", "Art teacher"]},
        url="https://college.example/art",
        apply_url="https://college.example/apply",
        required_streams=["arts"],
    )

    text = " ".join(browser.get(path).text.split())
    course.update(is_active=False)
    withdrawn = browser.get(path).text

    assert "Asha" in text
    assert "Padmini" not in text
    assert "You need arts and humanities." in text
    assert "Colour, form and material." in text
    assert "Textile designer · Art teacher" in text
    assert '<a href="https://college.example/art" rel="noreferrer"' in text
    assert 'href="https://college.example/apply" rel="noreferrer"' in text
    assert attempt.recommended_names[0] in withdrawn
    assert "https://college.example/apply" not in withdrawn


def test_a_doubtful_result_says_nothing_about_kinds_of_work(attempt, browser):
    page = browser.open(inside("result", attempt))

    assert "point to" in page.text
    assert "point clearly" not in page.text


def test_removing_a_course_shows_the_next_best_and_a_way_back(attempt, browser, project):
    path = inside("result", newest_of(project))
    first, name = codes(attempt)[0], attempt.recommended_names[0]

    answer = press(browser, attempt, dismiss=first)
    page = browser.follow(answer)

    assert (answer.status, answer.location) == (303, f"{path}#courses")
    assert Attempt.objects.get().dismissed == [first]
    assert page.text.count("<h3>") == 5
    assert f"<h3>{name}</h3>" not in page.text
    assert f"Bring back: {name}" in page.text
    assert compare(browser, attempt, 0, 1).status == 400

    page = browser.follow(press(browser, attempt, restore=first))

    assert Attempt.objects.get().dismissed == []
    assert f"<h3>{name}</h3>" in page.text
    assert "Bring back" not in page.text


@pytest.mark.parametrize("count", [2, 3])
def test_courses_are_compared_side_by_side(attempt, browser, count):
    Course.objects.filter(code=codes(attempt)[1]).update(leads_to={"en": ["Potter"]})

    page = compare(browser, attempt, *range(count))

    assert (page.status, page.name) == (200, "compare")
    for name in attempt.recommended_names[:count]:
        assert f'<th scope="col">{name}</th>' in page.text
    assert attempt.recommended_names[3] not in page.text
    assert "Potter" in page.text
    assert "To think about" in page.text


@pytest.mark.parametrize(
    ("low", "high", "start", "width"),
    [
        (20, 45.55, "20%", "25.5%"),
        (50, 50, "50%", "4%"),
        (99, 100, "96%", "4%"),
        (-5, 2, "0%", "4%"),
        (90, 120, "90%", "10%"),
    ],
)
def test_a_mark_is_wide_enough_to_be_seen_and_stays_within_its_bar(low, high, start, width):
    assert span(low, high) == {"start": start, "width": width}


def test_a_bar_is_within_its_limits():
    assert [percent(value, 3, 90) for value in (-1, 62.46, 200)] == ["3%", "62.5%", "90%"]


def shown(attempt):
    return [course["code"] for course in visible_courses(attempt).shown]


def test_the_next_best_course_takes_the_place_in_the_view_alone(attempt):
    before, recommendations = shown(attempt), attempt.recommendations
    sixth = attempt.rescore(further=2)[1][5]

    dismiss(attempt, before[1])

    after = visible_courses(attempt).shown
    assert [each["code"] for each in after] == [before[0], *before[2:], sixth["code"]]
    assert after[-1] == sixth
    dismiss(attempt, sixth["code"])
    assert sixth["code"] not in shown(attempt)
    assert len(shown(attempt)) == 5
    removed = [course["code"] for course in visible_courses(attempt).dismissed]
    assert removed == Attempt.objects.get().dismissed == [before[1], sixth["code"]]
    assert Attempt.objects.get().recommendations == recommendations


@pytest.mark.parametrize("code", ["", "NO-SUCH-COURSE", "x" * 5000])
def test_a_course_that_is_not_shown_cannot_be_dismissed(attempt, code):
    dismiss(attempt, code)
    restore(attempt, code)
    assert Attempt.objects.get().dismissed == []


def test_an_erasure_forgets_them_and_a_tab_that_was_open_before_stores_nothing(attempt):
    first, second, *_ = shown(attempt)
    dismiss(attempt, first)
    tab = Attempt.objects.get()

    attempt.student.erase(by=BY)

    assert Attempt.objects.get().dismissed == []
    dismiss(tab, second)
    restore(tab, first)
    assert Attempt.objects.get().dismissed == []


@pytest.mark.django_db(transaction=True)
def test_two_tabs_that_dismiss_at_once_lose_nothing(attempt):
    codes = shown(attempt)[:4]

    def tab(place):
        return lambda number: dismiss(Attempt.objects.get(), codes[2 * number + place])

    race_in_rounds([tab(0), tab(1)], rounds=2)
    assert set(Attempt.objects.get().dismissed) == set(codes)
