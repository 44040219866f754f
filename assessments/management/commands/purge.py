from collections import Counter, defaultdict
from datetime import datetime, timedelta
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from assessments.keeping import retention
from assessments.models import Attempt
from assessments.models.ended import ClockDiffers, check_clock
from partners.management.base import DataCommand
from partners.models import AuditEvent, LastSuccess, Project
from partners.models.last_successes import PURGE

# If more than this share of the attempts, and at least MIN_ATTEMPTS, are due at once, something is
# wrong.
MAX_SHARE, MIN_ATTEMPTS = 0.05, 100
# By a clock that is years ahead, every retention is over.
MAX_SILENCE = timedelta(days=30)

Counts = dict[int | None, Counter[str]]  # by project, None without one, and by kind


class Command(DataCommand):
    help = (
        "Delete data whose retention has ended; without --apply, only count it. Attempts go with "
        "their answers and links after the months that the student was told, students with their "
        "last link or attempt, unused links 30 days after their expiry, refused calls and webhook "
        "events after 30 days, catalogues without results 24 months after they were replaced, "
        "uploaded files that were not loaded after 7 days, audit events after 7 years, "
        "expired staff sessions, and everything in test projects after 7 days. Deletes in batches "
        "of at most 500. You can stop it, run it again, and run two at once. Refuses if the clock "
        "seems wrong, or if more than a twentieth of the attempts are due."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--apply", action="store_true", help="delete without asking")
        parser.add_argument(
            "--attempts",
            type=int,
            metavar="N",
            help=f"delete up to N attempts of live projects, even if that is more than "
            f"{MAX_SHARE:.0%}% of them",
        )
        parser.add_argument(
            "--clock-is-right",
            action="store_true",
            help="run even if the audit trail has no event of the last 30 days",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        at, apply = timezone.now(), options["apply"]
        if apply:
            self.refuse_wrong_clock(at, options["clock_is_right"])
        counts = retention.forecast(at)
        if apply:
            self.refuse_too_many(counts, options["attempts"])
            counts = self.delete(at, counts)
            LastSuccess.objects.note(PURGE)
        total: Counter[str] = sum(counts.values(), Counter())
        if options["json"]:
            report: dict[str, int] = {"applied": apply}
            for kind in retention.PURGED_KINDS:
                report[kind[0] + kind.title().replace(" ", "")[1:]] = total[kind]  # unusedLinks
            self.print_data(report)
        else:
            projects = Project.objects.in_bulk([pk for pk in counts if pk])
            for pk, counted in counts.items():
                whose = projects[pk].project_id if pk else "without a project"
                self.stdout.write(f"{whose}: {retention.counts_in_words(counted)}")
        if not total:
            self.say("There is nothing to delete.")
        elif apply:
            self.say(f"Deleted: {retention.counts_in_words(total)}.")
        else:
            due = retention.counts_in_words(total)
            self.say(f"To delete: {due}. Nothing was deleted; use --apply to delete.")

    def refuse_wrong_clock(self, at: datetime, is_right: bool) -> None:
        """Raise CommandError if the database or the newest audit event contradicts `at`."""
        try:
            check_clock(at)
        except ClockDiffers as differs:
            raise CommandError(f"{differs} Set both by NTP, then run this again.") from None
        newest = AuditEvent.objects.newest_first().values_list("at", flat=True).first()
        if newest and not is_right and at - newest > MAX_SILENCE:
            raise CommandError(
                f"It is {at:%Y-%m-%d %H:%M} UTC, and the newest event of the audit trail is from "
                f"{newest:%Y-%m-%d}, more than {MAX_SILENCE.days} days ago. If the clock is "
                "right, run this again with --clock-is-right."
            )

    def refuse_too_many(self, due: Counts, allowed: int | None) -> None:
        tests = set(Project.objects.filter(is_test=True).values_list("pk", flat=True))
        count = sum(counts["attempts"] for pk, counts in due.items() if pk not in tests)
        if count < MIN_ATTEMPTS or (allowed is not None and count <= allowed):
            return
        stored = Attempt.objects.without_tests().count()
        if count > stored * MAX_SHARE:
            raise CommandError(
                f"{count:,} of {stored:,} attempts of live projects are due, more than "
                f"{MAX_SHARE:.0%}. Nothing was deleted. Check the clock, and the retention of the "
                f"projects; if it is right, run this again with --attempts {count}."
            )

    def delete(self, at: datetime, due: Counts) -> Counts:
        deleted: Counts = defaultdict(Counter)
        for project, counts in retention.purge(at, due, by=self.by):
            deleted[project.pk if project else None].update(counts)
            done = sum(each.total() for each in deleted.values())
            self.progress(f"{done} rows so far")
        return deleted
