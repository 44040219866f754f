"""Base of the commands that make a new bank from completed attempts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from assessments.management import completed_attempts
from assessments.measurement.bank_validation import validate
from assessments.measurement.completed_attempt import CompletedAttempt
from assessments.measurement.norms import FEWEST_ATTEMPTS
from assessments.measurement.recalibration import next_version, successor
from assessments.models import ItemBank
from assessments.models.banks import BankRefused, Immutable
from partners.actor_context import command_actor
from partners.management.base import DataCommand


@dataclass(frozen=True)
class Recalibrated:
    """A bank with new figures: its content, and the changes as lines, words and values."""

    content: Mapping[str, Any]
    table: Iterable[str]
    figures: Mapping[str, Any]
    summary: str = ""


class RecalibrationCommand(DataCommand):
    """Show the changes. With --apply, publish them as a new bank and make it the current one."""

    letter: ClassVar[str]

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--bank", metavar="VERSION", help="the bank; default: the current one")
        parser.add_argument(
            "--apply", action="store_true", help="publish a new bank and make it the current one"
        )
        parser.add_argument(
            "--new-version",
            metavar="VERSION",
            help=f"version of the new bank; default: the next free one, as 2026.2-{self.letter}1",
        )
        parser.add_argument("--yes", action="store_true", help="publish without asking")

    def handle(
        self,
        *args: Any,
        bank: str | None,
        apply: bool,
        new_version: str | None,
        yes: bool,
        json: bool,
        **options: Any,
    ) -> None:
        old = self.bank(bank)
        if waiting := self.waiting(old, **options):
            count, why = waiting
            self.say(f"{count} attempts on {old} count. {why}")
            if json:
                self.print_data(
                    {"bank": old.version, "newVersion": None, "published": False, "sittings": count}
                )
            return
        found = self.attempts(old, quiet=json)
        recalibrated = self.recalibrate(old, found, quiet=json)
        version = self.new_version(old, new_version)
        if not json:
            self.stdout.write("\n".join(recalibrated.table))
            if recalibrated.summary:
                self.say(recalibrated.summary)
        if apply:
            self.publish(old, recalibrated.content, version, is_current=bank is None, yes=yes)
        else:
            self.say(f"Nothing changed. Use --apply to publish this as bank {version}.")
        if json:
            self.print_data(
                {
                    "bank": old.version,
                    "newVersion": version,
                    "published": apply,
                    "sittings": len(found),
                    **recalibrated.figures,
                }
            )

    def fewest(self, bank: ItemBank) -> int:
        """Return the number of attempts without flags that a bank needs."""
        return FEWEST_ATTEMPTS

    def waiting(self, bank: ItemBank, **options: Any) -> tuple[int, str] | None:
        """Return the number of attempts, and why they leave the bank as it is; None otherwise."""
        return None

    @abstractmethod
    def recalibrate(
        self, bank: ItemBank, attempts: Sequence[CompletedAttempt], *, quiet: bool
    ) -> Recalibrated:
        """Return the bank with figures from its attempts. With `quiet`, show no progress."""

    def bank(self, version: str | None) -> ItemBank:
        try:
            if version is None:
                return ItemBank.objects.current()
            bank = ItemBank.objects.get(version=version)
        except ItemBank.DoesNotExist:
            which = f"no bank {version}" if version else "no bank yet; publish one with load_items"
            raise CommandError(f"There is {which}.") from None
        if bank.is_retired:
            raise CommandError(
                f"Bank {bank} is retired. Name another, or leave out --bank for the current one."
            )
        return bank

    def attempts(self, bank: ItemBank, *, quiet: bool) -> list[CompletedAttempt]:
        """Read the attempts on a bank. Raise CommandError if there are too few."""
        try:
            found = completed_attempts.read(
                bank,
                self.fewest(bank),
                lambda count: self.progress(f"{count} attempts read", quiet=quiet),
            )
        except completed_attempts.TooFew as error:
            raise CommandError(str(error)) from error
        self.say(f"{len(found)} attempts on {bank} count.")
        return found

    def new_version(self, bank: ItemBank, asked_for: str | None) -> str:
        taken = ItemBank.objects.values_list("version", flat=True)
        return asked_for or next_version(bank.version, self.letter, list(taken))

    def publish(
        self,
        old: ItemBank,
        content: Mapping[str, Any],
        version: str,
        *,
        is_current: bool,
        yes: bool,
    ) -> None:
        """Ask, then publish the content as a new version and make it the current bank.

        If `old` was the current bank, it must still be: a release may have published another one.
        """
        data = successor(content, version)
        faults = validate(data)
        if faults:
            raise CommandError("\n".join(["Nothing was published. Errors:", *faults]))
        if not yes:
            self.confirm(
                f"Publish bank {version}, made from {old}, and use it for all attempts that start "
                "from now on?"
            )
        try:
            with transaction.atomic():
                ItemBank.objects.lock()
                if is_current and ItemBank.objects.current() != old:
                    raise CommandError(
                        f"Bank {old} is not the current one any more. Nothing was published."
                    )
                bank, _ = ItemBank.objects.publish(data, **command_actor())
                bank.make_current(**command_actor())
        except (BankRefused, Immutable) as error:
            raise CommandError(str(error)) from error
        self.say(f"Bank {bank} is published and is the current one.")
