"""The matrices that are shipped, and more of them, as they stand in a bank file."""

import json
from collections.abc import Mapping
from typing import Any

from lab.generators import build, matrices

Picture = Mapping[str, Any]

SHIPPED = json.loads(json.dumps(build.family_items(matrices)))


def as_item(draft):
    """What the bank file would say about a draft."""
    options = [
        {"value": value, "figure": figure}
        for value, figure in enumerate(draft.option_figures, start=1)
    ]
    return {"figure": draft.figure, "options": options, "key": draft.key, "rule": draft.rule}


def made(seeds):
    return [
        as_item(matrices.generate(rule, seed, 1 + (seed + number) % 6))
        for number, rule in enumerate(matrices.RULES)
        for seed in seeds
    ]


# Beyond the sixty that are shipped.
MORE = made(range(300, 312))


def pictures(item):
    return [option["figure"]["cell"] for option in item["options"]]
