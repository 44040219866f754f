import json
from collections import Counter
from typing import Any

from django.core.management.base import CommandError, CommandParser

from assessments.models import Attempt, ItemBank
from assessments.models.students import NOT_ERASED
from partners.management.base import DataCommand

CHUNK, PROGRESS = 200, 500  # attempts in memory at once, and per line of progress


class Command(DataCommand):
    help = (
        "Score stored answers again, with the bank and the catalogue of the attempt, and compare "
        "the result with the stored one. Changes nothing. --bank scores by the rules of another "
        "bank, matching items by code, to show who would get other courses. Prints a line for "
        "each attempt that differs, with --json an object with both results; the counts are on "
        "stderr. Exits with 1 if any result differs or can't be scored."
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
        rules = ItemBank.objects.filter(version=options["bank"]).first()
        if options["bank"] and not rules:
            raise CommandError(f"There is no bank {options['bank']}. The admin lists the banks.")
        attempts = Attempt.objects.filter(assessment_id=options["assessment_id"])
        if options["all"]:
            # Attempts of erased students lack what their result was made from.
            attempts = Attempt.objects.completed().filter(NOT_ERASED).order_by("pk")
        counts = Counter({"same": 0, "other courses": 0, "other figures": 0, "failed": 0})
        attempts = attempts.select_related("catalogue")
        for number, attempt in enumerate(attempts.iterator(CHUNK), 1):
            outcome, words, results = compare(attempt, rules)
            counts[outcome] += 1
            if options["json"] and results:
                row = {"AssessmentId": attempt.assessment_id, **results}
                self.stdout.write(json.dumps(row, ensure_ascii=False))
            elif results:
                self.stdout.write(f"{attempt.assessment_id}: {words}")
            if number % PROGRESS == 0:
                self.say(f"{number} attempts so far")
        self.say(", ".join(f"{name} {count}" for name, count in counts.items()))
        if not options["all"] and not counts.total():
            raise CommandError(f"There is no attempt {options['assessment_id']}.")
        if counts.total() > counts["same"]:
            raise CommandError(
                f"{counts['other courses'] + counts['other figures']} differ, "
                f"{counts['failed']} could not be scored."
            )


def compare(attempt: Attempt, rules: ItemBank | None) -> tuple[str, str, dict[str, Any]]:
    """Return the outcome of scoring an attempt again, what differs, in words, and both results."""
    try:
        profile, recommendations = attempt.rescore(rules)
    except (LookupError, ValueError) as fault:
        return "failed", fault.args[0], {"fault": fault.args[0]}
    old = {"profile": attempt.profile, "recommendations": attempt.recommendations}
    # As the database would return it.
    new = json.loads(json.dumps({"profile": profile, "recommendations": recommendations}))
    if new == old:
        return "same", "", {}
    before, after = (
        ", ".join(course["name"] for course in courses)
        for courses in (attempt.recommendations or [], recommendations)
    )
    kind, words = "other courses", f"other courses: {before} -> {after}"
    if before == after:
        kind = words = "other figures"
    return kind, words, {"differs": kind, "old": old, "new": new}
