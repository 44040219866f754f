#!/usr/bin/env python3
"""Add to .ci/frozen.txt what this version freezes: a line each, which must stay true from then on.

If a line no longer is, add nothing, say what to do instead and exit with 1. With --check, never add
a line, and exit with 1 also if this version is not recorded.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django
from django.core.management import BaseCommand, get_commands, load_command_class

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".ci" / "frozen.txt"
APPS = {"assessments", "config", "partners", "staff", "tokens"}
API = "Keep it. Add a field, code or operation beside it; a new field of a request is optional."
ANNOUNCE = "Announce the change in CHANGELOG.md and keep it for one release; then delete the line."
INSTEAD = {  # by the first word of a line
    "migration": "Restore the file, and add a second migration.",
    "bank": "Restore the file, and give the bank a new version in a file beside it.",
    **{"operation": API, "schema": API, "setting": ANNOUNCE, "command": ANNOUNCE},
}
# The other keys of a schema are its rule. Texts may change; the rest has lines of its own.
NO_RULE = {"description", "properties", "required", "enum", "x-codes", "x-reasons"}


def file_lines() -> Iterator[str]:
    kinds = {"migration": "*/migrations/[0-9]*.py", "bank": "assessments/banks/*.json"}
    for kind, pattern in kinds.items():
        for file in ROOT.glob(pattern):
            digest = hashlib.sha256(file.read_bytes()).hexdigest()
            yield f"{kind} {file.relative_to(ROOT).as_posix()} {digest}"


def rule(schema: dict[str, Any]) -> str:
    return json.dumps({k: v for k, v in schema.items() if k not in NO_RULE}, sort_keys=True)


def operation_lines() -> Iterator[str]:
    """Yield the lines of openapi.json. All that a request needs is one line: none can be added."""
    kept = ROOT / "templates" / "docs" / "built" / "openapi.json"
    document = json.loads(kept.read_text(encoding="utf-8"))
    requests = set()
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            name = f"operation {method.upper()} {path}"
            parameters = operation.get("parameters", [])
            needed = [scheme for schemes in operation["security"] for scheme in schemes]
            needed += sorted(each["name"] for each in parameters if each.get("required"))
            body = operation["requestBody"]["content"]["application/json"]["schema"]
            requests.add(body["$ref"].rpartition("/")[2])
            yield f"{name} {operation['operationId']}"
            yield f"{name} needs {', '.join(needed)} and takes {rule(body)}"
            for each in parameters:
                yield f"{name} takes {each['in']} {each['name']} {rule(each['schema'])}"
            for status, answer in operation["responses"].items():
                yield f"{name} {status} {rule(answer['content']['application/json']['schema'])}"
                for header, described in answer.get("headers", {}).items():
                    yield f"{name} {status} has {header} {rule(described['schema'])}"
    components = document["components"]
    for name, schema in {**components["securitySchemes"], **components["schemas"]}.items():
        yield f"schema {name} {rule(schema)}"
        required = sorted(schema.get("required", []))
        if name in requests:
            yield f"schema {name} needs {', '.join(required)}"
        else:
            yield from (f"schema {name} always has {field}" for field in required)
        for field, described in schema.get("properties", {}).items():
            yield f"schema {name}.{field} {rule(described)}"
            yield from (f"schema {name}.{field} = {each}" for each in described.get("enum", []))
            for each in (*described.get("x-codes", []), *described.get("x-reasons", [])):
                yield f"schema {name}.{field} = {each['code']} {each.get('status', '')}".rstrip()


def setting_lines() -> Iterator[str]:
    from config.env import TABLE

    yield f"setting required: {', '.join(sorted(each.name for each in TABLE if each.is_required))}"
    yield from (f"setting {each.name} {each.default!r}" for each in TABLE)


def usage(command: BaseCommand, name: str) -> tuple[str, set[str]]:
    """Return the arguments that a command needs, and each that may be left out."""
    text = " ".join(command.create_parser("manage.py", name).format_usage().split())
    text = text.removeprefix(f"usage: manage.py {name}")
    optional = "|".join(re.findall(r"\[(.*?)\]", text)).split("|")
    needed = " ".join(re.sub(r"\[.*?\]", "", text).split())
    return needed, {re.sub(r"(--\S+) .*", r"\1 VALUE", each.strip()) for each in optional}


def command_lines() -> Iterator[str]:
    of_every_command = usage(BaseCommand(), "any")[1]
    for name, app in get_commands().items():
        if app in APPS:
            needed, optional = usage(load_command_class(app, name), name)
            yield f"command {name} needs {needed or 'nothing'}"
            yield from (f"command {name} takes {each}" for each in optional - of_every_command)


def main(arguments: list[str]) -> None:
    from config.env import VERSION

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    is_check = parser.parse_args(arguments).check
    true = {*file_lines(), *operation_lines(), *setting_lines(), *command_lines()}
    kept = KEPT.read_text(encoding="utf-8").splitlines() if KEPT.exists() else []
    heading = f"# {VERSION}"
    faults = [line for line in kept if line not in true and not line.startswith("#")]
    if faults:
        lines = [f"{line}\n  -> {INSTEAD[line.split()[0]]}" for line in faults]
        sys.exit("\n".join(["A release froze these, and they are no longer true:", *lines]))
    if is_check and heading not in kept:
        sys.exit(f"Version {VERSION} is not recorded: run .ci/frozen.py.")
    new = sorted(true.difference(kept))
    if not is_check:
        added = new if heading in kept else [heading, *new]
        KEPT.write_text("".join(f"{line}\n" for line in [*kept, *added]), encoding="utf-8")
    print(f"As recorded. {len(new)} new lines{'' if is_check else ' are added'}.")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    os.environ |= {"MODE": "test", "DJANGO_SETTINGS_MODULE": "config.settings"}
    django.setup()
    main(sys.argv[1:])
