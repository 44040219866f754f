"""Where the courses that students named, or took in the end, stand on their lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from lab.answers import Attempt
from lab.figures import Figure, reported
from lab.refusal import Refusal
from measurement.bank import Bank
from measurement.fields import field_scores

OTHER = "other"
FIRST = (1, 3, 5)
# With fewer favourites, or fewer of a course, its profile is noise.
FEWEST_FAVOURITES, FEWEST_OF_COURSE = 300, 15
# The profile of a course leans on that of all as if so many average students had named it too.
SHRINK_BY = 15

Scores = Mapping[str, float]


def outcome_figures(bank: Bank, attempts: Sequence[Attempt]) -> Iterator[Figure]:
    """Yield how often the course taken was listed, and what learned profiles of courses would do.

    A place counts with and without what naming a course adds to it. Raises Refusal if the file has
    no course that was named or taken.
    """
    completed = [attempt for attempt in attempts if attempt.is_completed]
    taken = [attempt for attempt in completed if attempt.taken]
    favourites = [each for each in completed if each.is_valid and _favourite(each)]
    if not taken and not favourites:
        raise Refusal("No attempt in the file has a course that was named or taken.")
    yield reported("attempts with a course taken", len(taken))
    for title, places in (
        ("with the naming", [each.place for each in taken]),
        ("without the naming", [each.place_unnamed for each in taken]),
    ):
        for first in FIRST if taken else ():
            share = fmean(0 < place <= first for place in places)
            yield reported(f"the course taken among the first {first}, {title}", share)
    yield reported("valid attempts with a favourite course", len(favourites))
    if len(favourites) >= FEWEST_FAVOURITES:
        yield from _learned(bank, favourites)


def _favourite(attempt: Attempt) -> str:
    """Return the first named course that is told apart in the export, or ""."""
    return next((code for code in attempt.considered if code != OTHER), "")


def _learned(bank: Bank, favourites: Sequence[Attempt]) -> Iterator[Figure]:
    """Yield how often a favourite is among the first by the likings of others who named it.

    A course's profile is the mean of their field scores, shrunk towards that of all. Each student
    is left out of the profiles that rank the courses for them. Only courses of the student's own
    project are ranked.
    """
    scores = [field_scores(bank, _liked(bank, each)) for each in favourites]
    own = [_favourite(each) for each in favourites]
    counts = Counter(own)
    courses = [code for code, count in counts.items() if count >= FEWEST_OF_COURSE]
    everybody = {name: fmean(each[name] for each in scores) for name in bank.fields}
    sums = {
        code: {
            name: sum(each[name] for each, other in zip(scores, own, strict=True) if other == code)
            for name in bank.fields
        }
        for code in courses
    }
    places, chance = [], []
    for score, favourite in zip(scores, own, strict=True):
        rivals = [code for code in courses if _project(code) == _project(favourite)]
        if favourite not in rivals:
            continue
        fits = {}
        for code in rivals:
            left_out = code == favourite
            count = counts[code] - left_out
            fits[code] = sum(
                (score[name] - everybody[name])
                * (sums[code][name] - left_out * score[name] - count * everybody[name])
                / (count + SHRINK_BY)
                for name in bank.fields
            )
        order = sorted(rivals, key=lambda code: -fits[code])
        places.append(order.index(favourite) + 1)
        chance.append(len(rivals))
    if not places:
        return
    for first in FIRST:
        share = fmean(place <= first for place in places)
        by_chance = fmean(min(1.0, first / count) for count in chance)
        yield reported(
            f"favourites among the first {first} by learned profiles",
            share,
            f"(chance: {by_chance:.3f})",
        )


def _project(code: str) -> str:
    return code.partition(":")[0]


def _liked(bank: Bank, attempt: Attempt) -> dict[str, int]:
    return {each.code: each.choice for each in attempt.given if each.code in bank.statements}
