"""partners <- tokens <- assessments <- config, and pure modules that import no Django."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ORDER = ["partners", "tokens", "assessments", "config"]
# what may not import any app, Django or another way to a database
PURE = [
    *sorted((ROOT / "assessments" / "measurement").rglob("*.py")),
    *sorted((ROOT / "assessments" / "itembank").rglob("*.py")),
    *sorted((ROOT / "assessments" / "figures").rglob("*.py")),
    *sorted((ROOT / "assessments" / "dashboards").rglob("*.py")),
    ROOT / "assessments" / "recommendation.py",
    ROOT / "assessments" / "explanation.py",
    ROOT / "tokens" / "crypto.py",
]
PURE_PACKAGES = (
    "assessments.measurement",
    "assessments.itembank",
    "assessments.figures",
    "assessments.dashboards",
    "assessments.recommendation",
)
FORBIDDEN_TO_PURE = {"django", "rest_framework", "psycopg", "redis", "sqlite3", *ORDER}


def imports(file: Path) -> Iterator[str]:
    """Yield the module of every import in the file, also of those inside functions."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} has a relative import"
            assert node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_the_walk_sees_every_import(tmp_path: Path) -> None:
    file = tmp_path / "probe.py"
    file.write_text("import a.b\ndef f():\n    from c import d\n")

    assert list(imports(file)) == ["a.b", "c.d"]


@pytest.mark.parametrize("app", ORDER)
def test_an_app_imports_only_what_stands_below_it(app: str) -> None:
    above = set(ORDER[ORDER.index(app) + 1 :])
    files = sorted((ROOT / app).rglob("*.py"))

    wrong = [
        f"{file.relative_to(ROOT)} imports {module}"
        for file in files
        for module in imports(file)
        if module.split(".")[0] in above
    ]

    assert files
    assert wrong == []


def test_the_pure_modules_cannot_reach_a_database() -> None:
    wrong = [
        f"{file.relative_to(ROOT)} imports {module}"
        for file in PURE
        for module in imports(file)
        if module.split(".")[0] in FORBIDDEN_TO_PURE and not module.startswith(PURE_PACKAGES)
    ]

    assert len(PURE) > 4
    assert wrong == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    names = {"services.py", "utils.py", "helpers.py", "signals.py"}

    found = [file for app in ORDER for file in (ROOT / app).rglob("*.py") if file.name in names]

    assert found == []
