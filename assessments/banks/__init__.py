"""The item bank that ships with the code, as JSON. `python -m lab bank` writes it."""

from pathlib import Path

VERSION = "2026.6"
SHIPPED = Path(__file__).parent / f"{VERSION}.json"
