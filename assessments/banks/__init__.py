"""The item banks that ship with the code, as JSON. `python -m itemgen` writes the newest."""

from __future__ import annotations

from pathlib import Path

# The version that `itemgen` writes and installations publish.
VERSION = "2026.3"
SHIPPED = Path(__file__).parent / f"{VERSION}.json"
# The last bank that ranks by types. Tests and comparisons use it; installations have it stored.
EARLIER = SHIPPED.with_name("2026.2.json")
