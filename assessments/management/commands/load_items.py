import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from assessments.banks import SHIPPED
from assessments.management.commands.update_norms import TooFew, make_normed_bank
from assessments.models import ItemBank
from measurement.bank_validation import validate
from partners.management.base import DataCommand


class Command(DataCommand):
    help = (
        "Publish an item bank: the given file, or without one the bank that ships with the code. "
        "New attempts use it if there is no bank yet, or if the current one was shipped too. If "
        "the current one differs from a shipped bank only in norms, a new bank has norms made "
        "again from the answers to unchanged statements. A calibrated bank, or one of your own, "
        "stays current. --make-current uses the bank in any case, unless it is retired: see "
        "docs/upgrades.md."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", nargs="?", type=Path, help="a bank file in JSON")
        parser.add_argument("--check", action="store_true", help="list all errors; store nothing")
        parser.add_argument("--make-current", action="store_true", help="use it for new attempts")

    def handle(self, *args: Any, **options: Any) -> None:
        shipped = options["file"] is None
        data = read_bank(options["file"] or SHIPPED)
        published = is_current = False
        if options["check"]:
            ItemBank.objects.published_as(data)
            outcome = "is sound"
        else:
            bank, published = self.publish(data, shipped=shipped, force=options["make_current"])
            is_current = bank == ItemBank.objects.made_current().first()
            outcome = "was published" if published else "was already published"
        version, items = data["version"], len(data["items"])
        if options["json"]:
            data = {"version": version, "items": items}
            self.print_data({**data, "published": published, "current": is_current})
        else:
            state = "; it is the current bank" if is_current else ""
            self.say(f"Bank {version} with {items} items {outcome}{state}.")

    @transaction.atomic
    def publish(self, data: dict[str, Any], *, shipped: bool, force: bool) -> tuple[ItemBank, bool]:
        """Publish a bank, and make it current as `help` says. Return it and whether it is new."""
        ItemBank.objects.lock()
        bank, is_new = ItemBank.objects.publish(data, shipped=shipped, by=self.by)
        current = ItemBank.objects.made_current().first()
        if current is None or (force and bank != current):
            bank.make_current(by=self.by)
        # Only when it is new, so that a later run does not undo a choice of staff.
        elif shipped and is_new and current.ships_but_for_norms:
            replacement = bank if current.shipped else self.make_norms_again(current, bank)
            replacement.make_current(by=self.by)
        return bank, is_new

    def make_norms_again(self, old: ItemBank, bank: ItemBank) -> ItemBank:
        """Publish `bank` with norms from answers on `old`, or return it if they are too few."""
        try:
            new = make_normed_bank(old, bank.to_file(), self.progress)
        except TooFew:
            return bank
        # It succeeds `old`, so that answers on `old` count for the next norms too.
        return ItemBank.objects.publish({**new, "succeeds": old.version}, by=self.by)[0]


def read_bank(file: Path) -> dict[str, Any]:
    try:
        data = json.loads(file.read_bytes())
    except OSError as error:
        raise CommandError(f"{file} can't be read: {error.strerror}.") from error
    except ValueError as error:
        raise CommandError(f"{file} is not JSON: {error}") from error
    if findings := validate(data):
        raise CommandError("\n".join([f"{file} has {len(findings)} errors:", *findings]))
    return dict(data)
