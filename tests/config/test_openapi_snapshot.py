"""Paths, fields, types and statuses of the partner API change only on purpose."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from config import reference

SNAPSHOT = Path(__file__).with_name("openapi.json")
PROSE = {"description", "summary", "title", "example", "examples"}


def without_prose(node: Any) -> Any:
    if isinstance(node, list):
        return [without_prose(each) for each in node]
    if isinstance(node, dict):
        # A schema's member may have such a name; only prose is a text, or a table of examples.
        return {
            name: without_prose(each)
            for name, each in node.items()
            if name not in PROSE or (isinstance(each, dict) and "type" in each)
        }
    return node


def test_what_partners_build_on_is_as_it_was() -> None:
    """If you changed it on purpose, write the new one to openapi.json, and tell partners."""
    document = without_prose(reference.document())
    shared = {"paths": document["paths"], "components": document["components"]}

    assert json.loads(json.dumps(shared)) == json.loads(SNAPSHOT.read_text())
