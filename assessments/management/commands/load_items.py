from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from assessments.banks import SHIPPED
from assessments.measurement.bank_validation import validate
from assessments.measurement.carried_norms import with_norms_of
from assessments.measurement.recalibration import NORMED, next_version, successor
from assessments.models.banks import BankRefused, Immutable, ItemBank, content_digest
from partners.actor_context import command_actor
from partners.management.base import DataCommand


class Command(DataCommand):
    help = (
        "Publish an item bank: the given file, or the bank that ships with the code. It becomes "
        "the current one, which new attempts use, if there is none yet, or if both it and the "
        "current one ship with the code; a bank to which update_norms gave norms counts as "
        "shipped, its norms are carried over, and a bank of your own is never replaced. "
        "--make-current uses it in any case, unless it is retired: see docs/operations.md, Upgrade."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", nargs="?", type=Path, help="a bank file, in JSON")
        parser.add_argument("--check", action="store_true", help="list all errors; store nothing")
        parser.add_argument("--make-current", action="store_true", help="use it for new attempts")

    def handle(
        self,
        *args: Any,
        file: Path | None,
        check: bool,
        make_current: bool,
        json: bool,
        **options: Any,
    ) -> None:
        data = read(file or SHIPPED)
        if check:
            refuse_other_content(data)
            self.report("is sound", data, published=False, current=False, as_json=json)
            return
        shipped = file is None
        try:
            # All or nothing, so that no bank stays published but unused.
            with transaction.atomic():
                ItemBank.objects.lock()
                bank, published = ItemBank.objects.publish(data, shipped=shipped, **command_actor())
                current = ItemBank.objects.made_current().first()
                replaces = current is None or (shipped and bank.upgrades(current))
                if bank != current and (make_current or replaces):
                    old, current = current, bank
                    if old is not None and not make_current:
                        current = with_norms_carried_over(old, bank)
                    current.make_current(**command_actor())
        except (BankRefused, Immutable) as refused:
            raise CommandError(str(refused)) from refused
        self.report(
            "was published" if published else "was already published",
            data,
            published=published,
            current=bank == current,
            derived=str(current) if current and bank.version in current.made_from else None,
            as_json=json,
        )

    def report(
        self,
        what: str,
        data: dict[str, Any],
        *,
        published: bool,
        current: bool,
        derived: str | None = None,
        as_json: bool,
    ) -> None:
        counts = {
            "version": data["version"],
            "items": len(data["items"]),
            "published": published,
            "current": current,
            "derived": derived,
        }
        if as_json:
            self.print_data(counts)
            return
        state = "; it is the current bank" if current else ""
        if derived:
            state = f"; the current bank, {derived}, is made from it"
        self.say(f"Bank {counts['version']} with {counts['items']} items {what}{state}.")


def with_norms_carried_over(old: ItemBank, bank: ItemBank) -> ItemBank:
    """Return the bank to use in place of `old`: with its norms of students, if some hold there.

    Such a bank is published if there are any. The starting norms of a bank that ships are never
    carried over, because those of the new bank may be better.
    """
    content = bank.to_file()
    carried = content if old.shipped else with_norms_of(old.to_file(), content)
    if carried == content:
        return bank
    taken = list(ItemBank.objects.values_list("version", flat=True))
    data = successor(carried, next_version(bank.version, NORMED, taken))
    if faults := validate(data):
        raise CommandError("\n".join(["Nothing was published. Errors:", *faults]))
    return ItemBank.objects.publish(data, **command_actor())[0]


def refuse_other_content(data: dict[str, Any]) -> None:
    """Raise CommandError if this version is published with other content."""
    bank = ItemBank.objects.filter(version=data["version"]).first()
    if bank and bank.digest != content_digest(data):
        raise CommandError(
            f"Version {bank.version} is published with other content. A published version never "
            "changes: give the new content a new version."
        )


def read(file: Path) -> dict[str, Any]:
    """Return a bank file's content. Raise CommandError with every error."""
    try:
        data = json.loads(file.read_bytes())
    except OSError as error:
        raise CommandError(f"{file} can't be read: {error.strerror}.") from error
    except ValueError as error:
        raise CommandError(f"{file} is not JSON: {error}") from error
    findings = validate(data)
    if findings:
        raise CommandError("\n".join([f"{file} has {len(findings)} errors:", *findings]))
    return dict(data)
