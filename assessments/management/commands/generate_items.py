from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from assessments.itembank.build import SHIPPED, build, to_text
from assessments.itembank.validation import validate
from partners.management.base import DataCommand


class Command(DataCommand):
    help = (
        "Write the item bank that ships with the code: statements, generated aptitude items, "
        "norms and weights. The same code always writes the same file, to the byte. Nothing is "
        "published; load_items does that."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--output", type=Path, default=SHIPPED, help="the file to write (default: %(default)s)"
        )
        parser.add_argument(
            "--check",
            action="store_true",
            help="write nothing; fail if the file differs from what would be written",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        bank = build()
        faults = validate(bank)
        if faults:
            raise CommandError("The generated bank is not sound:\n" + "\n".join(faults))
        path: Path = options["output"]
        text = to_text(bank)
        if not options["check"]:
            path.write_bytes(text.encode())
        elif not path.is_file() or path.read_bytes() != text.encode():
            raise CommandError(f"{path} differs from a fresh build. Run generate_items.")
        counts = Counter(item["section"] for item in bank["items"])
        told = ", ".join(f"{count} {section}" for section, count in counts.items())
        verb = "is up to date" if options["check"] else "written"
        self.say(f"Bank {bank['version']} {verb}: {told} items.")
        if options["json"]:
            self.print_data({"version": bank["version"], "items": counts})
