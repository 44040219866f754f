"""Recommended courses on the pages of a result: in groups, side by side, and removed ones."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from assessments.models.course_description import CourseDescription
from measurement import explanation
from measurement.reason_wording import FIT_WORDS
from measurement.reasons import Point
from measurement.scales import FACETS
from measurement.wording import known_language

# Two columns fit on a phone; a third makes it scroll.
SENTENCE = re.compile(r"(?<=[.।!?])\s")
FEWEST_TO_COMPARE, MOST_TO_COMPARE = 2, 3


def course(
    recommendation: Mapping[str, Any],
    language: str,
    names: Mapping[str, str],
    descriptions: Mapping[str, CourseDescription],
) -> dict[str, Any]:
    said = descriptions.get(recommendation["code"], CourseDescription())
    texts = explanation.texts(recommendation, language, names, said.required_streams)
    more = (said.leads_to, said.url, texts["counterpoint"], texts["note"], texts["facts"])
    return {
        "code": recommendation["code"],
        "name": recommendation["name"],
        "about": said.about,
        "first_sentence": SENTENCE.split(said.about, maxsplit=1)[0],
        "jobs": said.leads_to,
        "leads_to": " · ".join(said.leads_to),
        "url": said.url,
        "apply_url": said.apply_url,
        "has_more": any(more),
        **texts,
    }


def groups(
    recommendations: Sequence[Mapping[str, Any]],
    language: str,
    names: Mapping[str, str] = explanation.NO_NAMES,
    descriptions: Mapping[str, CourseDescription] | None = None,
) -> list[dict[str, Any]]:
    """Return the best matches and the other courses, each with a title, without empty groups.

    `descriptions` are by code.
    """
    courses = [
        {"number": number, **course(each, language, names, descriptions or {})}
        for number, each in enumerate(recommendations, start=1)
    ]
    count = explanation.best_matches(recommendations)
    found = [
        {"title": _("Best matches"), "courses": courses[:count]},
        {
            "title": _("Also worth a look") if count else _("Courses to look at"),
            "courses": courses[count:],
        },
    ]
    return [group for group in found if group["courses"]]


def ideas(
    profile: Mapping[str, Any], language: str, names: Mapping[str, str], *, with_puzzles: bool
) -> list[dict[str, Any]]:
    """Return how each course fits that the student named, and why, as a stored profile has it.

    Without puzzles, no reason rests on them.
    """
    language = known_language(language)
    return [
        {
            "name": each["name"],
            "fit": FIT_WORDS[language][each["fit"]],
            "why": [explanation.required_subjects(each["streams"], language)]
            if each["streams"]
            else [
                explanation.sentence(Point.from_json(point), language, names)
                for point in each["points"]
                if with_puzzles or point["about"] not in FACETS
            ],
        }
        for each in profile.get("considered", [])
    ]


def this_week(groups: Sequence[Mapping[str, Any]], sender: str) -> list[str]:
    """Return three things to do about the first course; none without courses."""
    if not groups:
        return []
    first = groups[0]["courses"][0]
    values = {"course": first["name"], "sender": sender or _("the college")}
    if first["jobs"]:
        talk = _("Find someone who works as %(job)s, and talk for ten minutes.")
        values["job"] = first["jobs"][0]
    else:
        talk = _("Ask someone who studies %(course)s what surprised them.")
    return [
        each % values
        for each in (
            _("Watch or read one lesson of %(course)s. Would you like to see the next one?"),
            talk,
            _("Ask %(sender)s what %(course)s costs, and what you need to get in."),
        )
    ]


def compared(courses: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of a comparison: a title and a text for each course; empty rows are left out.

    `courses` are contexts that `course` returned.
    """
    rows = [
        (_("What you study"), [each["about"] for each in courses]),
        (_("Leads to"), [each["leads_to"] for each in courses]),
        (_("Why it may suit you"), [" ".join(each["reasons"]) for each in courses]),
        (_("To think about"), [each["counterpoint"] for each in courses]),
        (_("Before you start"), [" ".join(each["facts"]) for each in courses]),
    ]
    return [{"title": title, "texts": texts} for title, texts in rows if any(texts)]
