from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from assessments.banks import SHIPPED
from assessments.management import completed_attempts
from assessments.models.banks import ItemBank
from measurement.bank_validation import validate
from measurement.norms import FEWEST_ATTEMPTS
from measurement.successor import NORMED, next_version, successor, with_norms_from
from partners.management.base import DataCommand
from partners.models.audit import command_actor


class Command(DataCommand):
    help = (
        "Publish an item bank: the given file, or the bank that ships with the code. It becomes "
        "the current one, which new attempts use, if there is none yet, or if both it and the "
        "current one ship with the code. A bank that differs from a shipped one in norms alone is "
        "replaced too, and norms are made again from the answers to unchanged statements. A "
        "calibrated bank, or one of your own, is never replaced. "
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
            ItemBank.objects.published_as(data)
            self.report("is sound", data, published=False, current=False, as_json=json)
            return
        shipped = file is None
        # All or nothing, so that no bank stays published but unused.
        with transaction.atomic():
            ItemBank.objects.lock()
            bank, published = ItemBank.objects.publish(data, shipped=shipped, **command_actor())
            current = ItemBank.objects.made_current().first()
            replaces = current is None or (shipped and bank.upgrades(current))
            if bank != current and (make_current or replaces):
                old, current = current, bank
                if old is not None and not make_current:
                    current = with_norms_made_again(old, bank)
                current.make_current(**command_actor())
        self.report(
            "was published" if published else "was already published",
            data,
            published=published,
            current=bank == current,
            as_json=json,
        )

    def report(
        self,
        what: str,
        data: dict[str, Any],
        *,
        published: bool,
        current: bool,
        as_json: bool,
    ) -> None:
        counts = {
            "version": data["version"],
            "items": len(data["items"]),
            "published": published,
            "current": current,
        }
        if as_json:
            self.print_data(counts)
            return
        state = "; it is the current bank" if current else ""
        self.say(f"Bank {counts['version']} with {counts['items']} items {what}{state}.")


def with_norms_made_again(old: ItemBank, bank: ItemBank) -> ItemBank:
    """Return the bank to use in place of `old`: with norms of students, if `old` has such norms.

    They are made from the answers on `old`, and on the banks that it succeeds, to statements that
    the bank asks alike. If these are too few, the bank is used as it ships.
    """
    if old.shipped:
        return bank
    content = bank.to_file()
    try:
        attempts = completed_attempts.read(old, FEWEST_ATTEMPTS, content=content)
    except completed_attempts.TooFew:
        return bank
    taken = list(ItemBank.objects.values_list("version", flat=True))
    version = next_version(bank.version, NORMED, taken)
    # It succeeds `old`, so that the answers there count for the next norms too.
    data = {**successor(with_norms_from(content, attempts), version), "succeeds": old.version}
    if faults := validate(data):
        raise CommandError("\n".join(["Nothing was published. Errors:", *faults]))
    return ItemBank.objects.publish(data, **command_actor())[0]


def read(file: Path) -> dict[str, Any]:
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
