"""Write the bank file that ships with the service. The same code always writes the same bytes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from lab.generators.build import build, to_text
from lab.refusal import Refusal
from measurement.bank_validation import validate


def write_bank(path: Path, *, check: bool = False) -> str:
    """Write the bank, or only compare it with the file. Return what was done.

    Raises Refusal if the bank is not valid, or if the file that is checked differs.
    """
    bank = build()
    faults = validate(bank)
    if faults:
        raise Refusal("The generated bank is not valid:\n" + "\n".join(faults))
    text = to_text(bank).encode()
    if not check:
        path.write_bytes(text)
    elif not path.is_file() or path.read_bytes() != text:
        raise Refusal(f"{path} differs from a fresh build. Run python -m lab bank.")
    counts = Counter(item["section"] for item in bank["items"])
    listed = ", ".join(f"{count} {section}" for section, count in counts.items())
    verb = "is up to date" if check else "written"
    return f"Bank {bank['version']} {verb}: {listed} items."
