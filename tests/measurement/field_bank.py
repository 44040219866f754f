"""The bank that ranks by fields, answers to its statements, and students and courses for it."""

import json
from functools import cache

from assessments.banks import SHIPPED
from assessments.catalogue.course_rows import parse
from assessments.catalogue.plans import plan_rows
from assessments.made_up.demo import COURSES
from measurement.ability import Ability
from measurement.bank import Bank
from measurement.courses import CourseData
from measurement.fields import field_scores, leading_fields
from measurement.profile import OVERALL, Profile
from measurement.scales import FACETS, INTERESTS, PREFERENCES, ScaleScore
from measurement.validity import CAREFUL


@cache
def field_bank():
    return Bank.from_json(json.loads(SHIPPED.read_bytes()))


def sitting(likes, usual=3):
    """Return the field scores of a student who answers by field and is asked both stages.

    `likes` are answers (1 to 5) to all statements that speak of a field; others get `usual`.
    """
    bank = field_bank()

    def answer(code):
        named = [likes[field] for field in bank.statements[code].fields if field in likes]
        return named[0] if named else usual

    answers = {code: answer(code) for code in bank.interests}
    leading = leading_fields(bank, field_scores(bank, answers))
    answers |= {
        code: answer(code) for code, each in bank.follow_ups.items() if each.scale in leading
    }
    return field_scores(bank, answers)


def profile(fields=None, overall=0.0, facets=None):
    """Return a student with these field scores; facets are as good as all puzzles unless given."""
    thetas = dict.fromkeys(FACETS, overall) | {OVERALL: overall} | dict(facets or {})
    means = (4.5, 3.0, 2.0, 3.0, 2.5, 1.5)
    return Profile(
        interests={n: ScaleScore(mean, mean - 3) for n, mean in zip(INTERESTS, means, strict=True)},
        aptitude={name: Ability(theta, 0.3) for name, theta in thetas.items()},
        preferences={name: ScaleScore(3.0, 0.0) for name in PREFERENCES},
        validity=CAREFUL,
        fields=fields or {},
    )


def course(code, *fields, **facts):
    return CourseData(**{"code": code, "name": code, "order": 1, **facts}, fields=fields)


def demo_courses():
    return plan_rows([], parse(COURSES.read_bytes())).courses


def needing(code, *levels, field="art", **facts):
    needs = {}
    for facet, level in zip(FACETS, levels, strict=False):
        needs |= {f"{facet}_level": level, f"{facet}_importance": int(level > 0)}
    return course(code, field, **needs | facts)
