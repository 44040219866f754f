"""What the documents name exists: links, files, modules, commands and settings."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.core.management import get_commands

from config import env

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
# An old entry may name what has gone since.
CURRENT = [page for page in PAGES if page.name != "CHANGELOG.md"]
FILE = re.compile(
    r"`((?:[\w@.-]+/)+[\w@.-]+\.(?:conf|css|csv|env|html|ini|js|json|md|mjs|po|py|service|sh|sql"
    r"|timer|txt|yml))`"
)
FOLDER = re.compile(r"`((?:[\w.-]+/)+)`")
# Made by a run or by the operator, hence not in the repository.
NOT_OURS = {"var/", "/etc/"}


def ids(page: Path) -> str:
    return str(page.relative_to(ROOT))


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\((?!https?://)([^)\s]+)\)", page.read_text()):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", CURRENT, ids=ids)
def test_every_named_file_and_folder_exists(page: Path) -> None:
    text = page.read_text()
    named = {*FILE.findall(text), *FOLDER.findall(text)} - NOT_OURS
    named |= set(re.findall(r"^    .*?python ((?:\w+/)+\w+\.py)", text, re.MULTILINE))
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", CURRENT, ids=ids)
def test_every_named_command_and_module_exists(page: Path) -> None:
    text = page.read_text()
    commands = set(re.findall(r"(?:manage\.py|deploy/manage) ([a-z_]+)", text))
    modules = set(re.findall(r"python -m ([\w.]+)", text)) - {"venv"}
    assert commands <= get_commands().keys()
    assert [name for name in sorted(modules) if find_spec(name) is None] == []


def test_operations_has_every_setting_and_command_of_ours() -> None:
    page = (ROOT / "docs" / "operations.md").read_text()
    settings = re.findall(r"`([A-Z][A-Z_]+)`(?=[^|]*\|)", page)
    ours = {name for name, app in get_commands().items() if (ROOT / app.replace(".", "/")).exists()}
    commands = set(re.findall(r"^\| `([a-z_]+)", page, re.MULTILINE))

    assert {setting.name for setting in env.TABLE} <= set(settings)
    assert commands - ours == set()
    assert ours - commands == {"sync_messages"}  # for people who change texts: CONTRIBUTING.md
