"""A made-up bank of the full design, cheap to build: what scoring reads of it, and no texts."""

from __future__ import annotations

from typing import Any

from assessments.measurement.scales import FACETS, INTERESTS, PREFERENCES

FAMILIES = ("problems", "data", "series", "matrices", "patterns", "logic")
PER_SCALE, PER_PREFERENCE, PER_FAMILY = 8, 4, 4
# After how many statements an attention check stands, and the answer that it asks for.
CHECKS = ((16, 2), (32, 4))


def bank_file() -> dict[str, Any]:
    """50 interest statements, interleaved, with a spare one; 24 aptitude items; 16 preferences."""
    interests: list[dict[str, Any]] = [
        {"code": f"int-{scale[0].upper()}-{number:02}", "scale": scale}
        for number in range(1, PER_SCALE + 1)
        for scale in INTERESTS
    ]
    for number, (place, expected) in reversed([*enumerate(CHECKS, start=1)]):
        row = {"code": f"int-check-{number}", "scale": "instructed", "expected": expected}
        interests.insert(place, row)
    spare = {"code": "int-R-09", "scale": "realistic", "spare": True}
    aptitude = [
        {
            "code": f"apt-{family}-{number:02}",
            "family": family,
            "template": "rule",
            "radicals": {"steps": number},
            "key": 1 + number % 5,
            "a": 1.1,
            "b": -1.5 + number * 0.75,
            "c": 0.18,
            "seconds": 40,
        }
        for number in range(PER_FAMILY)
        for family in FAMILIES
    ]
    preferences = [
        {"code": f"pref-{scale}-{number}", "scale": scale, "keyed": 1 if number % 2 else -1}
        for number in range(1, PER_PREFERENCE + 1)
        for scale in PREFERENCES
    ]
    sections = {"interests": [*interests, spare], "aptitude": aptitude, "preferences": preferences}
    seconds = {"interests": 240, "aptitude": 960, "preferences": 96}
    norm = {"mean": 3.0, "sd": 0.9}
    return {
        "sections": [{"code": code, "seconds": seconds[code]} for code in sections],
        "norms": {
            "interests": dict.fromkeys(INTERESTS, norm),
            "preferences": dict.fromkeys(PREFERENCES, norm),
        },
        "weights": {"interests": 0.65, "aptitude": 0.30, "preferences": 0.05},
        "facets": {
            facet: list(FAMILIES[2 * place : 2 * place + 2]) for place, facet in enumerate(FACETS)
        },
        "items": [
            {**row, "section": section} for section, rows in sections.items() for row in rows
        ],
    }


def plain_bank_file() -> dict[str, Any]:
    """The same bank as banks were before facets, times, spare items and attention checks."""
    data = bank_file()
    del data["facets"]
    for section in data["sections"]:
        del section["seconds"]
    data["items"] = [
        {name: value for name, value in item.items() if name not in {"seconds", "template"}}
        for item in data["items"]
        if "spare" not in item and item.get("scale") != "instructed"
    ]
    return data
