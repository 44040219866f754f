"""A made-up bank of the full design, cheap to build: what scoring reads of it, and no texts."""

from measurement.fields import FIELDS
from measurement.scales import FACETS, INTERESTS, PREFERENCES

# All statements of a type are about one field.
FIELD_OF = {
    scale: next(field for field, types in FIELDS.items() if types == (scale,))
    for scale in INTERESTS
}
FAMILIES = ("problems", "data", "series", "matrices", "patterns", "logic")
PER_SCALE, PER_PREFERENCE, PER_FAMILY = 8, 4, 4
# After how many statements an attention check stands, and the answer that it asks for.
CHECKS = ((16, 2), (32, 4))


def bank_file():
    """50 interest statements, interleaved; 24 aptitude items; 16 preferences."""
    interests = [
        {"code": f"int-{scale[0].upper()}-{number:02}", "scale": scale, "fields": [FIELD_OF[scale]]}
        for number in range(1, PER_SCALE + 1)
        for scale in INTERESTS
    ]
    for number, (place, expected) in reversed([*enumerate(CHECKS, start=1)]):
        row = {"code": f"int-check-{number}", "scale": "instructed", "expected": expected}
        interests.insert(place, row)
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
    sections = {"interests": interests, "aptitude": aptitude, "preferences": preferences}
    seconds = {"interests": 240, "aptitude": 960, "preferences": 96}
    norm = {"mean": 3.0, "sd": 0.9}
    return {
        "sections": [{"code": code, "seconds": seconds[code]} for code in sections],
        "norms": {
            "interests": dict.fromkeys(INTERESTS, norm),
            "preferences": dict.fromkeys(PREFERENCES, norm),
            "statements": [{"code": row["code"], **norm} for row in interests if "fields" in row],
        },
        "fields": [{"code": code, "types": list(types)} for code, types in FIELDS.items()],
        "field_covariances": [[float(x == y) for x in FIELDS] for y in FIELDS],
        "matching": {
            "leading": 6,
            "noise": 0.5,
            "main_weight": 2,
            "named": 0.5,
            "other_weight": 1,
            "fit_spread": 0.8,
            "aptitude_sd": 0.2,
            "aptitude_cap": 0.4,
            "preference_most": 0.05,
            "per_department": 2,
            "department_lead": 0.25,
        },
        "careless": {
            "least_effort": 0.9,
            "least_consistency": 0.2,
            "doubtful_consistency": 0.2,
            "guessed_share": 0.0,
            "straight_run": 15,
            "longest_pattern": 1,
            "fastest_statement": 1.0,
            "hurried_share": 1 / 3,
        },
        "difficulty_sd": dict.fromkeys(FAMILIES, 0.0),
        "facets": {
            facet: list(FAMILIES[2 * place : 2 * place + 2]) for place, facet in enumerate(FACETS)
        },
        "items": [
            {**row, "section": section} for section, rows in sections.items() for row in rows
        ],
    }
