"""Imports go one way: `partners <- tokens <- assessments <- staff <- config`, spine <- annex."""

import ast
import re
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.support.server import ROOT

ORDER = ["partners", "tokens", "assessments", "staff", "config"]
ROOMS = [*ORDER, "measurement", "lab", "tests", "bench", "deploy"]
# Pure: neither Django nor any other way to a database. Each may import what is named for it.
PURE = {
    "measurement": ("measurement",),
    "assessments.banks": (),
    "lab": ("lab", "measurement"),
    "partners.public_ids": (),
    "tokens.crypto": ("partners.public_ids",),
}
# What every link, attempt and call passes through. All else is an annex, and may import the spine.
SPINE = (
    *("partners.models", "tokens", "assessments.models", "assessments.api", "assessments.student"),
    "assessments.templatetags.student_pages",
)
NOT_SPINE = (
    *("tokens.admin", "tokens.management", "tokens.migrations"),
    # The tables of annexes, which Django finds in the app's list of tables.
    *(f"assessments.models.{row}" for row in ("ProjectFigures", "WebhookEndpoint", "WebhookEvent")),
)
LIST_OF_TABLES = "assessments.models"
BESIDE = (
    *("measurement", "partners.plain_text", "partners.public_ids", "partners.spreadsheet"),
    "partners.times",
)
PAGES = ("assessments.api", "assessments.student")
FORBIDDEN_TO_PURE = {"django", "rest_framework", "psycopg", "redis", "sqlite3", *ROOMS}


@cache
def imports():
    """Return the imports of each module, also those in functions and under TYPE_CHECKING."""
    found = {}
    for file in (file for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))):
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        named = found.setdefault(name, [])
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                named += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{file} has a relative import"
                named += [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Attribute) and node.attr == "get_model":
                named.append("get_model")
    return found


def is_in(module, *packages):
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def wrong(package, forbidden, *allowed):
    """Return the imports of what is forbidden to a package, which must exist."""
    modules = [name for name in imports() if is_in(name, package) and ".tests" not in name]
    assert modules
    return [
        f"{name} imports {module}"
        for name in modules
        for module in imports()[name]
        if module.split(".")[0] in forbidden and not is_in(module, *allowed)
    ]


@pytest.mark.parametrize("app", ORDER)
def test_an_app_imports_only_what_is_below_it(app):
    assert wrong(app, {*ORDER[ORDER.index(app) + 1 :], "lab", "tests", "bench", "deploy"}) == []


def test_the_spine_imports_no_annex_and_its_models_no_page():
    spine = [name for name in imports() if is_in(name, *SPINE) and not is_in(name, *NOT_SPINE)]
    spine.remove(LIST_OF_TABLES)

    assert len(spine) > 40
    for name in spine:
        ours = [each for each in imports()[name] if each.split(".")[0] in {*ROOMS, "get_model"}]
        annexes = [each for each in ours if not is_in(each, *SPINE, *BESIDE)]
        annexes += [each for each in ours if is_in(each, *NOT_SPINE)]
        assert annexes == [], name
        if is_in(name, LIST_OF_TABLES):
            assert [each for each in ours if is_in(each, *PAGES)] == [], name


@pytest.mark.parametrize("page", ["docs/tour.md", "CONTRIBUTING.md"])
def test_the_files_that_lead_through_the_code_exist(page):
    files = re.findall(r"`((?:[\w.*-]+/)+[\w*-]+\.(?:py|html|toml))`", (ROOT / page).read_text())

    assert len(files) > 20
    assert [file for file in files if not list(ROOT.glob(file))] == []


@pytest.mark.parametrize("package", PURE)
def test_pure_code_cannot_reach_a_database(package):
    assert wrong(package, FORBIDDEN_TO_PURE, *PURE[package]) == []


def test_no_modules_import_each_other_in_a_circle():
    graph = TopologicalSorter()
    for name, named in imports().items():
        # A name in a module is that module.
        modules = {each if each in imports() else each.rpartition(".")[0] for each in named}
        graph.add(name, *(modules & imports().keys() - {name}))

    try:
        graph.prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))
