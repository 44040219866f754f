"""What the tests of waiting answers share: the words, the pages, and ways to lose what is sent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.e2e import rows
from tests.support.backend import Applicant
from tests.support.server import Service
from tests.support.student import Student

if TYPE_CHECKING:
    from playwright.sync_api import Route

SECOND_PAGE = re.compile("/assessment/7$")
WAITING = "Your answer is kept in this browser and will be sent when the network is back."


def given(service: Service, applicant: Applicant) -> dict[int, int]:
    """Return what is stored of the student's one attempt, by position."""
    [attempt] = rows.attempts(service, applicant)
    return rows.choices(service, attempt)


def wait_for_words(student: Student, words: str) -> None:
    """Wait until the page's line of status says this."""
    student.page.get_by_role("status").filter(has_text=words).wait_for()


def stop_timers(student: Student) -> None:
    """Let no time pass on the pages that follow."""
    student.page.clock.install(time=0)
    student.page.clock.pause_at(1000)


def cut_off(route: Route) -> None:
    """Lose what the script sends, without the browser noticing that it is offline."""
    if route.request.resource_type == "fetch":
        route.abort("internetdisconnected")
    else:
        route.continue_()
