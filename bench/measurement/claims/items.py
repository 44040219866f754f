"""7. The shipped puzzles: one key each, nothing given away, nothing twice."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from assessments.charts.puzzle_figures import TABLE, shown
from bench.measurement.claims.simulated import ROOT, shipped_file
from tests.support.figures import Figure, at_least, at_most, exactly, reported

LANGUAGE = "en"
# Beyond one in as many as there are options.
ADVANTAGE = 0.05
PROOFS = ROOT / "tests" / "assessments" / "itembank"

Item = Mapping[str, Any]
# What the options alone make of each option; the highest is taken, equal ones by lot.
Guesser = Callable[[Sequence[frozenset[str]], Sequence[str]], list[float]]


def figures() -> Iterator[Figure]:
    data = json.loads(shipped_file().read_bytes())
    items = [item for item in data["items"] if item["section"] == "aptitude"]
    families = {
        family: [item for item in items if item["family"] == family]
        for family in dict.fromkeys(item["family"] for item in items)
    }
    yield exactly("puzzles", len(items), 360)
    yield from _proofs()
    stems = Counter(_stem(item) for item in items)
    yield exactly("stems that occur twice", sum(n > 1 for n in stems.values()), 0)
    codes = {option["value"] for item in items for option in item["options"]}
    yield exactly("keys that are not an option", sum(i["key"] not in codes for i in items), 0)
    yield at_most("keys out of balance: most less fewest in a place", _imbalance(families), 2)
    for name, guess in GUESSERS.items():
        advantages = {family: _advantage(guess, each) for family, each in families.items()}
        worst = max(advantages, key=lambda family: advantages[family])
        title = f"guesser by {name}: over chance, at most ({worst})"
        yield at_most(title, advantages[worst], ADVANTAGE)
    yield from _pictures(items)
    for family, each in families.items():
        yield reported(f"{family}: mean rule difficulty", fmean(item["b"] for item in each))


def _proofs() -> Iterator[Figure]:
    """Let the tests' solvers look for the answers that follow, by exhaustive search."""
    python = next(
        (each for each in (ROOT / ".venv/bin/python", Path("python3")) if _has_pytest(each)), None
    )
    if python is None:
        yield Figure("proofs of the keys", float("nan"), "need requirements-test.txt", met=False)
        return
    done = subprocess.run(
        [python, "-m", "pytest", "-q", "-n", "0", str(PROOFS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    found = re.findall(r"(\d+) (passed|failed|error)", done.stdout)
    counts = {word: int(number) for number, word in found}
    yield at_least("proofs of keys, options and stems that hold", counts.get("passed", 0), 300)
    broken = counts.get("failed", 0) + counts.get("error", 0)
    yield exactly("proofs that fail", broken if done.returncode in (0, 1) else -1, 0)


def _has_pytest(python: Path) -> bool:
    try:
        done = subprocess.run([python, "-c", "import pytest, django"], capture_output=True)
    except OSError:
        return False
    return done.returncode == 0


def _stem(item: Item) -> str:
    parts = [item.get(name) for name in ("text", "passage", "lines", "figure")]
    return json.dumps(parts, sort_keys=True)


def _imbalance(families: Mapping[str, Sequence[Item]]) -> int:
    """Return the largest difference between two places' numbers of keys within a family."""
    largest = 0
    for items in families.values():
        for size in {len(item["options"]) for item in items}:
            keys = Counter(item["key"] for item in items if len(item["options"]) == size)
            counts = [keys[place] for place in range(1, size + 1)]
            largest = max(largest, max(counts) - min(counts))
    return largest


def _advantage(guess: Guesser, items: Sequence[Item]) -> float:
    """Return the share right, less the share by mere chance."""
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
    """Return what can be seen of an option: parts of a picture, or words, or signs by place."""
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
    """Take the number nearest to the mean of all."""
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


def _pictures(items: Sequence[Item]) -> Iterator[Figure]:
    drawn = [item["figure"] for item in items if item.get("figure")]
    tables = [figure for figure in drawn if figure["kind"] == TABLE]
    silent = [
        figure
        for figure in drawn
        if figure["kind"] != TABLE and not shown(figure, LANGUAGE).alternative.strip()
    ]
    yield reported("figures, tables among them", len(drawn), f"({len(tables)} tables)")
    yield exactly("drawings without a text alternative", len(silent), 0)
    yield exactly("tables without a caption", sum(not t.get("caption") for t in tables), 0)
    unnamed = sum(not option["label"][LANGUAGE] for item in items for option in item["options"])
    yield exactly("options without a name", unnamed, 0)
    yield exactly("figures that change with the key", sum(map(_tells, items)), 0)


def _tells(item: Item) -> bool:
    """Whether anything drawn for the question would differ if another option were the key."""
    if not item.get("figure"):
        return False
    drawn = [shown(item["figure"], LANGUAGE)]
    drawn += [shown(option["figure"], LANGUAGE) for option in item["options"] if "figure" in option]
    words = repr(drawn).lower()
    return any(word in words for word in ("key", "correct", "answer", "solution"))
