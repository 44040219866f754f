"""Write the item bank that ships with the code.

    python -m itemgen [--output FILE] [--check] [--json]

The same code always writes the same file, to the byte. Publish it with `manage.py load_items`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from assessments.banks import SHIPPED
from assessments.measurement.bank_validation import validate
from itemgen.build import build, to_text


def main(arguments: Sequence[str] | None = None) -> str | None:
    """Write or check the bank file. Return an error message for `sys.exit`, or None."""
    parser = argparse.ArgumentParser(prog="python -m itemgen", description=__doc__)
    parser.add_argument(
        "--output", type=Path, default=SHIPPED, help="the file to write (default: %(default)s)"
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; fail if the file differs from what would be written",
    )
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    options = parser.parse_args(arguments)
    bank = build()
    faults = validate(bank)
    if faults:
        return "The generated bank is not valid:\n" + "\n".join(faults)
    path: Path = options.output
    text = to_text(bank).encode()
    if not options.check:
        path.write_bytes(text)
    elif not path.is_file() or path.read_bytes() != text:
        return f"{path} differs from a fresh build. Run python -m itemgen."
    counts = Counter(item["section"] for item in bank["items"])
    listed = ", ".join(f"{count} {section}" for section, count in counts.items())
    verb = "is up to date" if options.check else "written"
    sys.stderr.write(f"Bank {bank['version']} {verb}: {listed} items.\n")
    if options.json:
        sys.stdout.write(json.dumps({"version": bank["version"], "items": counts}) + "\n")
    return None


if __name__ == "__main__":
    sys.exit(main())
