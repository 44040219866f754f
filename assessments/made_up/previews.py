"""Previews of a catalogue and of a course: template contexts from made-up students."""

import math
import random
from collections import Counter
from dataclasses import asdict, replace
from statistics import fmean
from typing import Any

from assessments.models import Course, ItemBank
from measurement import explanation
from measurement.ability import Ability
from measurement.bank import Bank
from measurement.course_names import FIELD_CHOICES
from measurement.field_fit import suits_takers
from measurement.profile import OVERALL, Profile
from measurement.recommendation import suggest
from measurement.scales import FACETS, INTERESTS, ScaleScore
from measurement.validity import CAREFUL
from partners.models import Project

# Field scores of a sample student: the favourite, fields that share a type with it, others.
FAVOURITE, RELATED, OTHER = 1.5, 0.3, -0.2
# Weights of the liking of types and of chance in a field score. Its SD is then about .67, as in the
# shipped norms.
TYPES_WEIGHT, CHANCE_WEIGHT = 0.45, 0.5
# Fewer students for large catalogues, so that a preview takes about a second.
MIN_STUDENTS, MAX_STUDENTS, MAX_PAIRS = 60, 200, 16_000
SEED = 2026
# The correlation of two interests among students, and of general ability with a facet.
SHARED_LIKING, SHARED_ABILITY = 0.25, 0.8
ESTIMATE_SD = 0.87  # estimates of abilities vary less than the abilities
OFTEN = 40  # a course in more of 100 lists crowds out others
# Average in interests and puzzles; each student gets other fields.
AVERAGE = Profile(
    interests=dict.fromkeys(INTERESTS, ScaleScore(3.0, 0.0)),
    aptitude=dict.fromkeys((OVERALL, *FACETS), Ability(0.0, 0.45)),
    preferences={},
    validity=CAREFUL,
    fields={},
)


def preview_catalogue(project: Project) -> dict[str, Any] | None:
    """Recommend a project's courses to simulated students, always the same. None without a bank.

    `standings` has each course's name and in how many of 100 lists it is, the most frequent first.
    `left_out` counts the active courses that do not suit who takes the assessment.
    """
    bank = ItemBank.objects.current_scoring()
    if bank is None:
        return None
    courses, listed = project.courses.recommendable().as_data(), project.recommendation_count
    count = max(MIN_STUDENTS, min(MAX_STUDENTS, MAX_PAIRS // max(len(courses), 1)))
    lists: Counter[str] = Counter()
    for number in range(count):
        recommended = suggest(
            bank, _simulate(bank, number), {}, courses, 0, further=listed
        ).recommended
        lists.update(each.code for each in recommended)
    ordered = sorted(courses, key=lambda each: (-lists[each.code], each.order, each.code))
    standings = [(each.name, round(100 * lists[each.code] / count)) for each in ordered]
    return {
        "students": count,
        "listed": listed,
        "left_out": project.courses.active().count() - len(courses),
        "standings": standings,
        "never": [each.name for each in ordered if not lists[each.code]],
        "often": [name for name, percent in standings if percent > OFTEN],
    }


def preview_course(course: Course) -> dict[str, Any] | None:
    """Return which sample students, one for each field, see a course. None without a bank.

    `samples` has the field's name, the place among the project's courses, and reasons in English.
    There are none if the course does not suit who takes the assessment.
    """
    bank = ItemBank.objects.current_scoring()
    if bank is None:
        return None
    project = course.project
    names = {code: field.name.lower() for code, field in FIELD_CHOICES.items()}
    others = project.courses.recommendable().exclude(pk=course.pk).as_data()
    catalogue, listed = [course.as_data, *others], project.recommendation_count
    if not suits_takers(course.as_data, project.takers):
        return {"courses": len(others), "listed": listed, "suits": False}
    samples = []
    for favourite, types in bank.fields.items():
        scores = {
            name: OTHER if set(types).isdisjoint(its_types) else RELATED
            for name, its_types in bank.fields.items()
        }
        student = replace(AVERAGE, fields={**scores, favourite: FAVOURITE})
        ranked = suggest(bank, student, {}, catalogue, 0, further=len(catalogue)).recommended
        place = next(n for n, each in enumerate(ranked, 1) if each.code == course.code)
        if place <= listed:
            texts = explanation.course_texts(asdict(ranked[place - 1]), "en", names)
            who = FIELD_CHOICES[favourite].name
            samples.append({"who": who, "place": place, "reasons": texts["reasons"]})
    return {"courses": len(catalogue), "listed": listed, "suits": True, "samples": samples}


def _simulate(bank: Bank, number: int) -> Profile:
    """Return a student whose interests, and whose abilities, correlate as those of real ones."""
    draw = random.Random(f"{SEED} {number}")  # noqa: S311  made-up students, no secret
    liking, general = draw.gauss(0, 1), draw.gauss(0, 1)

    def drawn(common: float, correlation: float) -> float:
        return math.sqrt(correlation) * common + math.sqrt(1 - correlation) * draw.gauss(0, 1)

    types = {each: drawn(liking, SHARED_LIKING) for each in INTERESTS}
    fields = {
        name: TYPES_WEIGHT * fmean(types[each] for each in its_types) * math.sqrt(len(its_types))
        + CHANCE_WEIGHT * draw.gauss(0, 1)
        for name, its_types in bank.fields.items()
    }
    thetas = {facet: ESTIMATE_SD * drawn(general, SHARED_ABILITY**2) for facet in FACETS}
    return replace(
        AVERAGE,
        fields=fields,
        aptitude={**AVERAGE.aptitude, **{each: Ability(z, 0.48) for each, z in thetas.items()}},
    )
