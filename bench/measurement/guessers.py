"""9. The shipped puzzles cannot be guessed from their options.

`pytest lab` proves the rest: exhaustive search finds one key each, and no puzzle occurs twice.
"""

import json
import re
from collections import Counter
from statistics import fmean

from bench.measurement.sittings import SHIPPED_BANK
from lab.figures import at_most, exactly

# By how much a guesser's share of right answers may exceed chance.
ADVANTAGE = 0.05


def figures():
    items = [item for item in SHIPPED_BANK["items"] if item["section"] == "aptitude"]
    yield exactly("puzzles", len(items), 360)
    for name, guess in GUESSERS.items():
        advantages = {
            family: advantage(guess, [item for item in items if item["family"] == family])
            for family in dict.fromkeys(item["family"] for item in items)
        }
        worst = max(advantages, key=advantages.get)
        title = f"guesser by {name}: over chance, at most ({worst})"
        yield at_most(title, advantages[worst], ADVANTAGE)


def advantage(guess, items):
    """Return the share of right answers, less the share by chance."""
    shares = []
    for item in items:
        options = item["options"]
        labels = ["" if "figure" in each else each["label"]["en"] for each in options]
        worth = guess([_features(each) for each in options], labels)
        if worth:
            best = [o["value"] for o, w in zip(options, worth, strict=True) if w == max(worth)]
            shares.append((item["key"] in best) / len(best) - 1 / len(options))
    return fmean(shares) if shares else 0.0


def _features(option):
    """Return an option's visible features: parts of a picture, words, or characters by place."""
    if "figure" in option:
        return frozenset(_parts(option["figure"], ""))
    label = option["label"]["en"]
    if " " in label:
        return frozenset(label.lower().rstrip(".").split())
    forwards = (f"{place} {sign}" for place, sign in enumerate(label))
    return frozenset([*forwards, *(f"-{n} {sign}" for n, sign in enumerate(reversed(label)))])


def _parts(value, path):
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _parts(each, f"{path}.{name}")
    else:
        for each in value if isinstance(value, list) else [value]:
            yield f"{path}: {json.dumps(each)}"


# A guesser gets the features and the words of all options and rates each; it takes the highest,
# drawing among equals. Without rates it does not guess.


def most_in_common(features, labels):
    counts = Counter(feature for each in features for feature in each)
    return [sum(counts[feature] for feature in each) for each in features]


def least_in_common(features, labels):
    return [-each for each in most_in_common(features, labels)]


def longest(features, labels):
    return [len(label) for label in labels] if all(labels) else []


def shortest(features, labels):
    return [-each for each in longest(features, labels)]


def middle_number(features, labels):
    found = [re.search(r"\d[\d,]*", label) for label in labels]
    if not all(found):
        return []
    values = [float(each[0].replace(",", "")) for each in found]
    return [-abs(value - fmean(values)) for value in values]


def simplest(features, labels):
    return [-len(each) for each in features]


GUESSERS = {
    "most in common": most_in_common,
    "least in common": least_in_common,
    "longest words": longest,
    "shortest words": shortest,
    "middle number": middle_number,
    "simplest": simplest,
}
