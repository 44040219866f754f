from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.core.management.base import CommandError, CommandParser

from assessments.management.norms import bank_of_version
from assessments.models import Assessment, ItemBank
from partners.management.base import DataCommand

# Attempts in memory at once, and per line of progress.
CHUNK = 200
PROGRESS = 500


class Command(DataCommand):
    help = (
        "Score stored answers again, with the bank and the catalogue of the attempt, and compare "
        "the result with the stored one. Changes nothing. With --bank, score by the rules of "
        "another bank, matching items by code, to see who would get other courses before new "
        "rules go live. Exits with status "
        "0 if all results are the same, 1 if any differs or could not be scored. Each attempt that "
        "differs is a line on stdout, with --json an object with the old and the new result. The "
        "counts are on stderr."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("assessment_id", metavar="ASSESSMENT_ID", nargs="?")
        which.add_argument(
            "--all", action="store_true", help="every completed attempt, except of erased students"
        )
        parser.add_argument("--bank", metavar="VERSION", help="score by this bank's rules")

    def handle(self, *args: Any, **options: Any) -> None:
        rules = bank_of_version(options["bank"]) if options["bank"] else None
        attempts = every_completed() if options["all"] else [completed(options["assessment_id"])]
        counts: Counter[str] = Counter(
            {"same": 0, "other courses": 0, "another order": 0, "other figures": 0, "failed": 0}
        )
        for number, attempt in enumerate(attempts, 1):
            counts[self.compare(attempt, rules, as_json=options["json"])] += 1
            if number % PROGRESS == 0:
                self.say(f"{number} attempts so far")
        self.say(", ".join(f"{name} {count}" for name, count in counts.items()))
        if counts.total() > counts["same"]:
            raise CommandError(
                f"{counts.total() - counts['same'] - counts['failed']} differ, "
                f"{counts['failed']} could not be scored."
            )

    def compare(self, attempt: Assessment, rules: ItemBank | None, *, as_json: bool) -> str:
        """Score one attempt and print what differs. Return the kind of difference."""
        try:
            profile, recommendations = attempt.rescore(rules)
        except (LookupError, ValueError) as fault:
            self.stdout.write(
                json.dumps({"AssessmentId": attempt.assessment_id, "fault": fault.args[0]})
                if as_json
                else f"{attempt.assessment_id}: {fault.args[0]}"
            )
            return "failed"
        old = {"profile": attempt.profile, "recommendations": attempt.recommendations}
        # In the form in which the database would return it.
        new = json.loads(json.dumps({"profile": profile, "recommendations": recommendations}))
        if new == old:
            return "same"
        before = [course["name"] for course in attempt.recommendations or []]
        after = [course["name"] for course in recommendations]
        kind = "another order" if before != after else "other figures"
        if sorted(before) != sorted(after):
            kind = "other courses"
        if as_json:
            row = {"AssessmentId": attempt.assessment_id, "differs": kind, "old": old, "new": new}
            self.stdout.write(json.dumps(row, ensure_ascii=False))
        else:
            self.stdout.write(f"{attempt.assessment_id}: {kind}")
            if before != after:
                self.stdout.write(f"    {json.dumps(before, ensure_ascii=False)} ->")
                self.stdout.write(f"    {json.dumps(after, ensure_ascii=False)}")
        return kind


def completed(assessment_id: str) -> Assessment:
    attempt = Assessment.objects.filter(assessment_id=assessment_id).first()
    if attempt is None:
        raise CommandError(f"There is no assessment {assessment_id}.")
    if attempt.completed_at is None:
        raise CommandError(f"{assessment_id} is not completed, so there is no result to compare.")
    return attempt


def every_completed() -> Iterable[Assessment]:
    """Iterate over attempts whose stored result holds all it was made from: not of the erased."""
    kept = Assessment.objects.completed().filter(student__email_key__contains="@")
    attempts = kept.select_related("catalogue")
    return attempts.order_by("pk").iterator(chunk_size=CHUNK)
