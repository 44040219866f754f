"""The figures of puzzles as a bank holds them: drawings made by the lab, and tables."""

from collections.abc import Mapping
from typing import Any

TABLE = "table"
# The styles of each kind of drawing, in the order of painting. A style is a class of the style
# sheet, so that colours follow light and dark mode. What all drawings of a kind have in common
# (their size, the frames of cells, the question mark) is in the template.
STYLES = {
    "matrix": ("hatch", "ink", "solid"),
    "cell": ("hatch", "ink", "solid"),
    "bars": ("grid", "column", "axis"),
}


def describe_figure(figure: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return the figure in one language: a drawing with its text alternative, or a table.

    The `paths` of a drawing are pairs of style and path data. A table has none, and the first of
    its `columns` is the heading of the row labels.
    """
    kind, caption = figure["kind"], figure.get("caption", {}).get(language, "")
    if kind == TABLE:
        columns = [column[language] for column in figure["columns"]]
        rows = [
            {"label": row["label"][language], "values": [str(value) for value in row["values"]]}
            for row in figure["rows"]
        ]
        return {"caption": caption, "columns": columns, "rows": rows}
    paths = figure["paths"]
    return {
        "kind": kind,
        "caption": caption,
        "alternative": figure.get("alt", {}).get(language, ""),
        # A database returns the members of an object in an order of its own.
        "paths": [(style, paths[style]) for style in STYLES[kind] if style in paths],
        "words": [{**word, "text": word["text"][language]} for word in figure.get("words", ())],
    }
