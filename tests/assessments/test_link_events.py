"""What is kept of the fetches of a link: a few lines, beside the link and never in it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import DatabaseError

from assessments.models import AssessmentLink, LinkEvent
from assessments.models.link_events import EVENTS_AT_MOST, SHARES, Kind, LinkEventQuerySet
from partners.models import Project
from tests.assessments.attempts import issue, marked_completed, use
from tests.support.browser import Browser

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
PHONE = "Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36"
WHATSAPP = "WhatsApp/2.24.11.79 A"

pytestmark = pytest.mark.usefixtures("bank")


def fetch(url: str, user_agent: str = PHONE, method: str = "get", **headers: str) -> Any:
    return getattr(Browser().client, method)(url, HTTP_USER_AGENT=user_agent, **headers)


def events(link: AssessmentLink) -> list[tuple[int, str, str]]:
    return [(event.number, event.kind, event.what) for event in link.events.order_by("number")]


def test_a_robot_is_distinguished_from_a_person(project: Project) -> None:
    link, url = issue(project)

    assert fetch(url, WHATSAPP).status_code == 200
    assert fetch(url).status_code == 200

    assert events(link) == [(1, "robot", "WhatsApp preview"), (2, "opened", "")]


def test_neither_address_nor_browser_is_kept(project: Project) -> None:
    link, url = issue(project)

    Browser(address="203.0.113.7").client.get(url, HTTP_USER_AGENT=f"curl/8 {PHONE}")

    (row,) = LinkEvent.objects.filter(link=link).values()
    assert set(row) == {"id", "link_id", "number", "at", "kind", "what"}
    assert row["what"] == "a program"


def test_the_same_within_ten_minutes_is_kept_once(project: Project) -> None:
    link, url = issue(project, AT)

    with time_machine.travel(AT, tick=False) as clock:
        for user_agent in (PHONE, WHATSAPP, PHONE, "curl/8.5.0", WHATSAPP, PHONE):
            fetch(url, user_agent)
            clock.shift(timedelta(minutes=1))
        clock.shift(timedelta(minutes=10))
        fetch(url)

    assert events(link) == [
        (1, "opened", ""),
        (2, "robot", "WhatsApp preview"),
        (3, "robot", "a program"),
        (4, "opened", ""),
    ]


def test_a_robot_that_comes_all_day_leaves_room_for_the_student(project: Project) -> None:
    link, url = issue(project, AT)

    with time_machine.travel(AT, tick=False) as clock:
        for _ in range(30):
            fetch(url, WHATSAPP)
            clock.shift(timedelta(minutes=11))
        fetch(url)

    kinds = [kind for _, kind, _ in events(link)]
    assert kinds == ["robot"] * SHARES[Kind.ROBOT] + ["opened"]


def test_at_most_twenty_are_kept(project: Project) -> None:
    link, _ = issue(project, AT)

    for number in range(40):
        for kind in Kind:
            LinkEvent.objects.note(link, kind, "", AT + timedelta(hours=number))

    assert sum(SHARES.values()) == EVENTS_AT_MOST
    assert [number for number, _, _ in events(link)] == list(range(1, EVENTS_AT_MOST + 1))


@pytest.mark.parametrize(
    ("state", "status"),
    [
        *(("in-use", 410), ("finished", 410), ("ended", 410)),
        *(("cancelled", 410), ("expired", 410), ("closed", 410)),
    ],
)
def test_a_refused_opening_is_kept_with_why(project: Project, state: str, status: int) -> None:
    link, url = issue(project)
    if state == "expired":
        moved = {"issued_at": AT - timedelta(days=9), "expires_at": AT - timedelta(days=8)}
        AssessmentLink.objects.filter(pk=link.pk).update(**moved)
    elif state == "cancelled":
        link.cancel(reason="wrong address", actor="command:tests")
    elif state == "closed":
        project.close(actor="command:tests")
    else:
        attempt = use(link)
        if state == "finished":
            marked_completed(attempt)
        elif state == "ended":
            attempt.abandon()

    assert fetch(url).status_code == status

    assert events(link) == [(1, "refused", state)]


def test_an_unknown_link_leaves_nothing(project: Project) -> None:
    _, url = issue(project)

    assert fetch(url[:-1] + ("A" if url[-1] != "A" else "B")).status_code == 404

    assert LinkEvent.objects.count() == 0


def test_a_failing_note_fails_no_page(
    project: Project, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    link, url = issue(project)

    def fail(*_: Any, **__: Any) -> None:
        raise DatabaseError("the disk is full")

    monkeypatch.setattr(LinkEventQuerySet, "create", fail)

    assert fetch(url).status_code == 200

    assert events(link) == []
    assert f"link {link.pk}" in caplog.text
    assert url.partition("token=")[2] not in caplog.text
