from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from assessments.management.norms import (
    TooFew,
    bank_of_version,
    completed,
    lineage,
    normed_bank,
    read_answers,
)
from assessments.models import ItemBank
from measurement.norms import FEWEST_ATTEMPTS
from measurement.scales import SCALES
from partners.management.base import DataCommand
from partners.models.audit import command_actor

# A timer publishes new norms when the attempts have grown by half: at first they change much, and
# from 30 to 300 attempts that makes six banks.
GROWTH = 1.5


class Command(DataCommand):
    help = (
        "Work out means and SDs of the scales, the interest statements and the fields, and the "
        f"usual times of the sections, from at least {FEWEST_ATTEMPTS} completed attempts without "
        "flags, on a bank and those that it succeeds. "
        "Prints the old and new figures. Changes nothing without --apply, which publishes a new "
        "bank with them and makes it the current one. Attempts that have started stay on their "
        "bank."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--bank", metavar="VERSION", help="the bank; default: the current one")
        parser.add_argument(
            "--apply", action="store_true", help="publish a new bank and make it the current one"
        )
        parser.add_argument("--yes", action="store_true", help="publish without asking")
        parser.add_argument(
            "--until",
            type=int,
            metavar="N",
            help="for scheduled runs: change nothing, and exit with 0, once N attempts count or "
            "until they have grown by half since the last norms",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        old, until = self.bank(options["bank"]), options["until"]
        printed: dict[str, Any] = {"bank": old.version, "newVersion": None, "published": False}
        if until is not None:
            count = completed(lineage(old)).flagged(False).count()
            if why := reason_to_wait(old, count, until):
                self.say(f"{count} attempts on {old} count. {why}")
                if options["json"]:
                    self.print_data({**printed, "sittings": count})
                return
        content = old.to_file()
        try:
            attempts = read_answers(
                old,
                content,
                lambda count: self.progress(f"{count} attempts read", quiet=options["json"]),
            )
        except TooFew as error:
            raise CommandError(str(error)) from error
        self.say(f"{len(attempts)} attempts on {old} count.")
        new = normed_bank(content, attempts)
        if not options["json"]:
            self.stdout.write("\n".join(table(content, new)))
        if options["apply"]:
            self.publish(old, new, is_current=options["bank"] is None, yes=options["yes"])
        else:
            self.say(f"Nothing changed. Use --apply to publish this as bank {new['version']}.")
        if options["json"]:
            figures = {
                name: {"norms": bank["norms"], "seconds": seconds(bank)}
                for name, bank in (("old", content), ("new", new))
            }
            printed |= {"newVersion": new["version"], "published": options["apply"]}
            self.print_data({**printed, "sittings": len(attempts), **figures})

    def bank(self, version: str | None) -> ItemBank:
        if version is None:
            current = ItemBank.objects.made_current().first()
            if current is None:
                raise CommandError("There is no bank yet; publish one with load_items.")
            return current
        bank = bank_of_version(version)
        if bank.is_retired:
            raise CommandError(
                f"Bank {bank} is retired. Name another, or leave out --bank for the current one."
            )
        return bank

    def publish(
        self, old: ItemBank, new: Mapping[str, Any], *, is_current: bool, yes: bool
    ) -> None:
        """Ask, then publish the new bank and make it the current one.

        If `old` was the current bank, it must still be: a release may have published another one.
        """
        if not yes:
            self.confirm(
                f"Publish bank {new['version']}, made from {old}, and use it for all attempts that "
                "start from now on?"
            )
        with transaction.atomic():
            ItemBank.objects.lock()
            if is_current and ItemBank.objects.current() != old:
                raise CommandError(
                    f"Bank {old} is not the current one any more. Nothing was published."
                )
            bank, _ = ItemBank.objects.publish(new, **command_actor())
            bank.make_current(**command_actor())
        self.say(f"Bank {bank} is published and is the current one.")


def reason_to_wait(bank: ItemBank, count: int, until: int) -> str:
    """Return why so many attempts leave the bank as it is; "" if they don't."""
    if until < 1:
        raise CommandError("--until must be at least 1.")
    if count >= until:
        return f"From {until} on, look at the figures and update the norms yourself."
    fewest = max(FEWEST_ATTEMPTS, math.ceil(GROWTH * bank.norms_from))
    if count >= fewest:
        return ""
    if bank.norms_from:
        return f"Its norms come from {bank.norms_from}; new ones need {fewest}."
    return f"{fewest} are needed for the first norms."


def seconds(content: Mapping[str, Any]) -> dict[str, float | None]:
    return {section["code"]: section.get("seconds") for section in content["sections"]}


def table(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line per norm, then one per section, old and new figures side by side."""
    before, after = norms(old), norms(new)
    width = max(18, *(len(name) for names in before.values() for name in names))
    for title, names in before.items():
        yield f"{title:<{width}} {'mean':>6} {'new':>6}  {'SD':>6} {'new':>6}"
        for name, (mean, sd) in names.items():
            new_mean, new_sd = after[title][name]
            yield f"{name:<{width}} {mean:>6.2f} {new_mean:>6.2f}  {sd:>6.2f} {new_sd:>6.2f}"
    yield f"{'section':<{width}} {'seconds':>13} {'new':>6}"
    for code, usual in seconds(old).items():
        was, now = ("-" if each is None else each for each in (usual, seconds(new)[code]))
        yield f"{code:<{width}} {was:>13} {now:>6}"


def norms(content: Mapping[str, Any]) -> dict[str, dict[str, tuple[float, float]]]:
    """Return mean and SD by name, of scales and statements."""
    given = content["norms"]
    return {
        "scale": {
            scale: (given[section][scale]["mean"], given[section][scale]["sd"])
            for section, scales in SCALES.items()
            for scale in scales
        },
        "statement": {norm["code"]: (norm["mean"], norm["sd"]) for norm in given["statements"]},
    }
