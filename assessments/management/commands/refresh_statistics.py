from __future__ import annotations

from argparse import ArgumentTypeError
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.core.management.base import CommandError, CommandParser

from assessments.models import ProjectDay
from assessments.models.day_counts import count_days, days_to_count, recount_days
from partners.actor_context import command_actor
from partners.management.base import ClockedCommand
from partners.models import LastSuccess
from partners.models.last_successes import STATISTICS

# The shortest month. Older rows may have been purged, which lowers the counts.
WHOLE_FOR = timedelta(days=28)


class Command(ClockedCommand):
    help = (
        "Count the figures of the dashboards: each day's links, starts, ends, durations, low "
        "effort, recommendations and stopping places, by project and in total. Run it every hour "
        "by cron. It counts the days (UTC) since the last count and today again. Past days keep "
        "their figures, even after their rows are purged. The first run counts everything. You "
        "can run it twice, or two at once."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--from",
            dest="since",
            metavar="DATE",
            type=day,
            help="count again from this day on, for example 2026-11-21",
        )
        parser.add_argument(
            "--yes",
            action="store_true",
            help="count days again without asking, even if their rows may be purged",
        )

    def handle(
        self,
        *args: Any,
        since: date | None,
        yes: bool,
        clock_is_right: bool,
        json: bool,
        **options: Any,
    ) -> None:
        at = self.checked_now(clock_is_right=clock_is_right)
        days = days_to_count(at, since)

        def progress(done: int, day: date) -> None:
            self.progress(f"{day} counted, {done} of {len(days)}", quiet=json)

        if since:
            self.be_sure(since, at, yes=yes)
            recount_days(days, at, progress, **command_actor())
        else:
            count_days(days, at, progress)
        if since is None:
            LastSuccess.objects.note(STATISTICS)
        if json:
            self.print_data({"countedAt": at, "from": days[0], "to": days[-1], "days": len(days)})
            return
        span = f"{len(days)} days, {days[0]} to {days[-1]}" if len(days) > 1 else f"{days[0]}"
        self.say(f"Counted {span}, up to {at:%H:%M} UTC.")

    def be_sure(self, since: date, at: datetime, *, yes: bool) -> None:
        """Raise CommandError for a future day. Ask before a count that may lower figures."""
        if since > at.astimezone(UTC).date():
            raise CommandError(f"{since} is in the future.")
        whole_from = (at - WHOLE_FOR).astimezone(UTC).date()
        if not yes and ProjectDay.objects.between(since, whole_from).exists():
            self.confirm(
                f"Days up to {whole_from} were counted before, and some of their links and "
                "attempts may have been purged since. Count them again from the remaining rows?"
            )


def day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"“{text}” is not a date. An example is 2026-11-21.") from None
