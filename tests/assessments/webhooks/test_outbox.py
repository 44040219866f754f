"""Each end of an attempt leaves one event in the outbox, in the transaction of the end."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from assessments.models import Assessment, AssessmentLink, ItemBank, WebhookEndpoint, WebhookEvent
from assessments.webhooks.events import store_past_ends
from assessments.webhooks.models import Kind
from partners.models import Project
from tests.assessments.attempts import completed, issue, new_browser_token, started, use
from tests.assessments.webhooks.endpoints import WHO, set_up

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
HOUR = timedelta(hours=1)

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.usefixtures("bank")]


def kinds() -> list[str]:
    return list(WebhookEvent.objects.order_by("pk").values_list("kind", flat=True))


def test_without_an_endpoint_nothing_is_stored(project: Project) -> None:
    completed(started(project, AT), AT)
    started(project, AT).abandon(AT)

    assert store_past_ends(AT + 48 * HOUR) == 0
    assert kinds() == []


@pytest.mark.parametrize(
    ("end", "kind"),
    [
        (lambda attempt: completed(attempt, AT + HOUR), Kind.COMPLETED),
        (lambda attempt: attempt.abandon(AT + HOUR), Kind.ABANDONED),
        (lambda attempt: attempt.close(reason="x", at=AT + HOUR, actor=WHO), Kind.ABANDONED),
    ],
    ids=["completed", "left", "closed"],
)
def test_each_end_stores_one_event_that_is_due(
    project: Project, end: Callable[[Assessment], object], kind: Kind
) -> None:
    endpoint, attempt = set_up(project, at=AT), started(project, AT)

    end(attempt)
    assert not attempt.abandon(AT + HOUR)

    event = WebhookEvent.objects.get()
    assert (event.endpoint, event.assessment, event.kind) == (endpoint, attempt, kind)
    assert event.next_try_at == event.created_at == AT + HOUR


def test_starting_again_stores_the_end_of_the_first(project: Project) -> None:
    set_up(project, at=AT)
    token = new_browser_token()
    first = use(issue(project, AT)[0], token, at=AT)

    use(issue(project, AT)[0], new_browser_token(), start="again", held=token, at=AT + HOUR)

    assert WebhookEvent.objects.get().assessment == first


def test_an_end_that_is_rolled_back_leaves_no_event(project: Project) -> None:
    set_up(project, at=AT)
    attempt = started(project, AT)

    with pytest.raises(RuntimeError), transaction.atomic():
        attempt.abandon(AT + HOUR)
        raise RuntimeError

    assert kinds() == []


def test_what_passes_its_finish_by_is_stored_once(project: Project) -> None:
    set_up(project, at=AT)
    attempt = started(project, AT)
    late = attempt.finish_by_at

    assert store_past_ends(late - timedelta(seconds=1)) == 0
    assert store_past_ends(late) == 1
    assert store_past_ends(late + HOUR) == 0
    assert store_past_ends(late + 48 * HOUR) == 0

    assert WebhookEvent.objects.get().assessment == attempt


def test_ends_of_before_the_endpoint_are_not_stored(project: Project) -> None:
    attempt = started(project, AT)
    endpoint = set_up(project, at=attempt.finish_by_at + HOUR)

    assert store_past_ends(endpoint.created_at + HOUR) == 0


def test_expired_links_are_stored_on_request_only(project: Project) -> None:
    set_up(project, at=AT)
    other = set_up(Project.objects.create(partner=project.partner, name="Other"), at=AT)
    other.change({"sends_expired_links": True}, actor=WHO)
    issue(project, AT)
    link, _ = issue(other.project, AT)
    used, _ = issue(other.project, AT, email="used@example.com")
    use(used, at=AT)
    cancelled, _ = issue(other.project, AT, email="cancelled@example.com")
    cancelled.cancel(reason="mistake", at=AT, actor=WHO)
    other.change({"sends_abandoned": False}, actor=WHO)

    assert store_past_ends(link.expires_at) == 1

    event = WebhookEvent.objects.get()
    assert (event.link, event.kind) == (link, Kind.LINK_EXPIRED)


def test_kinds_that_were_not_asked_for_are_not_stored(project: Project) -> None:
    endpoint = set_up(project, at=AT)
    endpoint.change({"sends_completed": False, "sends_abandoned": False}, actor=WHO)

    completed(started(project, AT), AT)
    started(project, AT, email="left@example.com").abandon(AT)
    late = started(project, AT, email="late@example.com")

    assert store_past_ends(late.finish_by_at) == 0
    assert kinds() == []


def test_while_it_is_off_events_are_stored_for_replay(project: Project) -> None:
    endpoint = set_up(project, at=AT)
    endpoint.switch_off(reason="moving", at=AT, actor=WHO)

    completed(started(project, AT), AT)
    late = started(project, AT, email="late@example.com")
    assert store_past_ends(late.finish_by_at) == 1

    assert WebhookEvent.objects.stored().count() == 2
    assert endpoint.switch_on(at=AT + HOUR, actor=WHO)
    assert not WebhookEvent.objects.queued().exists()
    assert WebhookEvent.objects.replay(endpoint, since=AT, actor=WHO) == 2
    assert WebhookEvent.objects.queued().count() == 2


def test_erasing_a_student_drops_the_events(project: Project) -> None:
    endpoint = set_up(project, at=AT)
    endpoint.change({"sends_expired_links": True}, actor=WHO)
    issue(project, AT)
    issue(project, AT)
    attempt = started(project, AT)
    attempt.abandon(AT)
    open_one = started(project, AT)
    link = AssessmentLink.objects.filter(used_at=None).earliest("pk")
    store_past_ends(link.expires_at)

    open_one.student.erase(actor=WHO)

    assert kinds() == []
    assert store_past_ends(timezone.now() + 1000 * HOUR) == 0


def test_deleting_an_attempt_or_link_deletes_its_event(project: Project) -> None:
    endpoint = set_up(project, at=AT)
    endpoint.change({"sends_expired_links": True}, actor=WHO)
    link, _ = issue(project, AT, email="unused@example.com")
    started(project, AT).abandon(AT)
    store_past_ends(link.expires_at)
    assert len(kinds()) == 2

    link.delete()
    AssessmentLink.objects.all().delete()
    Assessment.objects.all().delete()

    assert kinds() == []


def test_an_attempt_of_another_project_is_not_told(
    project: Project, other_project: Project, bank: ItemBank
) -> None:
    set_up(project, at=AT)
    attempt = started(other_project, AT)

    completed(attempt, AT)
    started(other_project, AT)

    assert store_past_ends(AT + 48 * HOUR) == 0
    assert WebhookEndpoint.objects.get().swept_until == AT + 48 * HOUR
    assert kinds() == []
