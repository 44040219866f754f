"""The rules of the matrices: how each attribute of the pictures changes along the rows."""

from __future__ import annotations

from collections.abc import Mapping

Plan = Mapping[str, str]

# Turns cannot be compared between different shapes, so plans with turns keep the shape in each row.
# The names on the right are those of WRITERS. In a plan, the hardest attribute comes first, because
# options differ in it most. The easier plans come first.
PLANS: dict[str, Plan] = {
    "size": {"size": "progression", "shape": "per_row", "fill": "same"},
    "count": {"count": "progression", "shape": "per_row", "fill": "same"},
    "turn": {"turn": "progression", "shape": "per_row", "fill": "same"},
    "dot": {"dot": "progression", "shape": "per_row", "fill": "same"},
    "shape": {"shape": "distribution", "fill": "per_row"},
    "shape_and_count": {"shape": "distribution", "count": "progression", "fill": "same"},
    "fill_and_size": {"fill": "distribution", "size": "progression", "shape": "same"},
    "total": {"count": "total", "shape": "per_row", "fill": "same"},
    "difference": {"count": "difference", "shape": "per_row", "fill": "same"},
    "rays_added": {"rays": "added", "shape": "per_row", "fill": "same"},
    "dot_and_shape": {"dot": "progression", "shape": "distribution", "fill": "same"},
    "turn_and_fill": {"turn": "progression", "fill": "distribution", "shape": "same"},
    "shape_and_fill": {"shape": "distribution", "fill": "against"},
    "lines_added": {"lines": "added"},
    "lines_taken": {"lines": "taken"},
    "lines_kept": {"lines": "kept"},
    "turn_and_outline": {
        **{"turn": "progression", "outer": "distribution", "shape": "same", "fill": "same"},
    },
    "dot_and_ring": {
        **{"ring": "progression", "dot": "progression", "shape": "per_row", "fill": "same"},
    },
    "grid_exclusive": {"grid": "exclusive", "shape": "per_row", "fill": "same"},
    "rays_added_and_shape": {"rays": "added", "shape": "distribution", "fill": "same"},
    "lines_exclusive": {"lines": "exclusive"},
    "lines_added_and_dot": {"lines": "added", "dot": "progression"},
    "dot_shape_fill": {"dot": "progression", "shape": "distribution", "fill": "against"},
    "turn_fill_outline": {
        **{"turn": "progression", "fill": "distribution", "outer": "against", "shape": "same"},
    },
    "grid_exclusive_and_shape": {"grid": "exclusive", "shape": "distribution", "fill": "same"},
    "rays_exclusive_and_fill": {"rays": "exclusive", "fill": "distribution", "shape": "same"},
    "rays_exclusive_and_turn": {
        **{"rays": "exclusive", "turn": "progression", "shape": "same", "fill": "same"},
    },
    "rays_added_shape_fill": {"rays": "added", "shape": "distribution", "fill": "against"},
    "lines_exclusive_and_dot": {"lines": "exclusive", "dot": "progression"},
    "rays_exclusive_shape_fill": {
        **{"rays": "exclusive", "shape": "distribution", "fill": "against"},
    },
}
CONSTANT = ("same", "per_row")


def ruled(plan: Plan) -> list[str]:
    """List the attributes that change along the rows, the hardest one first."""
    return [name for name, does in plan.items() if does not in CONSTANT]


def changing(plan: Plan) -> list[str]:
    """List the attributes in which options differ: the ruled ones, with another one if possible.

    Only a plan with a single ruled attribute needs another one, which is constant in each row.
    """
    constant = [name for name, does in plan.items() if does == "per_row"]
    return ruled(plan) + (constant if len(ruled(plan)) == 1 else [])


def overlaps(plan: Plan) -> bool:
    """Tell whether one changing attribute is drawn over another one."""
    names = set(ruled(plan))
    return "lines" in names or "outer" in names or names == {"dot", "ring"}
