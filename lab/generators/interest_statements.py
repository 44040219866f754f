"""The interest statements, in our own wording, in the English and Hindi of class 8.

`interest_statements.csv` holds one a row. A school leaver can picture every activity: at home, on
the phone, on a farm, in a shop, lab, kitchen, workshop or office. No statement mentions caste,
religion, gender or a job title, or comes from another inventory. The realistic statements
deliberately cover many places: fewer women like statements about workshops alone, whatever their
interests. The Hindi verb forms do not imply the reader's gender.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_suffix(".csv")


class InterestStatement(NamedTuple):
    """A statement and the one to three fields that it speaks of.

    Everybody is given stage 1, six statements of each Holland type. Stage 2 has two more of each
    field, given to students for whom it is a leading one; its statements have no type.
    """

    code: str
    stage: int
    type: str
    fields: tuple[str, ...]
    text: dict[str, str]


def interest_statements() -> list[InterestStatement]:
    """Read all statements, in the order in which they are given."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return [
            InterestStatement(
                row["code"],
                int(row["stage"]),
                row["type"],
                tuple(row["fields"].split(";")),
                {"en": row["en"], "hi": row["hi"]},
            )
            for row in csv.DictReader(file)
        ]
