"""The template context of a result page: of the profile and of the courses."""

import re
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from assessments.models.banks import ItemBank
from assessments.models.courses import Course
from measurement import explanation
from measurement.ability import interval, reported_bands
from measurement.fields import is_enjoyed
from measurement.profile import OVERALL, Profile
from measurement.reasons import Reason
from measurement.scales import FACETS, INTERESTS, NEITHER, PREFERENCES, ScaleScore, leaning
from measurement.wording import WORDS, Words, known_language
from partners.models import Project

STUDENTS = "students"  # the reference of banks with norms of real students
MAX_ENJOYED = 3
# If answers are much alike or look careless, a field is named only if it is this many SDs above the
# mean of the student's fields.
LEAD_IF_UNSURE = 0.5
# Two columns fit on a phone; with three it scrolls.
MIN_TO_COMPARE, MAX_TO_COMPARE = 2, 3
SENTENCE_END = re.compile(r"(?<=[.।!?])\s")


def describe_profile(
    bank: ItemBank, stored: Mapping[str, Any], *, with_puzzles: bool = True, with_ideas: bool = True
) -> dict[str, Any]:
    """Return the context of a stored profile, in the current language.

    Without puzzles it has no text or reasons about them, without ideas none of the named courses.
    """
    language, names = known_language(get_language()), bank.names(get_language())
    words, answers = WORDS[language], bank.definition["answers"]["interests"]
    profile = Profile.from_json(stored)
    scores, leading = profile.interests, find_enjoyed_fields(bank, profile)
    ranked = sorted(INTERESTS, key=lambda name: -scores[name].mean)
    interests = [
        {
            "label": words.interests[name][0],
            "text": words.interests[name][1],
            "percent": scores[name].percent,
            "answer": answers[round(scores[name].mean) - 1]["label"][get_language()],
        }
        for name in ranked
    ]
    # The second interest only if the student likes it.
    highest = interests[: 2 if scores[ranked[1]].mean > NEITHER else 1]
    preferences = [
        _describe_preference(name, profile.preferences[name], words) for name in PREFERENCES
    ]
    considered = stored.get("considered", []) if with_ideas else []
    # The note is about the whole list of courses.
    note = "flagged" if profile.validity.flags else "flat" if profile.is_flat else ""
    return {
        "fields": join_words([names[name] for name in leading]),
        "is_sure": profile.confidence == "usual",
        "leading": [
            {"name": names[name], "percent": 50 + 25 * profile.fields[name]} for name in leading
        ],
        "interests": interests,
        "highest": [] if profile.is_flat else highest,
        "flat": profile.is_flat,
        "has_norms_of_students": bank.norms_from > 0,
        "reasoning": _describe_reasoning(bank, profile, words) if with_puzzles else None,
        "compared_with_students": bank.reference == STUDENTS,
        "preferences": preferences,
        "leanings": [each for each in preferences if each["advice"]],
        "advice": words.study_advice,
        "ideas": [_describe_idea(each, language, names, with_puzzles) for each in considered],
        "named": [each["code"] for each in considered],
        "other_subjects": [
            {
                "name": course["name"],
                "subjects": explanation.write_required_subjects(course["streams"], language),
            }
            for course in stored.get("other_subjects", [])
        ],
        "confidence_note": words.page_notes.get(note, ""),
        "question_count": bank.layout.total,
    }


def describe_courses(
    project: Project,
    bank: ItemBank,
    recommendations: Sequence[Mapping[str, Any]],
    *,
    with_puzzles: bool = True,
) -> dict[str, Any]:
    """Return the context of recommendations as an attempt stores them, in the current language.

    Texts and addresses come from today's catalogue. `groups` are the best matches and the others.
    """
    if not with_puzzles:
        recommendations = [explanation.without_puzzles(each) for each in recommendations]
    names, codes = bank.names(get_language()), [each["code"] for each in recommendations]
    catalogue = {course.code: course for course in project.courses.filter(code__in=codes)}
    courses = [
        {"number": number, **_describe_course(each, catalogue.get(each["code"], Course()), names)}
        for number, each in enumerate(recommendations, start=1)
    ]
    best = explanation.count_best_matches(recommendations)
    others = _("Also worth a look") if best else _("Courses to look at")
    groups = [
        {"title": _("Best matches"), "courses": courses[:best]},
        {"title": others, "courses": courses[best:]},
    ]
    return {
        "courses": courses,
        "groups": [group for group in groups if group["courses"]],
        "can_compare": len(courses) >= MIN_TO_COMPARE,
    }


def compare_courses(courses: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows that are not empty, each with a title and a text per course."""
    rows = [
        (_("What you study"), [each["about"] for each in courses]),
        (_("Leads to"), [each["leads_to"] for each in courses]),
        (_("Why it may suit you"), [" ".join(each["reasons"]) for each in courses]),
        (_("To think about"), [each["counterpoint"] for each in courses]),
        (_("Before you start"), [" ".join(each["facts"]) for each in courses]),
    ]
    return [{"title": title, "texts": texts} for title, texts in rows if any(texts)]


def find_enjoyed_fields(bank: ItemBank, profile: Profile) -> list[str]:
    """Return at most MAX_ENJOYED fields, the highest score first; fewer if confidence is low."""
    min_score = 0.0
    if profile.confidence == "low":
        min_score = fmean(profile.fields.values()) + LEAD_IF_UNSURE
    enjoyed = [
        name
        for name, score in profile.fields.items()
        if score > min_score and is_enjoyed(bank.scoring, name, score)
    ]
    return sorted(enjoyed, key=lambda name: -profile.fields[name])[:MAX_ENJOYED]


def join_words(words: Sequence[str]) -> str:
    """Return "a, b and c". Words that contain "and" come last, after a comma instead of "and"."""
    conjunction = " ".join(["", _("and"), ""])
    if len(words) < 2 or any(conjunction in word for word in words):
        return ", ".join(sorted(words, key=lambda word: conjunction in word))
    return ", ".join(words[:-1]) + conjunction + words[-1]


def _describe_preference(name: str, score: ScaleScore, words: Words) -> dict[str, Any]:
    left, right = words.preferences[name]
    ends = dict(zip(name.split("_"), (left, right), strict=True))
    clear_end = leaning(name, score)
    label = _("You lean towards %(end)s.") % {"end": ends[clear_end]} if clear_end else ""
    return {
        "left": left,
        "right": right,
        "label": label or _("No strong preference."),
        "percent": score.percent,
        "advice": words.leaning_advice[clear_end] if clear_end else "",
    }


def _describe_reasoning(bank: ItemBank, profile: Profile, words: Words) -> dict[str, Any]:
    ability, is_calibrated = profile.aptitude[OVERALL], bank.reference == STUDENTS
    low, high = interval(ability, is_calibrated=is_calibrated)
    bands = reported_bands(ability, is_calibrated=is_calibrated)
    return {
        "lowest": words.bands[bands[0].code],
        "highest": words.bands[bands[-1].code],
        "low": low,
        "high": high,
    }


def _describe_idea(
    idea: Mapping[str, Any], language: str, names: Mapping[str, str], with_puzzles: bool
) -> dict[str, Any]:
    if idea["streams"]:
        why = [explanation.write_required_subjects(idea["streams"], language)]
    else:
        why = [
            explanation.write_reason(Reason(**reason), language, names)
            for reason in idea["points"]
            if with_puzzles or reason["about"] not in FACETS
        ]
    return {"name": idea["name"], "fit": WORDS[language].fits[idea["fit"]], "why": why}


def _describe_course(
    recommendation: Mapping[str, Any], course: Course, names: Mapping[str, str]
) -> dict[str, Any]:
    language = get_language()
    about, leads_to = course.text("about", language), course.text("leads_to", language)
    texts = explanation.course_texts(recommendation, language, names, course.required_streams)
    more = (leads_to, course.url, texts["counterpoint"], texts["note"], texts["facts"])
    return {
        "code": recommendation["code"],
        "name": recommendation["name"],
        "about": about,
        "first_sentence": SENTENCE_END.split(about, maxsplit=1)[0],
        "jobs": leads_to,
        "leads_to": " · ".join(leads_to),
        "url": course.url,
        "apply_url": course.apply_url if course.is_active else "",
        "has_more": any(more),
        **texts,
    }
