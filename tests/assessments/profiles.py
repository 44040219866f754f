"""Students and catalogues as plain values, for what ranks and explains courses."""

from dataclasses import replace
from pathlib import Path
from statistics import fmean

from assessments.content.courses_file import parse
from measurement.ability import Ability
from measurement.courses import CourseData
from measurement.fields import field_scores, fields_to_ask
from measurement.profile import Profile
from measurement.recommendation import COUNT, suggest
from measurement.scales import FACETS, INTERESTS, PREFERENCES, ScaleScore
from measurement.validity import Validity
from tests.measurement.field_bank import field_bank

DEMO_FILE = Path(__file__).resolve().parents[2] / "assessments" / "demo" / "courses.csv"


def student(z, abilities=None, leans=None, *, se=0.48, flags=()):
    """Return a student with these standardised interests, facets and preferences (in SDs).

    Mean answers are those under the first norms, 3 and 0.9.
    """
    scales = {
        interest: ScaleScore(round(3 + 0.9 * value, 4), value)
        for interest, value in zip(INTERESTS, z, strict=True)
    }
    return Profile(
        interests=scales,
        aptitude={facet: Ability(theta, se) for facet, theta in (abilities or {}).items()},
        preferences={
            scale: ScaleScore(round(3 + 0.9 * value, 4), value)
            for scale, value in (leans or {}).items()
        },
        validity=Validity(1.0, 0.9, 2, 0, 4.0, [], list(flags)),
        fields={},
    )


def simulated(rng, shared):
    """Draw a student; `shared` is the correlation of any two interests.

    Estimates of facets spread as posterior means do, .87 of the true SD, and correlate by a
    general ability; preferences are independent.
    """
    liking, general = rng.gauss(0, 1), rng.gauss(0, 1)

    def interest():
        value = shared**0.5 * liking + (1 - shared) ** 0.5 * rng.gauss(0, 1)
        return round(min(max(value, -2.2), 2.2), 4)

    return student(
        tuple(interest() for _ in INTERESTS),
        {"overall": 0.87 * general}
        | {facet: 0.87 * (0.8 * general + 0.6 * rng.gauss(0, 1)) for facet in FACETS},
        {scale: rng.gauss(0, 1) for scale in PREFERENCES},
    )


def recommended(rng, student, count=COUNT):
    """Return the demo's courses for a student, whose answers to statements follow the types."""
    bank = field_bank()
    types = {name: score.z for name, score in student.interests.items()}
    leanings = types | {
        field: fmean(types[each] for each in its_types) for field, its_types in bank.fields.items()
    }
    answers = {
        code: min(max(round(3 + 1.2 * (0.7 * leanings[each.scale] + 0.7 * rng.gauss(0, 1))), 1), 5)
        for code, each in bank.statements.items()
    }
    leading = fields_to_ask(bank, {code: answers[code] for code in bank.interests})
    answers = {
        code: answer
        for code, answer in answers.items()
        if code in bank.interests or bank.follow_ups[code].scale in leading
    }
    scored = replace(student, fields=field_scores(bank, answers))
    return suggest(bank, scored, answers, demo_courses(), count).recommended


def demo_courses():
    return [CourseData.from_columns(row) for row in parse(DEMO_FILE.read_bytes())]
