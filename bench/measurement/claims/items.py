"""9. The shipped puzzles cannot be guessed from their options.

`pytest lab` proves the rest: exhaustive search finds one key each, and no puzzle occurs twice.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

from bench.measurement.claims.simulated import shipped_file
from lab.figures import Figure, at_most, exactly

LANGUAGE = "en"
# By how much a guesser's share of right answers may exceed chance.
ADVANTAGE = 0.05

Item = Mapping[str, Any]
# Rates each option by the options alone. The guesser takes the highest, drawing among equals.
Guesser = Callable[[Sequence[frozenset[str]], Sequence[str]], list[float]]


def figures() -> Iterator[Figure]:
    data = json.loads(shipped_file().read_bytes())
    items = [item for item in data["items"] if item["section"] == "aptitude"]
    families = {
        family: [item for item in items if item["family"] == family]
        for family in dict.fromkeys(item["family"] for item in items)
    }
    yield exactly("puzzles", len(items), 360)
    for name, guess in GUESSERS.items():
        advantages = {family: _advantage(guess, each) for family, each in families.items()}
        worst = max(advantages, key=lambda family: advantages[family])
        title = f"guesser by {name}: over chance, at most ({worst})"
        yield at_most(title, advantages[worst], ADVANTAGE)


def _advantage(guess: Guesser, items: Sequence[Item]) -> float:
    """Return the share of right answers, less the share by chance."""
    shares = []
    for item in items:
        options = item["options"]
        worth = guess([_features(option) for option in options], [_label(o) for o in options])
        if not worth:
            continue
        best = [o["value"] for o, each in zip(options, worth, strict=True) if each == max(worth)]
        shares.append((item["key"] in best) / len(best) - 1 / len(options))
    return fmean(shares) if shares else 0.0


def _label(option: Item) -> str:
    return "" if "figure" in option else str(option["label"][LANGUAGE])


def _features(option: Item) -> frozenset[str]:
    """Return an option's visible features: parts of a picture, words, or characters by place."""
    if "figure" in option:
        return frozenset(_parts(option["figure"], ""))
    label = _label(option)
    if " " in label:
        return frozenset(label.lower().rstrip(".").split())
    return frozenset(
        [*(f"{place} {sign}" for place, sign in enumerate(label))]
        + [f"-{place} {sign}" for place, sign in enumerate(reversed(label))]
    )


def _parts(value: object, path: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from _parts(each, f"{path}.{name}")
    elif isinstance(value, list):
        for each in value:
            yield f"{path}: {json.dumps(each)}"
    else:
        yield f"{path}: {value}"


def _majority(features: Sequence[frozenset[str]], labels: Sequence[str]) -> list[float]:
    counts = Counter(feature for each in features for feature in each)
    return [sum(counts[feature] for feature in each) for each in features]


def _minority(features: Sequence[frozenset[str]], labels: Sequence[str]) -> list[float]:
    return [-each for each in _majority(features, labels)]


def _longest(features: Sequence[frozenset[str]], labels: Sequence[str]) -> list[float]:
    return [float(len(label)) for label in labels] if all(labels) else []


def _shortest(features: Sequence[frozenset[str]], labels: Sequence[str]) -> list[float]:
    return [-each for each in _longest(features, labels)]


def _middle(features: Sequence[frozenset[str]], labels: Sequence[str]) -> list[float]:
    """Rate highest the number nearest to the mean of all."""
    found = [re.search(r"\d[\d,]*", label) for label in labels]
    values = [float(each[0].replace(",", "")) for each in found if each]
    if len(values) < len(labels):
        return []
    return [-abs(value - fmean(values)) for value in values]


def _simplest(features: Sequence[frozenset[str]], labels: Sequence[str]) -> list[float]:
    return [-float(len(each)) for each in features]


GUESSERS: dict[str, Guesser] = {
    "most in common": _majority,
    "least in common": _minority,
    "longest words": _longest,
    "shortest words": _shortest,
    "middle number": _middle,
    "simplest": _simplest,
}
