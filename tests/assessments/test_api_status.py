"""get-student-status: every state of a student, brought about through pages and the clock."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.conf import settings

from assessments.models import AssessmentLink, Attempt, link_history
from tests.assessments.attempts import copies, inside, newest_of, started
from tests.assessments.partner import CANCEL, LINK, STATUS, Backend, document
from tests.factories import BY, CourseFactory
from tests.support.browser import Browser, Page

HOUR = timedelta(hours=1)
ROBOT = {"headers": {"User-Agent": "WhatsApp/2.24.11.79 A"}}
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
    "Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("bank")]


class Story:
    """A student with two browsers, a partner and a clock. Each step has a method."""

    page: Page

    def __init__(self, api, clock):
        self.api, self.clock = api, clock
        self.phone, self.computer = (Browser(HTTP_USER_AGENT=SAFARI) for _ in range(2))
        self.link_ids = []

    def tell(self, steps):
        for step in steps.split():
            getattr(self, step)()

    def link(self, **headers):
        """Ask for a link."""
        response = self.api.post(LINK, self.api.link_body(), headers=headers)
        self.url = json.loads(response.content)["redirect-url"].removeprefix(settings.APP_URL)
        self.link_ids.insert(0, response.headers["X-Link-Id"])
        self.clock.shift(timedelta(minutes=1))

    def hour(self):
        self.clock.shift(HOUR)

    def four_days(self):
        self.clock.shift(96 * HOUR)

    def robot(self):
        Browser().get(self.url, **ROBOT)

    def open(self):
        self.phone.open(self.url)

    def open_elsewhere(self):
        self.computer.open(self.url)

    def start(self):
        self.page = self.phone.start(self.url)

    def start_again(self):
        self.phone.press(self.phone.open(self.url), {"consent": "yes", "start": "again"})

    def continue_elsewhere(self):
        self.computer.start(self.url, start="continue")

    def answer(self):
        self.page = self.phone.go_on(self.phone.go_on(self.page))

    def leave(self):
        self.phone.press(self.phone.get(inside("leave", newest_of(self.api.project))))

    def finish(self):
        self.phone.finish(self.page)

    def cancel(self):
        self.api.read(CANCEL)

    def close(self):
        Attempt.objects.get().close(by=BY)

    def erase(self):
        Attempt.objects.get().student.erase(by=BY)

    def read(self):
        self.api.results()


@pytest.fixture
def story(project):
    CourseFactory.create_batch(4, project=project)
    with time_machine.travel(datetime(2026, 11, 23, 9, 30, tzinfo=UTC), tick=False) as clock:
        yield Story(Backend.of(project), clock)


# The steps; of each link its state and advice, of each attempt its status: the newest first.
STORIES = {
    "": ([], []),
    "link": ([("unopened", "unopened")], []),
    "link robot": ([("unopened", "robots-only")], []),
    "link open": ([("opened", "not-started")], []),
    "link four_days": ([("expired", "expired-unopened")], []),
    "link robot four_days": ([("expired", "expired-robots-only")], []),
    "link open four_days": ([("expired", "expired-not-started")], []),
    "link cancel": ([("cancelled", "cancelled")], []),
    "link start": ([("started", "in-progress")], ["InProgress"]),
    "link start hour open_elsewhere": ([("started", "other-browser")], ["InProgress"]),
    "link start answer link": (
        [("unopened", "unopened"), ("started", "in-progress")],
        ["InProgress"],
    ),
    "link start answer hour link continue_elsewhere": (
        [("started", "in-progress"), ("started", "moved")],
        ["InProgress"],
    ),
    "link start answer hour link start_again": (
        [("started", "in-progress"), ("started", "replaced")],
        ["InProgress", "Abandoned"],
    ),
    "link start answer leave": ([("started", "left")], ["Abandoned"]),
    "link start close": ([("started", "closed")], ["Abandoned"]),
    "link start answer four_days": ([("started", "late")], ["Abandoned"]),
    "link start finish": ([("started", "completed-unread")], ["Completed"]),
    "link start finish read": ([("started", "completed-read")], ["Completed"]),
    "link start finish four_days link start finish": (
        [("started", "completed-unread")] * 2,
        ["Completed"] * 2,
    ),
}


@pytest.mark.sqlite
@pytest.mark.parametrize("steps", STORIES)
def test_a_partner_reads_what_support_sees(story, steps):
    links, attempts = STORIES[steps]
    story.tell(steps)
    at = datetime.now(tz=UTC)

    answer = story.api.read(STATUS)

    rows = AssessmentLink.objects.select_related("student__project", "access_token")
    seen = [link_history.diagnose(link_history.of_link(link, at)) for link in rows.newest_first()]
    assert [(link["State"], link["Advice"]) for link in answer["Links"]] == links
    assert [attempt["Status"] for attempt in answer["Assessments"]] == attempts
    assert [link["Advice"] for link in answer["Links"]] == seen
    assert [link["LinkId"] for link in answer["Links"]] == story.link_ids


def test_every_advice_that_a_partner_can_get_is_documented():
    met = {advice for links, _ in STORIES.values() for _, advice in links}
    advice = document()["components"]["schemas"]["LinkStatus"]["properties"]["Advice"]
    assert met == {each["code"] for each in advice["x-codes"]} - {"project-closed"}


def test_an_attempt_in_progress_says_how_far_it_is(story):
    story.tell("link robot")
    first, url = story.link_ids[0], story.url
    story.link(**{"X-Reference": "applicant-4711"})
    story.url = url
    story.tell("hour open hour start answer")

    answer = story.api.read(STATUS)

    attempt = Attempt.objects.get()
    newer, link = answer["Links"]
    assert newer["Reference"] == "applicant-4711"
    assert link == {
        "LinkId": first,
        "Reference": None,
        "IssuedAt": "2026-11-23T09:30:00Z",
        "ExpiresAt": "2026-11-26T09:30:00Z",
        "State": "started",
        "OpenedAt": "2026-11-23T10:32:00Z",
        "StartedAt": "2026-11-23T11:32:00Z",
        "AssessmentId": attempt.assessment_id,
        "Advice": "in-progress",
    }
    assert answer["Assessments"] == [
        {
            "AssessmentId": attempt.assessment_id,
            "Status": "InProgress",
            "StartedAt": "2026-11-23T11:32:00Z",
            "FinishBy": "2026-11-24T11:32:00Z",
            "EndedAt": None,
            "Answered": attempt.read_answers().answered_count,
            "Total": attempt.cached_bank.layout.total,
            "Language": "en",
        }
    ]


@pytest.mark.sqlite
def test_an_erased_student_and_one_of_another_project_are_unknown(story, other_project):
    story.tell("link start finish erase")
    started(other_project)

    assert story.api.read(STATUS) == {"Links": [], "Assessments": []}


def test_no_more_than_fifty_links_and_assessments_are_listed(project, api):
    copies(started(project), 50)

    answer = api.read(STATUS)

    assert (len(answer["Links"]), len(answer["Assessments"])) == (50, 50)
