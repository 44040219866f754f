"""Each end of an attempt leaves one event in the outbox, in the transaction of the end."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from assessments.models import AssessmentLink, Attempt, WebhookEvent
from assessments.models.identity import secret_digest
from assessments.webhooks.events import EventKind
from assessments.webhooks.sender import store_past_ends
from partners.models import Refused
from tests.assessments.attempts import completed, issue, new_browser_token, started, use
from tests.assessments.webhooks.endpoints import set_up
from tests.factories import BY

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
HOUR = timedelta(hours=1)

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.usefixtures("bank")]


@pytest.fixture
def endpoint(project):
    return set_up(project, at=AT)


def start_again(attempt):
    Attempt.objects.filter(pk=attempt.pk).update(browser_digest=secret_digest("held"))
    link, _ = issue(attempt.student.project, AT)
    use(link, new_browser_token(), start="again", held=["held"], at=AT + HOUR)


@pytest.mark.parametrize(
    ("end", "kind"),
    [
        (lambda attempt: completed(attempt, AT + HOUR), EventKind.COMPLETED),
        (lambda attempt: attempt.abandon(AT + HOUR), EventKind.ABANDONED),
        (lambda attempt: attempt.close(reason="x", at=AT + HOUR, by=BY), EventKind.ABANDONED),
        (start_again, EventKind.ABANDONED),
    ],
    ids=["completed", "left", "closed", "replaced"],
)
def test_each_end_stores_one_event_that_is_due(endpoint, project, end, kind):
    attempt = started(project, AT)

    end(attempt)
    assert not Attempt.objects.get(pk=attempt.pk).abandon(AT + HOUR)

    event = WebhookEvent.objects.get()
    assert (event.endpoint, event.attempt, event.kind) == (endpoint, attempt, kind)
    assert event.queued_at == event.created_at == AT + HOUR


def test_an_end_by_time_is_stored_once(endpoint, project):
    attempt = started(project, AT)
    late = attempt.finish_by_at

    assert store_past_ends(late - timedelta(seconds=1)) == 0
    assert store_past_ends(late) == 1
    assert store_past_ends(late + HOUR) == 0
    # Another deliverer that read before the first one stored.
    events = [WebhookEvent(kind=EventKind.ABANDONED, attempt=attempt, happened_at=late)]
    WebhookEvent.objects.store(endpoint, events, late)

    assert WebhookEvent.objects.get().attempt == attempt


def test_expired_links_are_stored_on_request_only(endpoint, project, other_project):
    set_up(other_project, at=AT)
    endpoint.change({"sends_expired_links": True, "sends_abandoned": False}, by=BY)
    issue(other_project, AT)
    link, _ = issue(project, AT)
    use(issue(project, AT, email="used@example.com")[0], at=AT)
    issue(project, AT, email="c@example.com")[0].cancel(reason="mistake", at=AT, by=BY)

    assert store_past_ends(link.expires_at) == 1

    event = WebhookEvent.objects.get()
    assert (event.link, event.kind) == (link, EventKind.LINK_EXPIRED)


def test_while_it_is_off_events_wait_for_a_replay(endpoint, project):
    events = WebhookEvent.objects
    endpoint.switch_off(reason="moving", at=AT, by=BY)

    completed(started(project, AT), AT)
    assert store_past_ends(started(project, AT, email="late@example.com").finish_by_at) == 1

    assert events.stored().count() == 2
    with pytest.raises(Refused):
        events.replay(endpoint, by=BY)
    endpoint.switch_on(by=BY)
    assert not events.queued().exists()
    assert events.replay(endpoint, by=BY) == 2
    assert events.queued().count() == 2


def test_a_replay_begins_anew(endpoint, project):
    completed(started(project, AT), AT)
    WebhookEvent.objects.update(queued_at=None, tries=10, last_error="status")

    assert WebhookEvent.objects.replay(endpoint, by=BY) == 1

    event = WebhookEvent.objects.get()
    assert event.tries == 0
    assert event.lease()


@pytest.mark.parametrize("erased", [True, False], ids=["erased", "deleted"])
def test_events_go_with_the_student_the_attempt_and_the_link(endpoint, project, erased):
    endpoint.change({"sends_expired_links": True}, by=BY)
    link, _ = issue(project, AT)
    attempt = started(project, AT)
    attempt.abandon(AT)
    started(project, AT)
    store_past_ends(link.expires_at)
    assert WebhookEvent.objects.count() == 3

    if erased:
        attempt.student.erase(by=BY)
        assert store_past_ends(timezone.now() + 1000 * HOUR) == 0
    else:
        AssessmentLink.objects.all().delete()
        Attempt.objects.all().delete()

    assert not WebhookEvent.objects.exists()
