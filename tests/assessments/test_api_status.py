"""get-student-status: every state of a student, brought about through pages and the clock."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from pytest_django import DjangoAssertNumQueries

from assessments.api.codes import ADVICE
from assessments.models import Assessment, AssessmentLink
from assessments.models.links import NOTICE_VERSION
from assessments.support import link_history
from assessments.support.diagnosis import diagnose
from partners.models import Project
from partners.times import rfc3339
from tests.assessments import attempts
from tests.assessments.partner import CANCEL, STATUS, Backend
from tests.factories import CourseFactory
from tests.support.browser import Browser

AT = datetime(2026, 11, 23, 9, 30, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ROBOT = {"headers": {"User-Agent": "WhatsApp/2.24.11.79 A"}}
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
    "Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.usefixtures("bank")]


@dataclass
class Story:
    """A student with two browsers, a partner and a clock."""

    api: Backend
    clock: time_machine.Traveller
    phone: Browser = field(default_factory=lambda: Browser(HTTP_USER_AGENT=SAFARI))
    computer: Browser = field(default_factory=lambda: Browser(HTTP_USER_AGENT=SAFARI))
    links: list[tuple[str, str]] = field(default_factory=list)

    def ask(self, **fields: Any) -> str:
        """Ask for a link, and return its address."""
        response = self.api.link(**fields)
        url = json.loads(response.content)["redirect-url"].removeprefix(settings.APP_URL)
        self.links.append((response.headers["X-Link-Id"], url))
        self.wait(timedelta(minutes=1))
        return str(url)

    def wait(self, time: timedelta) -> None:
        self.clock.shift(time)

    def robot(self, url: str) -> None:
        Browser().get(url, **ROBOT)

    @property
    def status(self) -> dict[str, Any]:
        response = self.api.post(STATUS, self.api.body(STATUS))
        assert response.status_code == 200, response.content
        answer: dict[str, Any] = json.loads(response.content)
        return answer


def nothing(s: Story) -> None:
    pass


def asked(s: Story) -> None:
    s.ask()


def fetched_by_a_robot(s: Story) -> None:
    s.robot(s.ask())


def opened(s: Story) -> None:
    s.phone.open(s.ask())


def expired(s: Story) -> None:
    s.ask()
    s.wait(4 * DAY)


def expired_after_a_robot(s: Story) -> None:
    fetched_by_a_robot(s)
    s.wait(4 * DAY)


def expired_after_opening(s: Story) -> None:
    opened(s)
    s.wait(4 * DAY)


def cancelled(s: Story) -> None:
    s.ask()
    s.api.post(CANCEL, s.api.body(CANCEL))


def started(s: Story) -> None:
    s.phone.start(s.ask())


def answered_two_pages(s: Story) -> None:
    s.phone.go_on(s.phone.go_on(s.phone.start(s.ask())))


def opened_elsewhere(s: Story) -> None:
    url = s.ask()
    s.phone.start(url)
    s.wait(HOUR)
    s.computer.open(url)


def asked_again_while_open(s: Story) -> None:
    answered_two_pages(s)
    s.ask()


def continued_elsewhere(s: Story) -> None:
    answered_two_pages(s)
    s.wait(HOUR)
    s.computer.start(s.ask(), start="continue")


def started_again(s: Story) -> None:
    answered_two_pages(s)
    s.wait(HOUR)
    s.phone.press(s.phone.open(s.ask()), {"consent": "yes", "start": "again"})


def left(s: Story) -> None:
    s.phone.go_on(s.phone.start(s.ask()))
    leave = reverse("leave", args=[s.api.project.project_id])
    s.phone.press(s.phone.get(leave))


def closed_by_support(s: Story) -> None:
    started(s)
    Assessment.objects.get().close(actor="staff:1")


def ran_out_of_time(s: Story) -> None:
    answered_two_pages(s)
    s.wait(2 * DAY)


def completed(s: Story) -> None:
    s.phone.finish(s.phone.start(s.ask()))


def completed_and_read(s: Story) -> None:
    completed(s)
    s.api.results()


def completed_twice(s: Story) -> None:
    completed(s)
    s.wait(DAY)
    s.phone.finish(s.phone.start(s.ask()))


# What is told, newest first: of each link its state and advice, of each attempt its status.
STORIES: list[tuple[Callable[[Story], None], list[tuple[str, str]], list[str]]] = [
    (nothing, [], []),
    (asked, [("unopened", "unopened")], []),
    (fetched_by_a_robot, [("unopened", "robots-only")], []),
    (opened, [("opened", "not-started")], []),
    (expired, [("expired", "expired-unopened")], []),
    (expired_after_a_robot, [("expired", "expired-robots-only")], []),
    (expired_after_opening, [("expired", "expired-not-started")], []),
    (cancelled, [("cancelled", "cancelled")], []),
    (started, [("started", "in-progress")], ["InProgress"]),
    (opened_elsewhere, [("started", "other-browser")], ["InProgress"]),
    (
        asked_again_while_open,
        [("unopened", "unopened"), ("started", "in-progress")],
        ["InProgress"],
    ),
    (continued_elsewhere, [("started", "in-progress"), ("started", "moved")], ["InProgress"]),
    (
        started_again,
        [("started", "in-progress"), ("started", "replaced")],
        ["InProgress", "Abandoned"],
    ),
    (left, [("started", "left")], ["Abandoned"]),
    (closed_by_support, [("started", "closed")], ["Abandoned"]),
    (ran_out_of_time, [("started", "late")], ["Abandoned"]),
    (completed, [("started", "completed-unread")], ["Completed"]),
    (completed_and_read, [("started", "completed-read")], ["Completed"]),
    (
        completed_twice,
        [("started", "completed-unread"), ("started", "completed-unread")],
        ["Completed", "Completed"],
    ),
]


@pytest.mark.parametrize(
    ("happened", "links", "attempts"), STORIES, ids=lambda each: getattr(each, "__name__", "")
)
def test_a_partner_reads_what_support_sees(
    project: Project,
    happened: Callable[[Story], None],
    links: list[tuple[str, str]],
    attempts: list[str],
) -> None:
    CourseFactory.create_batch(4, project=project)
    with time_machine.travel(AT, tick=False) as clock:
        told = Story(Backend.of(project), clock)
        happened(told)
        at = datetime.now(tz=UTC)

        answer = told.status

        rows = AssessmentLink.objects.select_related("student__project", "access_token")
        seen = [
            diagnose(link_history.of_link(link, at), at, rfc3339).code
            for link in rows.newest_first()
        ]
    assert [(link["State"], link["Advice"]) for link in answer["Links"]] == links
    assert [attempt["Status"] for attempt in answer["Assessments"]] == attempts
    assert [link["Advice"] for link in answer["Links"]] == seen
    assert [link["LinkId"] for link in answer["Links"]] == [name for name, _ in told.links[::-1]]


def test_every_advice_that_a_partner_can_get_is_in_the_table_and_documented() -> None:
    told = {advice for _, links, _ in STORIES for _, advice in links}
    assert told == {each.code for each in ADVICE} - {"project-closed"}


def test_an_attempt_in_progress_says_how_far_it_is(project: Project) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        told = Story(Backend.of(project), clock)
        url = told.ask()
        told.api.post(
            "/partner/get-redirect-url",
            told.api.link_body(),
            headers={"X-Reference": "applicant-4711"},
        )
        told.robot(url)
        told.wait(HOUR)
        told.phone.open(url)
        told.wait(HOUR)
        told.phone.go_on(told.phone.go_on(told.phone.start(url)))

        answer = told.status

    attempt = Assessment.objects.get()
    newer, link = answer["Links"]
    assert (newer["Reference"], link["Reference"]) == ("applicant-4711", None)
    assert link == {
        "LinkId": told.links[0][0],
        "Reference": None,
        "IssuedAt": "2026-11-23T09:30:00Z",
        "ExpiresAt": "2026-11-26T09:30:00Z",
        "State": "started",
        "OpenedAt": "2026-11-23T10:31:00Z",
        "StartedAt": "2026-11-23T11:31:00Z",
        "AssessmentId": attempt.assessment_id,
        "Advice": "in-progress",
    }
    assert answer["Assessments"] == [
        {
            "AssessmentId": attempt.assessment_id,
            "Status": "InProgress",
            "StartedAt": "2026-11-23T11:31:00Z",
            "FinishBy": "2026-11-24T11:31:00Z",
            "EndedAt": None,
            "Answered": attempt.read_answers().answered_count,
            "Total": attempt.content.layout.total,
            "Language": "en",
        }
    ]


def test_an_end_is_the_finish_by_if_nobody_finished(project: Project) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        told = Story(Backend.of(project), clock)
        ran_out_of_time(told)

        [attempt] = told.status["Assessments"]

    assert attempt["EndedAt"] == attempt["FinishBy"] == "2026-11-24T09:31:00Z"


def test_the_notice_names_what_this_version_lets_partners_be_told(api: Backend) -> None:
    """Who changes the promise changes NOTICE_VERSION."""
    url = json.loads(api.link().content)["redirect-url"].removeprefix(settings.APP_URL)
    promise = "is told how far you got, if answers look careless, and your courses with reasons."

    landing = " ".join(Browser().get(url).text.split())

    assert NOTICE_VERSION == "2026-11-23"
    assert promise in landing
    with translation.override("hi"):
        assert gettext(f"%(sender)s {promise}") == (
            "%(sender)s को यह पता चलता है: आप कहाँ तक पहुँचे, जवाब सोचकर दिए लगते हैं या नहीं, "
            "कौन-से कोर्स सुझाए गए और क्यों।"
        )


def test_no_more_than_fifty_links_and_assessments_are_listed(project: Project) -> None:
    attempt = attempts.started(project)
    attempts.copies(attempt, 54)
    email = attempt.student.email

    answer = Backend.of(project).post(STATUS, {"projectId": project.project_id, "email": email})

    found = json.loads(answer.content)
    assert (len(found["Links"]), len(found["Assessments"])) == (50, 50)


def test_an_erased_student_is_unknown(project: Project) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        told = Story(Backend.of(project), clock)
        completed(told)
        Assessment.objects.get().student.erase(actor="command:tests")

        assert told.status == {"Links": [], "Assessments": []}


@pytest.mark.parametrize("unused", [1, 60])
def test_sixty_links_take_as_many_queries_as_a_few(
    project: Project, unused: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        told = Story(Backend.of(project), clock)
        for _ in range(unused):
            told.ask()
        continued_elsewhere(told)
        started_again(told)
        told.api.token.note_use()

        with django_assert_num_queries(8):
            answer = told.status

    assert len(answer["Links"]) == min(50, unused + 4)
    assert len(answer["Assessments"]) == 2
