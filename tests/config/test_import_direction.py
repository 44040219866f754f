"""Who may import whom: `partners <- tokens <- assessments <- staff <- config`."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ORDER = ["partners", "tokens", "assessments", "staff", "config"]
ROOMS = [*ORDER, "lab", "tests", "bench", "deploy"]
# Pure: neither Django nor any other way to a database. Each may import what is named for it.
PURE = {
    "assessments.charts": ("assessments.charts",),
    "assessments.measurement": ("assessments.charts", "assessments.measurement"),
    "assessments.banks": (),
    "lab": ("lab", "assessments.measurement"),
    "tokens.crypto": (),
}
FORBIDDEN_TO_PURE = {"django", "rest_framework", "psycopg", "redis", "sqlite3", *ROOMS}


@cache
def modules() -> dict[str, Path]:
    """Return every module of the project's rooms by its dotted name."""
    found = {}
    for room in ROOMS:
        for file in sorted((ROOT / room).rglob("*.py")):
            parts = file.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


@cache
def imports(file: Path) -> list[str]:
    """Return every import in the file, also of those in functions and under TYPE_CHECKING."""
    found = []
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} has a relative import"
            assert node.module
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def imported_modules(name: str) -> set[str]:
    """Return the project's modules that a module imports; a name in a module is that module."""
    known = modules()
    found = set()
    for imported in imports(known[name]):
        module = imported if imported in known else imported.rpartition(".")[0]
        if module in known and module != name:
            found.add(module)
    return found


def is_in(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


@pytest.mark.parametrize("app", ORDER)
def test_an_app_imports_only_what_is_below_it(app: str) -> None:
    above = {*ORDER[ORDER.index(app) + 1 :], "lab", "tests", "bench", "deploy"}

    wrong = [
        f"{name} imports {module}"
        for name in modules()
        if is_in(name, (app,))
        for module in imports(modules()[name])
        if module.split(".")[0] in above
    ]

    assert any(is_in(name, (app,)) for name in modules())
    assert wrong == []


@pytest.mark.parametrize("package", PURE)
def test_pure_code_cannot_reach_a_database(package: str) -> None:
    pure = [name for name in modules() if is_in(name, (package,)) and ".tests" not in name]

    wrong = [
        f"{name} imports {module}"
        for name in pure
        for module in imports(modules()[name])
        if module.split(".")[0] in FORBIDDEN_TO_PURE and not is_in(module, PURE[package])
    ]

    assert pure
    assert wrong == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = TopologicalSorter({name: imported_modules(name) for name in modules()})

    try:
        graph.prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))
