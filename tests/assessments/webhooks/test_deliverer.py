"""The deliverer sends what is due, tries again what failed, and gives up after three days."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.test import override_settings
from django.utils import timezone
from standardwebhooks import Webhook

from assessments.models import Attempt, WebhookEndpoint, WebhookEvent
from assessments.webhooks import endpoints
from assessments.webhooks.endpoints import GIVE_UP_AFTER, MAX_SILENCE, SendResult
from assessments.webhooks.events import AFTER, LEASE, EventKind
from assessments.webhooks.sender import SECONDS, Deliverer
from partners.models import Project
from partners.times import rfc3339
from tests.assessments.attempts import completed, started
from tests.assessments.webhooks.endpoints import set_up
from tests.factories import BY
from tests.support.receiver import Receiver, listening, status

HOUR = timedelta(hours=1)

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.usefixtures("bank")]


@dataclass
class Hook:
    """A project whose endpoint is a receiver on loopback."""

    project: Project
    receiver: Receiver
    endpoint: WebhookEndpoint

    def left(self, number=0):
        """Return the event of an attempt that is left now."""
        attempt = started(self.project, email=f"s{number}@example.com")
        assert attempt.abandon()
        return WebhookEvent.objects.get(attempt=attempt)

    @property
    def sent(self):
        return [json.loads(call.body) for call in self.receiver.calls]


@pytest.fixture
def hook(project):
    with listening() as receiver:
        endpoint = set_up(project, receiver.url, at=timezone.now() - HOUR)
        yield Hook(project, receiver, endpoint)


def deliver():
    Deliverer().run_once()


def again(event):
    return WebhookEvent.objects.select_related("endpoint").get(pk=event.pk)


def move_clock(by):
    """Let time pass: all times of endpoints and events move back."""
    for rows, columns in (
        (WebhookEndpoint.objects, ("created_at", "swept_until", "failing_since", "paused_until")),
        (WebhookEvent.objects, ("created_at", "queued_at", "leased_until")),
    ):
        for row in rows.all():
            for column in columns:
                if at := getattr(row, column):
                    setattr(row, column, at - by)
            row.save()


def test_an_event_is_delivered_once_and_verified_by_the_library(hook, caplog):
    endpoint, receiver, before = hook.endpoint, hook.receiver, hook.endpoint.secret
    endpoint.rotate_secret(overlap=timedelta(days=1), seen_version=1, by=BY)
    endpoint.change({"url": f"{endpoint.url}?key=hidden"}, by=BY)
    attempt = completed(started(hook.project))
    caplog.set_level("INFO")

    deliver()
    deliver()

    [call] = receiver.calls
    event = WebhookEvent.objects.get()
    assert call.id == event.event_id
    for secret in (before, endpoint.secret):
        assert Webhook(secret).verify(call.body, call.headers)
    at = rfc3339(attempt.completed_at or timezone.now())
    data = {"AssessmentId": attempt.assessment_id, "Status": "Completed", "EndedAt": at}
    assert hook.sent == [{"type": "assessment.completed", "timestamp": at, "data": data}]
    assert (event.last_status, event.last_error, event.tries) == (204, "", 1)
    assert event.delivered_at
    assert (event.queued_at, event.leased_until) == (None, None)
    assert event.event_id in caplog.text
    assert "hidden" not in caplog.text
    assert "127.0.0.1" not in caplog.text

    assert WebhookEvent.objects.replay(endpoint, by=BY) == 0


@pytest.mark.parametrize("seconds_ago", [120, 30])
def test_an_end_by_time_is_sent_once_the_feed_shows_it(hook, seconds_ago):
    attempt = started(hook.project, timezone.now() - 25 * HOUR)
    at = timezone.now() - timedelta(seconds=seconds_ago)
    Attempt.objects.update(finish_by_at=at)

    deliver()

    left = {"AssessmentId": attempt.assessment_id, "Status": "Abandoned", "EndedAt": rfc3339(at)}
    event = {"type": "assessment.abandoned", "timestamp": rfc3339(at), "data": left}
    assert hook.sent == ([event] if seconds_ago > 60 else [])


def test_a_failure_is_tried_again_with_the_same_id_and_a_new_timestamp(hook):
    event = hook.left()
    hook.receiver.answer = status(500)
    deliver()
    failed = again(event)
    assert (failed.tries, failed.last_status, failed.last_error) == (1, 500, "status")
    assert (failed.queued_at, failed.leased_until) == (event.queued_at, None)
    assert failed.endpoint.failing_since
    deliver()
    assert len(hook.receiver.calls) == 1

    move_clock(timedelta(seconds=6))
    hook.receiver.answer = status(200)
    deliver()

    assert hook.receiver.ids == [event.event_id] * 2
    for call in hook.receiver.calls:
        Webhook(hook.endpoint.secret).verify(call.body, call.headers)
    delivered = again(event)
    assert delivered.delivered_at
    assert (delivered.endpoint.failing_since, delivered.endpoint.paused_until) == (None, None)


def test_the_first_success_after_an_outage_makes_all_due_that_was_tried_in_vain(hook):
    hook.receiver.answer = status(503)
    event, waited = hook.left(), timedelta(0)
    for after in AFTER[:6]:
        move_clock(after - waited + timedelta(seconds=2))
        waited = after
        deliver()
    assert again(event).tries == 6

    hook.receiver.answer = status(204)
    move_clock(HOUR)
    deliver()
    assert not again(event).delivered_at
    hook.left(1)
    deliver()
    assert again(event).delivered_at


def test_an_event_of_an_erased_student_is_not_sent(hook):
    attempt = hook.left().attempt
    assert attempt
    # As if the sweep had stored it while the erasure ran.
    attempt.student.erase(by=BY)
    at = timezone.now()
    stored = WebhookEvent(kind=EventKind.ABANDONED, attempt=attempt, happened_at=at)
    WebhookEvent.objects.store(hook.endpoint, [stored], at)

    deliver()

    assert hook.receiver.calls == []
    assert not WebhookEvent.objects.exists()


def test_a_leased_event_is_sent_by_nobody_else_until_the_lease_ends(hook):
    event = hook.left()
    mine, other = again(event), again(event)
    assert mine.lease()
    assert not other.lease()
    deliver()
    assert hook.receiver.calls == []

    move_clock(timedelta(minutes=1))
    deliver()

    assert hook.receiver.ids == [event.event_id]
    # The first deliverer comes back late: it changes nothing.
    assert not mine.finish(SendResult(500, "status"), by=BY)
    assert again(event).delivered_at


def test_a_deliverer_that_read_an_event_before_another_tried_it_leaves_it(hook):
    event = hook.left()
    mine, other = again(event), again(event)
    assert mine.lease()
    assert mine.finish(SendResult(500, "status"), by=BY)

    assert not other.lease(timezone.now() + HOUR)


def test_what_support_does_during_a_call_is_not_undone_by_its_result(hook):
    off, replayed = hook.left(0), hook.left(1)
    assert off.lease()
    hook.endpoint.switch_off(reason="moving", by=BY)
    assert off.finish(SendResult(500, "status"), by=BY)
    assert list(WebhookEvent.objects.stored().order_by("pk")) == [off, replayed]

    hook.endpoint.switch_on(by=BY)
    WebhookEvent.objects.update(queued_at=timezone.now() - 8 * HOUR, tries=5)
    called = again(replayed)
    assert called.lease()
    assert WebhookEvent.objects.replay(hook.endpoint, by=BY) == 2
    assert called.finish(SendResult(500, "status"), by=BY)
    assert again(replayed).tries == 1
    assert again(replayed).queued_at > timezone.now() - HOUR


def test_a_database_that_is_gone_leaves_the_lease_and_the_deliverer_stops(hook, monkeypatch):
    events = [hook.left(), hook.left(1)]

    def gone(event, *_, **__):
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(WebhookEvent, "finish", gone)
    monkeypatch.setattr(connection, "close", lambda: None)  # it is the test's own
    deliverer, stopping = Deliverer(), threading.Event()
    with ThreadPoolExecutor() as pool:
        deliverer.begin(pool)
    stopping.set()
    deliverer.run(stopping)

    assert sorted(hook.receiver.ids) == sorted(each.event_id for each in events)
    assert not WebhookEvent.objects.exclude(leased_until__gt=timezone.now()).exists()


def test_an_event_alone_is_tried_at_each_time_of_the_schedule_then_its_endpoint_is_off(hook):
    event = hook.left()
    for after in AFTER:
        assert again(event).endpoint.is_on
        at = event.queued_at + after
        assert not again(event).lease(at - timedelta(microseconds=1))
        tried = again(event)
        assert tried.lease(at)
        assert tried.finish(SendResult(500, "status"), at=at, by=BY)

    assert list(WebhookEvent.objects.stored()) == [event]
    assert not again(event).endpoint.is_on


def test_the_times_of_the_schedule():
    assert [after.total_seconds() for after in AFTER[:4]] == [0, 5, 305, 2105]
    assert len(AFTER) == 10
    assert GIVE_UP_AFTER <= AFTER[-1] < 2 * GIVE_UP_AFTER
    assert AFTER[-1] - AFTER[-2] <= MAX_SILENCE
    assert LEASE.total_seconds() >= 3 * SECONDS


def test_an_event_alone_refused_is_given_up_after_ten_tries_and_holds_up_no_other(
    hook, monkeypatch
):
    monkeypatch.setattr(endpoints, "jitter", lambda: 1)
    refused, waited = hook.left(), timedelta(0)

    def answer(handler):
        status(400 if handler.headers["webhook-id"] == refused.event_id else 204)(handler)

    hook.receiver.answer = answer
    for number, after in enumerate(AFTER, 1):
        move_clock(after - waited)
        waited = after
        other = hook.left(number)
        deliver()
        assert again(other).delivered_at
        assert hook.receiver.ids.count(refused.event_id) == number
        again(refused).endpoint.succeeded(timezone.now())  # if the failure was noted last

    move_clock(MAX_SILENCE)
    deliver()
    assert hook.receiver.ids.count(refused.event_id) == len(AFTER)
    assert list(WebhookEvent.objects.stored()) == [refused]
    assert again(refused).endpoint.is_on


def test_after_an_outage_what_waited_is_sent_when_the_pause_ends(hook):
    hook.receiver.answer = status(503)
    event = hook.left()
    for passes in (7 * HOUR, HOUR * 5 / 6, timedelta(0)):
        deliver()
        move_clock(passes)
    newer = hook.left(1)
    deliver()
    assert (again(event).tries, again(newer).tries) == (3, 0)

    hook.receiver.answer = status(204)
    deliver()
    assert not WebhookEvent.objects.filter(delivered_at__isnull=False).exists()
    move_clock(HOUR / 6)
    assert WebhookEvent.objects.candidates(2, except_for=[]) == [event, newer]
    assert HOUR < WebhookEvent.objects.overdue() < 8 * HOUR
    deliver()

    assert hook.receiver.ids.count(event.event_id) == 4
    assert not WebhookEvent.objects.undelivered().exists()
    assert not WebhookEvent.objects.overdue()


def test_pauses_differ_by_up_to_a_fifth():
    drawn = [endpoints.jitter() for _ in range(200)]

    assert 1 <= min(drawn) < 1.1 < max(drawn) <= 1.2


def test_a_receiver_that_asks_for_a_pause_gets_it(hook):
    hook.receiver.answer = status(429, **{"Retry-After": "3600"})
    event, before = hook.left(), timezone.now()

    deliver()

    assert again(event).endpoint.paused_until >= before + HOUR


def test_the_command_prints_what_it_did_and_needs_the_key(hook, capsys):
    hook.left()

    call_command("deliver_webhooks", "--once", "--json")

    assert json.loads(capsys.readouterr().out) == {"delivered": 1, "failed": 0}
    with override_settings(WEBHOOK_KEY=""), pytest.raises(CommandError, match="WEBHOOK_KEY"):
        call_command("deliver_webhooks", "--once")
