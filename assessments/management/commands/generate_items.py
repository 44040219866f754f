from __future__ import annotations

import json
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from assessments.itembank.build import SHIPPED, build, to_text
from assessments.itembank.validation import validate


class Command(BaseCommand):
    help = (
        "Write the item bank that ships with the code: statements, generated aptitude items, "
        "norms and weights. The same code always writes the same file, to the byte. Nothing is "
        "published; load_items does that."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--output", type=Path, default=SHIPPED, help="the file to write (default: %(default)s)"
        )
        parser.add_argument(
            "--check",
            action="store_true",
            help="write nothing; fail if the file differs from what would be written",
        )
        parser.add_argument("--json", action="store_true", help="print the counts as JSON")

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
        self.stderr.write(f"Bank {bank['version']} {verb}: {told} items.")
        if options["json"]:
            self.stdout.write(json.dumps({"version": bank["version"], "items": counts}))
