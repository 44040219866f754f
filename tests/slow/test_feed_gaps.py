"""No end is missing in the feed and none comes twice, though commits are late and clocks wrong."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import timedelta
from threading import Thread
from unittest import mock

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.db.models.functions import Mod
from django.test import override_settings
from django.utils import timezone

from assessments.models import Attempt, feed
from assessments.models.ended import ENDED_AT
from partners.models import Project
from tests.support import prepare
from tests.support.clients import Partner
from tests.support.programs import ROOT
from tests.support.server import DATABASE, Service

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(DATABASE != "postgresql", reason="SQLite has one writer at a time"),
]

PROCESSES = 8
CLOCKS_APART = 10.0  # seconds between the first process's clock and the last one's
DELAYS = (20.0, 75.0)  # seconds for which a COMMIT may wait
# Of a hundred attempts, so many end with a delay, and so many by passing their finish-by.
SLOW, LATE = 2, 10


@dataclass(frozen=True)
class Plan:
    """How many attempts of a project end, in how many seconds.

    `scale` divides the times of the service and those above: 1 is real, 10 a tenth of it. Each
    method runs in a process of its own, on the database of a service.
    """

    project_id: str
    count: int
    seconds: float
    scale: float

    @property
    def attempts(self):
        return Attempt.objects.filter(student__project__project_id=self.project_id)

    def make(self):
        """Make open attempts. Some of them end by themselves, at any moment of the run."""
        first, _ = prepare.start(Project.objects.get(project_id=self.project_id), "first")
        prepare.copies(first, self.count - 1)
        now = timezone.now()
        for number, pk in enumerate(self.attempts.order_by("pk").values_list("pk", flat=True)):
            if number % 100 < LATE:
                at = now + timedelta(seconds=random.uniform(0, self.seconds))
                Attempt.objects.filter(pk=pk).update(finish_by_at=at)

    def write(self, part):
        """End one process's share of the attempts, by its own clock."""
        ahead = timedelta(seconds=CLOCKS_APART * (part / (PROCESSES - 1) - 0.5) / self.scale)
        mine = self.attempts.annotate(part=Mod("pk", PROCESSES)).filter(part=part)
        keys = list(mine.order_by("pk").values_list("pk", flat=True))
        slow = keys[:: 100 // SLOW]

        def end_slowly(pk, delay):
            # Each delayed COMMIT has a connection of its own and begins anywhere in the run.
            time.sleep(random.uniform(0, self.seconds))
            with transaction.atomic():
                Attempt.objects.get(pk=pk).abandon(timezone.now() + ahead)
                time.sleep(delay / self.scale)
            connection.close()

        delays = (DELAYS * len(slow))[: len(slow)]
        waiting = [Thread(target=end_slowly, args=each) for each in zip(slow, delays, strict=True)]
        with override_settings(CLOCK_TOLERANCE=settings.CLOCK_TOLERANCE / self.scale):
            for thread in waiting:
                thread.start()
            for pk in keys:
                time.sleep(random.uniform(0, 2 * self.seconds / len(keys)))
                if pk not in slow:
                    Attempt.objects.get(pk=pk).abandon(timezone.now() + ahead)
            for thread in waiting:
                thread.join()

    def follow(self):
        """Follow the feed until all is listed; return what was missed, and what came twice."""
        project = Project.objects.get(project_id=self.project_id)
        place, seen = feed.START, []
        held_back, writers = feed.HELD_BACK / self.scale, feed.BEFORE_WRITERS / self.scale
        longest = self.seconds + 3 * (max(DELAYS) / self.scale + held_back.total_seconds()) + 30
        until = time.monotonic() + longest
        with mock.patch.multiple(feed, HELD_BACK=held_back, BEFORE_WRITERS=writers):
            while time.monotonic() < until and len(seen) < self.count:
                listed = feed.page(project.pk, place, 200)
                for attempt in listed:
                    place = feed.Place(attempt.listed_at, attempt.pk)
                    seen.append(attempt.pk)
                if len(listed) < 200:
                    time.sleep(1 / self.scale)
        ordered = self.attempts.annotate(ended_at=ENDED_AT).order_by("ended_at", "pk")
        expected = list(ordered.values_list("pk", flat=True))
        return {
            "missing": len(set(expected) - set(seen)),
            "twice": len(seen) - len(set(seen)),
            "in order": seen == [pk for pk in expected if pk in set(seen)],
        }


@pytest.fixture
def prepared(tmp_path_factory):
    """Give the database of a service, whose web process is not needed."""
    service = Service("postgresql", tmp_path_factory.mktemp("feed"))
    try:
        service.prepare()
        yield service
    finally:
        service.close()


def test_a_client_that_follows_the_cursor_meets_each_end_once_and_in_order(prepared, times):
    """With --times 20, 10,000 attempts end, in real time; else fewer, in a tenth of it."""
    size = (10_000, 180.0, 1.0) if times >= 20 else (400, 6.0, 10.0)
    plan = Plan(Partner.onboarded(prepared.manage).project_id, *size)

    def begun(call):
        """Call a method of the plan in a process; return a function that waits for its outcome."""
        imports = "import json; from tests.slow.test_feed_gaps import Plan"
        program = f"{imports}; print(json.dumps({plan!r}.{call}))"
        command = [sys.executable, "manage.py", "shell", "--no-imports", "-v", "0", "-c", program]
        process = subprocess.Popen(
            command, cwd=ROOT, env=prepared.environment, stdout=subprocess.PIPE, text=True
        )

        def outcome():
            out, _ = process.communicate(timeout=900)
            assert process.returncode == 0
            return json.loads(out)

        return outcome

    begun("make()")()
    client = begun("follow()")
    writers = [begun(f"write({part})") for part in range(PROCESSES)]
    for writer in writers:
        writer()

    assert client() == {"missing": 0, "twice": 0, "in order": True}
