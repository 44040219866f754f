"""docs/privacy.md lists every column: its purpose, what it says of a person, how long it stays."""

from __future__ import annotations

import re

import pytest
from django.apps import apps
from django.conf import settings
from django.db.models import Model

OURS = {"partners", "tokens", "assessments"}
# What of a student may say who it is: no such column is to be called anything less.
PERSONAL = {
    "assessments.student": {"email_key", "email", "name", "mobile"},
    "assessments.assessmentlink": {"name", "mobile"},
    "assessments.assessment": {"is_minor", "guardian_name", "guardian_contact"},
}

PAGE = (settings.BASE_DIR / "docs" / "privacy.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if re.match(r"\| `\w+\.\w+\.\w+` \|", line)
]
LISTED = {row[0].strip("`"): row[1:] for row in ROWS}


def models() -> list[type[Model]]:
    return list(apps.get_models(include_auto_created=True))


def columns() -> set[str]:
    return {
        f"{model._meta.label_lower}.{field.name}"
        for model in models()
        if model._meta.app_label in OURS
        for field in model._meta.concrete_fields
    }


def test_every_column_is_listed_and_none_that_is_gone() -> None:
    assert sorted(columns() - LISTED.keys()) == [], "add them to docs/privacy.md"
    assert sorted(LISTED.keys() - columns()) == [], "take them out of docs/privacy.md"


def test_identifying_columns_are_marked_personal() -> None:
    for table, names in PERSONAL.items():
        found = {n for n in names if LISTED[f"{table}.{n}"][1] == "personal"}
        assert found == names


@pytest.mark.parametrize("name", [name for name in LISTED if "digest" in name])
def test_a_digest_of_a_secret_is_called_one(name: str) -> None:
    secret = {"token_digest", "browser_digest", "secret_digest", "key_digest"}

    assert (LISTED[name][1] == "secret digest") is (name.rpartition(".")[2] in secret)
