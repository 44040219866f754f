"""The template context of the result page: what it says of a profile and of the courses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from django.utils.translation import gettext as _

from assessments.models import Course
from measurement import explanation
from measurement.ability import interval, reported_bands
from measurement.bank import Bank
from measurement.fields import is_enjoyed
from measurement.profile import OVERALL, Profile
from measurement.reasons import Reason
from measurement.scales import FACETS, INTERESTS, NEITHER, PREFERENCES, ScaleScore, leaning
from measurement.wording import WORDS, known_language

# The reference of banks that compare with students who have taken the assessment.
STUDENTS = "students"
MOST_ENJOYED = 3
# How far above the mean of one's own fields, in SDs, a field must be to be named where the answers
# are much alike or look careless.
LEAD_IF_UNSURE = 0.5
# Two columns fit on a phone; a third makes it scroll.
FEWEST_TO_COMPARE, MOST_TO_COMPARE = 2, 3
SENTENCE_END = re.compile(r"(?<=[.।!?])\s")


def report(
    profile: Profile,
    language: str,
    bank: Bank,
    reference: str = "assumed",
    names: Mapping[str, str] = explanation.NO_NAMES,
    other_subjects: Sequence[Mapping[str, Any]] = (),
    answers: Sequence[str] = (),
) -> dict[str, Any]:
    """Return what the result page says of a profile; `course_groups` has its courses.

    `reference` and `names` are those of the attempt's bank, `answers` the labels of its five
    answers to statements, `other_subjects` the courses that need other subjects, as stored.
    """
    language = known_language(language)
    words, scores = WORDS[language], profile.interests
    ranked = sorted(INTERESTS, key=lambda name: -scores[name].mean)
    interests = [
        {
            "label": words.interests[name][0],
            "text": words.interests[name][1],
            "percent": scores[name].percent,
            "answer": answers[round(scores[name].mean) - 1] if answers else "",
        }
        for name in ranked
    ]
    # The second one if it is liked.
    highest = interests[: 2 if scores[ranked[1]].mean > NEITHER else 1]
    leading = enjoyed(profile, bank)
    preferences = [_preference(name, profile.preferences[name], language) for name in PREFERENCES]
    ability, is_calibrated = profile.aptitude[OVERALL], reference == STUDENTS
    low, high = interval(ability, is_calibrated=is_calibrated)
    bands = reported_bands(ability, is_calibrated=is_calibrated)
    # A note about the whole list, if the answers show carelessness or the interests no direction.
    notes = words.page_notes
    note = notes["flagged"] if profile.validity.flags else notes["flat"] if profile.is_flat else ""
    return {
        "fields": joined([names[name] for name in leading]),
        "is_sure": profile.confidence == "usual",
        "leading": [
            {"name": names[name], "percent": 50 + 25 * profile.fields[name]} for name in leading
        ],
        "interests": interests,
        "highest": [] if profile.is_flat else highest,
        "flat": profile.is_flat,
        "reasoning": {
            "lowest": words.bands[bands[0].code],
            "highest": words.bands[bands[-1].code],
            "low": low,
            "high": high,
        },
        "compared_with_students": is_calibrated,
        "preferences": preferences,
        "leanings": [each for each in preferences if each["advice"]],
        "advice": words.study_advice,
        "other_subjects": [
            {
                "name": course["name"],
                "subjects": explanation.required_subjects(course["streams"], language),
            }
            for course in other_subjects
        ],
        "confidence_note": note,
    }


def joined(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: "a", "a and b", "a, b and c".

    If some contain "and" themselves, commas separate all, and these come last: "a, b and c".
    """
    conjunction = " ".join(["", _("and"), ""])
    if len(words) < 2 or any(conjunction in word for word in words):
        return ", ".join(sorted(words, key=lambda word: conjunction in word))
    return ", ".join(words[:-1]) + conjunction + words[-1]


def enjoyed(profile: Profile, bank: Bank) -> list[str]:
    """Return up to three fields that the student enjoys, the highest scores first.

    If confidence is low, they must stand out among the student's own fields as well.
    """
    least = 0.0
    if profile.confidence == "low":
        least = fmean(profile.fields.values()) + LEAD_IF_UNSURE
    named = [
        name
        for name, score in profile.fields.items()
        if score > least and is_enjoyed(bank, name, score)
    ]
    return sorted(named, key=lambda name: -profile.fields[name])[:MOST_ENJOYED]


def _preference(name: str, score: ScaleScore, language: str) -> dict[str, Any]:
    left, right = WORDS[language].preferences[name]
    ends = dict(zip(name.split("_"), (left, right), strict=True))
    clear = leaning(name, score)
    label = _("You lean towards %(end)s.") % {"end": ends[clear]} if clear else ""
    return {
        "left": left,
        "right": right,
        "label": label or _("No strong preference."),
        "percent": score.percent,
        "advice": WORDS[language].leaning_advice[clear] if clear else "",
    }


def course_groups(
    recommendations: Sequence[Mapping[str, Any]],
    language: str,
    names: Mapping[str, str] = explanation.NO_NAMES,
    described: Mapping[str, Course] | None = None,
) -> list[dict[str, Any]]:
    """Return the best matches and the other courses, each with a title, without empty groups.

    `described` are the courses of today, which have the texts, by code.
    """
    courses: list[dict[str, Any]] = []
    for number, each in enumerate(recommendations, start=1):
        course = (described or {}).get(each["code"], Course())
        about, leads_to = course.text("about", language), course.text("leads_to", language)
        texts = explanation.texts(each, language, names, course.required_streams)
        more = (leads_to, course.url, texts["counterpoint"], texts["note"], texts["facts"])
        courses.append(
            {
                "number": number,
                "code": each["code"],
                "name": each["name"],
                "about": about,
                "first_sentence": SENTENCE_END.split(about, maxsplit=1)[0],
                "jobs": leads_to,
                "leads_to": " · ".join(leads_to),
                "url": course.url,
                "apply_url": course.apply_url if course.is_active else "",
                "has_more": any(more),
                **texts,
            }
        )
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
    """Return how each course of a stored profile fits that the student named, and why."""
    language = known_language(language)
    return [
        {
            "name": each["name"],
            "fit": WORDS[language].fits[each["fit"]],
            "why": [explanation.required_subjects(each["streams"], language)]
            if each["streams"]
            else [
                explanation.sentence(Reason(**point), language, names)
                for point in each["points"]
                if with_puzzles or point["about"] not in FACETS
            ],
        }
        for each in profile.get("considered", [])
    ]


def compared(courses: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of a comparison, without empty ones: a title and a text for each course."""
    rows = [
        (_("What you study"), [each["about"] for each in courses]),
        (_("Leads to"), [each["leads_to"] for each in courses]),
        (_("Why it may suit you"), [" ".join(each["reasons"]) for each in courses]),
        (_("To think about"), [each["counterpoint"] for each in courses]),
        (_("Before you start"), [" ".join(each["facts"]) for each in courses]),
    ]
    return [{"title": title, "texts": texts} for title, texts in rows if any(texts)]
