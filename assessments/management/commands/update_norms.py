import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from assessments.models import Attempt, ItemBank
from assessments.models.attempts import AttemptQuerySet
from measurement.bank_validation import validate
from measurement.norms import FEWEST_ATTEMPTS, with_norms_from
from measurement.scales import SCALES
from measurement.successor import NORMED, make_successor, unchanged_items
from partners.management.base import DataCommand

# Scheduled runs publish new norms when the attempts have grown by half: norms change most at first,
# and this makes nine banks between 10 and 300 attempts.
GROWTH = 1.5
MAX_ATTEMPTS = 10_000  # enough for errors of a few hundredths
CHUNK = 200


class Command(DataCommand):
    help = (
        "Compute the norms of scales, interest statements and fields, and the usual times of "
        f"sections, from at least {FEWEST_ATTEMPTS} completed attempts without flags on the "
        "current bank and those that it succeeds. Prints old and new figures. Changes nothing "
        "without --apply, which publishes a new bank with them and makes it current. Attempts "
        "that have started keep their bank."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--apply", action="store_true", help="publish a new bank and make it the current one"
        )
        parser.add_argument("--yes", action="store_true", help="publish without asking")
        parser.add_argument(
            "--until",
            type=int,
            metavar="N",
            help="for a timer: change nothing and exit with 0 from N attempts on, and until they "
            "have grown by half since the last norms",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        old, until = ItemBank.objects.made_current().first(), options["until"]
        if old is None:
            raise CommandError("There is no bank yet; publish one with load_items.")
        report: dict[str, Any] = {"bank": old.version, "newVersion": None, "published": False}
        if until is not None:
            count = completed(lineage(old)).flagged(False).count()
            needed = max(FEWEST_ATTEMPTS, math.ceil(GROWTH * old.norms_from))
            if not needed <= count < until:
                self.say(
                    f"{count} attempts on {old} count. New norms are made from {needed} on; from "
                    f"{until} on, look at the figures and update the norms yourself."
                )
                if options["json"]:
                    self.print_data({**report, "sittings": count})
                return
        content = old.to_file()
        new = make_normed_bank(old, content, self.progress)
        self.say(f"{new['norms_from']} attempts on {old} count.")
        if not options["json"]:
            self.stdout.write("\n".join(compare_figures(content, new)))
        if options["apply"]:
            self.publish(old, new, yes=options["yes"])
        else:
            self.say(f"Nothing changed. Use --apply to publish this as bank {new['version']}.")
        if options["json"]:
            figures = {
                name: {"norms": bank["norms"], "seconds": usual_seconds(bank)}
                for name, bank in (("old", content), ("new", new))
            }
            report |= {"newVersion": new["version"], "published": options["apply"]}
            self.print_data({**report, "sittings": new["norms_from"], **figures})

    def publish(self, old: ItemBank, new: Mapping[str, Any], *, yes: bool) -> None:
        """Ask, then publish the new bank, unless a release has published another since."""
        if not yes:
            self.confirm(
                f"Publish bank {new['version']}, made from {old}, and use it for all attempts that "
                "start from now on?"
            )
        with transaction.atomic():
            ItemBank.objects.lock()
            if ItemBank.objects.current() != old:
                raise CommandError(
                    f"Bank {old} is not the current one any more. Nothing was published."
                )
            bank, _ = ItemBank.objects.publish(new, by=self.by)
            bank.make_current(by=self.by)
        self.say(f"Bank {bank} is published and is the current one.")


class TooFew(CommandError):
    """Says how many attempts are missing."""


def lineage(bank: ItemBank) -> list[ItemBank]:
    """Return a bank and those that it succeeds, the newest first."""
    banks = [bank]
    while succeeded := ItemBank.objects.filter(version=banks[-1].succeeds).first():
        if succeeded in banks:
            break
        banks.append(succeeded)
    return banks


def completed(banks: list[ItemBank]) -> AttemptQuerySet:
    return Attempt.objects.without_tests().filter(bank__in=banks).completed()


def make_normed_bank(
    bank: ItemBank, content: Mapping[str, Any], progress: Callable[[str], None]
) -> dict[str, Any]:
    """Return a successor of the bank file `content`, with norms from answers on `bank`.

    Uses the newest attempts without flags on the bank and those that it succeeds, and of these the
    answers to items that `content` asks alike. Raises TooFew, or CommandError with faults.
    """
    banks = lineage(bank)
    unchanged = {each.pk: unchanged_items(each.to_file(), content) for each in banks}
    usable = completed([each for each in banks if unchanged[each.pk]])
    valid = usable.flagged(False)
    count = valid.count()
    if count < FEWEST_ATTEMPTS:
        raise TooFew(
            f"There are {count} completed attempts without flags on "
            f"{' and '.join(map(str, banks))}, and {usable.flagged().count()} with. At least "
            f"{FEWEST_ATTEMPTS} without are needed: {FEWEST_ATTEMPTS - count} more."
        )
    newest = valid.defer("recommendations").newest_first()[:MAX_ATTEMPTS]
    attempts = []
    for attempt in newest.iterator(CHUNK):
        codes = unchanged[attempt.bank_id]
        attempts.append([each for each in attempt.given() if each.code in codes])
        if len(attempts) % CHUNK == 0:
            progress(f"{len(attempts)} attempts read")
    versions = list(ItemBank.objects.values_list("version", flat=True))
    new = make_successor(with_norms_from(content, attempts), NORMED, versions)
    if faults := validate(new):
        raise CommandError("\n".join(["Nothing was published. Errors:", *faults]))
    return new


def usual_seconds(content: Mapping[str, Any]) -> dict[str, float | None]:
    return {section["code"]: section.get("seconds") for section in content["sections"]}


def compare_figures(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line per norm, then one per section, with old and new figures."""
    yield f"{'scale, statement':<24} {'mean':>6} {'new':>6}  {'SD':>6} {'new':>6}"
    for (name, was), (_, now) in zip(list_norms(old), list_norms(new), strict=True):
        yield (
            f"{name:<24} {was['mean']:>6.2f} {now['mean']:>6.2f}  {was['sd']:>6.2f} "
            f"{now['sd']:>6.2f}"
        )
    yield f"{'section':<24} {'seconds':>13} {'new':>6}"
    after = usual_seconds(new)
    for code, usual in usual_seconds(old).items():
        yield f"{code:<24} {usual or '-':>13} {after[code] or '-':>6}"


def list_norms(content: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, float]]]:
    all_norms = content["norms"]
    for section, scales in SCALES.items():
        yield from ((scale, all_norms[section][scale]) for scale in scales)
    yield from ((norm["code"], norm) for norm in all_norms["statements"])
