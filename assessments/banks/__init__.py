"""The item banks that ship with the code, as JSON. `python -m itemgen` writes them."""

from __future__ import annotations

from pathlib import Path

VERSION = "2026.2"
SHIPPED = Path(__file__).parent / f"{VERSION}.json"
