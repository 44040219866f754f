"""The item banks that ship with the code, as JSON. `python -m itemgen` writes the newest."""

from __future__ import annotations

from pathlib import Path

# The version that `itemgen` writes and installations publish.
VERSION = "2026.4"
SHIPPED = Path(__file__).parent / f"{VERSION}.json"
# Banks that installations have stored, kept for tests and comparisons: the last one that ranks by
# types, and the one that asks the same as the newest in other words.
EARLIER = SHIPPED.with_name("2026.2.json")
REWORDED = SHIPPED.with_name("2026.3.json")
