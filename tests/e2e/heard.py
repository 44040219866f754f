"""What a screen reader hears: the browser's accessibility tree, in reading order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from playwright.sync_api import Page


class Heard(NamedTuple):
    """A node: its role, its name and its description."""

    role: str
    name: str
    description: str = ""


def heard(page: Page) -> list[Heard]:
    """Return the nodes of the page that have a name, as assistive technology reads them."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    by_id = {node["nodeId"]: node for node in nodes}
    [root] = [node for node in nodes if "parentId" not in node]
    return list(_read(root, by_id))


def _read(node: dict[str, Any], by_id: dict[str, dict[str, Any]]) -> Iterator[Heard]:
    role = node.get("role", {}).get("value", "")
    name = node.get("name", {}).get("value", "").strip()
    if name and not node["ignored"] and role != "InlineTextBox":
        yield Heard(role, name, node.get("description", {}).get("value", ""))
    for child in node.get("childIds", []):
        if child in by_id:
            yield from _read(by_id[child], by_id)


def names(nodes: list[Heard], role: str) -> list[str]:
    """Return the names of the nodes of a role."""
    return [node.name for node in nodes if node.role == role]
