"""The template context of a result page: of the profile and of the courses."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from assessments.models.banks import ItemBank
from assessments.models.courses import Course
from measurement import explanation
from measurement.ability import interval, reported_bands
from measurement.field_fit import PART, WELL
from measurement.profile import OVERALL, Profile, enjoyed_fields
from measurement.reasons import ABOUT_PUZZLES, Reason
from measurement.scales import INTERESTS, NEITHER, PREFERENCES, ScaleScore
from measurement.validity import APTITUDE, FLAT, STUDY
from measurement.validity import INTERESTS as INTERESTS_PART
from measurement.wording import WORDS, Words, known_language
from partners.models import Project

# Two columns fit on a phone; with three it scrolls.
MIN_TO_COMPARE, MAX_TO_COMPARE = 2, 3


def describe_profile(
    bank: ItemBank, stored: Mapping[str, Any], *, with_puzzles: bool = True, with_ideas: bool = True
) -> dict[str, Any]:
    """Return the context of a stored profile, in the current language.

    Without puzzles it has no text or reasons about them, without ideas none of the named courses.
    """
    language, names = known_language(get_language()), bank.names(get_language())
    words, answers = WORDS[language], bank.definition["answers"]["interests"]
    profile = Profile.from_json(stored)
    doubts, scores = profile.doubts, profile.interests
    # Why the whole list of courses is doubtful, and what follows.
    doubt = doubts.get(INTERESTS_PART, "")
    caution = words.cautions[FLAT if doubt == FLAT else "careless"]
    leading = enjoyed_fields(bank.scoring, profile)
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
    # Those that the student usually likes: `answer` says no less.
    liked = sum(round(scores[name].mean) > NEITHER for name in ranked[:2])
    clear = profile.clear_preferences
    preferences = [
        _describe_preference(name, profile.preferences[name], clear, words) for name in PREFERENCES
    ]
    considered = stored.get("considered", []) if with_ideas else []
    ideas = [_describe_idea(each, language, names, with_puzzles) for each in considered]
    subjects = {course["code"]: course for course in stored.get("other_subjects", [])}
    closed = [subjects[code]["name"] for code in stored.get("best_closed", [])]
    return {
        "fields": join_words([names[name] for name in leading]),
        "is_sure": not doubt,
        "leading": [
            {"name": names[name], "percent": 50 + 25 * profile.fields[name]} for name in leading
        ],
        "interests": interests,
        "highest": [] if doubt else interests[:liked],
        "flat": doubt == FLAT,
        "has_norms_of_students": bank.norms_from > 0,
        "reasoning": _describe_reasoning(profile, words) if with_puzzles else None,
        # The group that aptitude is compared with, by default an assumed one.
        "compared_with_students": bank.definition.get("reference") == "students",
        "preferences": preferences,
        "preferences_caution": words.cautions["preferences"] if STUDY in doubts else "",
        "leanings": [each for each in preferences if each["advice"]],
        "advice": words.study_advice,
        "ideas": ideas,
        "explained": [each["code"] for each in ideas if each["why"]],
        "named": [each["code"] for each in considered],
        "other_subjects": [
            {
                "name": course["name"],
                "subjects": explanation.write_subjects(course["streams"], language),
            }
            for course in subjects.values()
        ],
        "best_closed": join_words(closed),
        "best_closed_count": len(closed),
        "unserved": join_words([names[name] for name in stored.get("unserved", [])]),
        "confidence_note": f"{words.doubts[doubt]} {caution}" if doubt else "",
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

    Texts and addresses come from today's catalogue. `groups` are the best matches, of which `best`
    is the first, and the others.
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
        "best": courses[0] if best else None,
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


def join_words(words: Sequence[str]) -> str:
    """Return "a, b and c". Words that contain "and" come last, after a comma instead of "and"."""
    conjunction = " ".join(["", _("and"), ""])
    if len(words) < 2 or any(conjunction in word for word in words):
        return ", ".join(sorted(words, key=lambda word: conjunction in word))
    return ", ".join(words[:-1]) + conjunction + words[-1]


def _describe_preference(
    name: str, score: ScaleScore, clear: Sequence[str], words: Words
) -> dict[str, Any]:
    left, right = words.preferences[name]
    ends = dict(zip(name.split("_"), (left, right), strict=True))
    clear_end = next((end for end in ends if end in clear), "")
    label = _("You lean towards %(end)s.") % {"end": ends[clear_end]} if clear_end else ""
    return {
        "left": left,
        "right": right,
        "label": label or _("No strong preference."),
        "percent": score.percent,
        "advice": words.leaning_advice[clear_end] if clear_end else "",
    }


def _describe_reasoning(profile: Profile, words: Words) -> dict[str, Any]:
    if APTITUDE in profile.doubts:
        return {"caution": words.cautions["aptitude"]}
    ability = profile.aptitude[OVERALL]
    low, high = interval(ability)
    bands = reported_bands(ability)
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
        why = [explanation.write_subjects(idea["streams"], language)]
    else:
        why = [
            explanation.write_reason(Reason(**reason), language, names)
            for reason in idea["points"]
            if with_puzzles or reason["code"] not in ABOUT_PUZZLES
        ]
    # That it was named can lift a course for which no answer speaks.
    unexplained = _("No single answer decides it. That you named it counts too.")
    return {
        **idea,
        "fit": WORDS[language].fits[idea["fit"]],
        "why": why or ([unexplained] if idea["fit"] in (WELL, PART) else []),
    }


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
        "jobs": leads_to,
        "leads_to": " · ".join(leads_to),
        "url": course.url,
        "apply_url": course.apply_url if course.is_active else "",
        "has_more": any(more),
        **texts,
    }
