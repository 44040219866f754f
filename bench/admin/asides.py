"""What bench.admin measures beside the pages, for comparison: the commands that read much."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from datetime import timedelta

from django.core.management import call_command
from django.utils import timezone

from assessments.models import ItemBank
from assessments.models.day_counts import count_days
from assessments.models.item_counts import count_items
from partners.models import Project
from tests.support.figures import Figure, reported


class Sink(io.StringIO):
    """Takes what a command prints, and keeps only how much it was."""

    characters = 0

    def write(self, text: str) -> int:
        self.characters += len(text)
        return len(text)


def asides() -> Iterator[Figure]:
    """Count a day and the items as `refresh_statistics` does, and export the largest project."""
    now = timezone.now()
    begun = time.monotonic()
    count_days([(now - timedelta(days=1)).date()], now)
    yield reported("refresh_statistics, one day of all projects, s", time.monotonic() - begun)
    begun = time.monotonic()
    attempts = count_items(ItemBank.objects.current(), now)
    what = f"over {attempts:,} attempts"
    yield reported("refresh_statistics, the items, s", time.monotonic() - begun, what)
    project, sink = Project.objects.order_by("pk")[0], Sink()
    begun = time.monotonic()
    call_command("export_results", project.project_id, stdout=sink, stderr=io.StringIO())
    what = f"{sink.characters / 1e6:.1f} MB of CSV"
    yield reported("export_results, the largest project, s", time.monotonic() - begun, what)
