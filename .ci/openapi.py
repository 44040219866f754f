#!/usr/bin/env python3
"""Build openapi.json and the partner reference from the serializers and from .ci/reference.

With --check, change nothing: exit with 1 if a kept file is not what would be built.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import django
from django.core.management import call_command

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "templates" / "docs" / "built"

sys.path.insert(0, str(ROOT))
os.environ["MODE"] = "test"
os.environ["DJANGO_SETTINGS_MODULE"] = "reference.settings"
django.setup()

from reference import page  # noqa: E402  needs the line above
from reference.operations import OPERATIONS  # noqa: E402  likewise
from reference.schema import without_template_syntax  # noqa: E402  likewise


def openapi() -> dict[str, Any]:
    """Return the document. Raises CommandError if it is not valid or something is unclear."""
    written = io.StringIO()
    call_command(
        "spectacular", format="openapi-json", validate=True, fail_on_warn=True, stdout=written
    )
    document: dict[str, Any] = json.loads(written.getvalue())
    return document


def build() -> dict[str, str]:
    """Return the text of each kept file."""
    for operation in OPERATIONS:
        operation.describe()
    document = openapi()
    text = without_template_syntax(json.dumps(document, indent=2))
    return {"openapi.json": f"{text}\n", "reference.html": page.render(document)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    is_check = parser.parse_args().check
    stale = []
    for name, text in build().items():
        file = KEPT / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            stale.append(str(file.relative_to(ROOT)))
            if not is_check:
                KEPT.mkdir(exist_ok=True)
                file.write_text(text, encoding="utf-8")
    if is_check and stale:
        sys.exit(f"Not as built: {', '.join(stale)}. Run .ci/openapi.py and look at the changes.")
    print(f"Written: {', '.join(stale)}." if stale else "As built.")


if __name__ == "__main__":
    main()
