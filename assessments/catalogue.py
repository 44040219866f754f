"""Read a course catalogue from CSV text. Pure: rows out, or every fault with its line."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from typing import Any

from assessments.identity import is_plain_text
from assessments.measurement.scales import INTERESTS

COLUMNS = ("code", "name", "order", *INTERESTS)
WHOLE_NUMBER = re.compile(r"[0-9]{1,9}")
CODE_MAX, NAME_MAX, ORDER_MAX = 32, 200, 100_000


class CatalogueFault(Exception):
    """The file can't be loaded; `findings` names each bad row in words."""

    def __init__(self, findings: list[str]) -> None:
        super().__init__("\n".join(findings))
        self.findings = findings


def parse(content: bytes) -> list[dict[str, Any]]:
    """Return one row a course: `code`, `name`, `order` and six ratings 0-3.

    `content` is UTF-8, a byte order mark tolerated. Raise CatalogueFault with a finding for every
    bad row, never only the first.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CatalogueFault(
            ["The file is not UTF-8 text. Save it as 'CSV UTF-8' and load it again."]
        ) from error
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    findings: list[str] = []
    rows: list[dict[str, Any]] = []
    try:
        missing = [column for column in COLUMNS if column not in (reader.fieldnames or ())]
        if missing:
            raise CatalogueFault(
                [f"The header lacks {', '.join(missing)}. It must be: {','.join(COLUMNS)}"]
            )
        for record in reader:
            if not any(
                (value or "").strip() for value in record.values() if isinstance(value, str)
            ):
                continue
            row, faults = _row(record)
            rows.append(row)
            findings += [f"Line {reader.reader.line_num}: {fault}" for fault in faults]
    except csv.Error as error:
        findings.append(f"Line {reader.reader.line_num}: not readable as CSV ({error}).")
    findings += _repeated_codes(rows)
    if findings:
        raise CatalogueFault(findings)
    return rows


def _row(record: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    faults = []
    if None in record:
        faults.append("it has more fields than the header.")
    texts = {column: (record.get(column) or "").strip() for column in COLUMNS}
    for column, longest in (("code", CODE_MAX), ("name", NAME_MAX)):
        if not texts[column]:
            faults.append(f"{column} is empty.")
        elif len(texts[column]) > longest:
            faults.append(f"{column} is longer than {longest} characters.")
        elif not is_plain_text(texts[column]):
            faults.append(f"{column} holds a character that can't be shown.")
    numbers: dict[str, int] = {}
    for column, highest in (("order", ORDER_MAX), *((name, 3) for name in INTERESTS)):
        if WHOLE_NUMBER.fullmatch(texts[column]) and int(texts[column]) <= highest:
            numbers[column] = int(texts[column])
        else:
            faults.append(
                f"{column} is '{texts[column][:20]}', it must be a whole number 0-{highest}."
            )
    ratings = [numbers[name] for name in INTERESTS if name in numbers]
    if len(ratings) == len(INTERESTS):
        if max(ratings) < 2:
            faults.append("no interest is rated 2 or 3; rate at least one so.")
        elif len(set(ratings)) == 1:
            faults.append("all six ratings are equal; let them differ.")
    return {"code": texts["code"], "name": texts["name"], **numbers}, faults


def _repeated_codes(rows: list[dict[str, Any]]) -> list[str]:
    counts = Counter(row["code"] for row in rows if row["code"])
    return [
        f"The code {code} stands {count} times; each course needs its own."
        for code, count in counts.items()
        if count > 1
    ]
