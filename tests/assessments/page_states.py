"""Every student page in every state: its template, and the context that its view gives."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.utils.safestring import mark_safe

from assessments.student.question import example as shown_example
from assessments.student.question import question as shown_question

Context = dict[str, Any]


class Offered(NamedTuple):
    """An answer as the page's form hands it over."""

    value: int
    label: dict[str, str]


COMMON: Context = {
    "project_name": "Northfield College",
    "language": "en",
    "support_email": "help@assess.example",
}
LANDING = COMMON | {
    "page": "landing",
    "given_name": "Asha",
    "minutes": 12,
    "minutes_estimated": True,
    "question_count": 44,
    "hours": 24,
    "months": 24,
    "parts": [
        {"code": "interests", "title": "Interests"},
        {"code": "aptitude", "title": "Puzzles"},
        {"code": "preferences", "title": "Studying"},
    ],
    "token": "link-token",
    "action": "/p/assessment",
    "open_attempt": None,
    "completed_before": False,
    "languages": [
        {"code": "en", "name": "English", "url": "/p/assessment?token=t&language=en"},
        {"code": "hi", "name": "हिन्दी", "url": "/p/assessment?token=t&language=hi"},
    ],
    "errors": [],
    "problems": {},
    "asks_age": False,
    "typed": {},
    "notice_version": "2026-11-23",
}
OPEN = {
    "is_held": True,
    "seen": {"assessment_id": "asm_0123456789abcdef", "moves": "0"},
    "answered": 14,
    "total": 44,
    "language": "hi",
    "language_name": "हिन्दी",
}
CONSENT_MISSING = {"consent": "Tick the box."}
START_REFUSED = {"start": "It has ended. Choose again."}
NO_GUARDIAN = {"guardian_name": "Write a name.", "guardian_contact": "Write a number."}


def refused(problems: dict[str, str], **typed: str) -> Context:
    """Return what comes back with errors: each in the summary and beside its field."""
    errors = [{"field": field, "text": text} for field, text in problems.items()]
    return LANDING | {"errors": errors, "problems": problems, "typed": typed}


TOTALS = (24, 12, 8)


def part(number: int, answered: int = 0) -> Context:
    """Return the progress of an attempt of 44 questions within a part."""
    before = [{"answered": total, "total": total} for total in TOTALS[: number - 1]]
    after = [{"answered": 0, "total": total} for total in TOTALS[number:]]
    here = {"answered": answered, "total": TOTALS[number - 1]}
    return {
        "number": number,
        "parts": [*before, here, *after],
        "total": sum(TOTALS),
        "part_in_words": f"Part {number} of 3",
        "answered_in_words": f"{answered} of {here['total']} answered",
    }


SECTION = COMMON | {
    "page": "section",
    "section": {"code": "aptitude", "title": "Puzzles", "intro": ["Take your time.", "Go on."]},
    "question_count": 12,
    "minutes": 8,
    **part(2),
    "action": "/p/assessment/25",
    "assessment_id": "asm_1",
    "leave_url": "/p/assessment/leave",
}


def question(position: int, control: str, **more: Any) -> Context:
    options = [{"value": n, "label": f"Answer {n}", "checked": n == 2} for n in range(1, 6)]
    return {
        "position": position,
        "control": control,
        "text": "Mend a pump",
        "lines": [],
        "options": options,
        "error": "",
        "locked": False,
    } | more


STATEMENTS = COMMON | {
    "page": "question",
    "section": {"code": "interests", "title": "Interests"},
    "questions": [question(n, f"answer-{n}") for n in range(7, 13)],
    "errors": [],
    "last": 12,
    **part(1, 6),
    "where": "Questions 7 to 12 of 24",
    "action": "/p/assessment/7",
    "assessment_id": "asm_1",
    "is_locked": False,
    "next_url": "/p/assessment",
    "leave_url": "/p/assessment/leave",
    "back": "/p/assessment/1",
}
GAPS = STATEMENTS | {
    "questions": [question(7, "answer-7", error="Choose one."), question(8, "answer-8")],
    "errors": [{"field": "answer-7-1", "number": 7, "text": "Choose one."}],
}
SEVERAL_GAPS = STATEMENTS | {
    "questions": [question(n, f"answer-{n}", error="Choose one.") for n in range(7, 13)],
    "missing": [{"field": f"answer-{n}-1", "number": n} for n in range(7, 13)],
}
PUZZLE = STATEMENTS | {
    "section": {"code": "aptitude", "title": "Puzzles"},
    "questions": [question(25, "answer", lines=["2, 5, 8, ?"])],
    "last": 25,
    **part(2),
    "where": "Question 1 of 12",
    "back": "",
}
PUZZLE_GAP = PUZZLE | {
    "questions": [question(25, "answer", lines=["2, 5, 8, ?"], error="Choose one.")],
    "errors": [{"field": "answer-1", "number": 0, "text": "Choose one."}],
}
SUBJECTS = COMMON | {
    "page": "question",
    "questions": [question(0, "answer")],
    "errors": [],
    **part(1),
    "action": "/p/assessment/subjects",
    "assessment_id": "asm_1",
    "leave_url": "/p/assessment/leave",
}
NO_SUBJECTS = SUBJECTS | {
    "questions": [question(0, "answer", error="Choose one.")],
    "errors": [{"field": "answer-1", "text": "Choose one."}],
}
EXAMPLE = {
    "title": {"en": "A table"},
    "text": {"en": "How many cups of tea?"},
    "passage": {"en": ["A canteen counts its cups."]},
    "options": [{"label": {"en": "60"}}, {"label": {"en": "70"}}],
    "answer": {"en": "60"},
    "explanation": {"en": "It says so beside tea."},
}
FIGURES: dict[str, Context] = {
    "table": {
        "kind": "table",
        "caption": {"en": "Cups sold"},
        "columns": [{"en": "Drink"}, {"en": "Monday"}],
        "rows": [
            {"label": {"en": "Tea"}, "values": [60]},
            {"label": {"en": "Milk"}, "values": ["?"]},
        ],
    },
    "bars": {
        "kind": "bars",
        "caption": {"en": "Cups sold"},
        "bars": [{"label": {"en": "Tea"}, "value": 60}, {"label": {"en": "Milk"}, "value": 10}],
        "step": 10,
        "alt": {"en": "A chart of two bars: tea 60, milk 10."},
    },
    "matrix": {
        "kind": "matrix",
        "cells": [*({"shape": "star", "fill": "striped"},) * 8, None],
        "alt": {"en": "Nine places, the last one empty."},
    },
}


def drawn(figure: str, pictures: bool = False) -> Context:
    """Return the context of a puzzle with this figure, and with pictures to choose from."""
    options = [
        {
            "label": {"en": letter},
            **({"figure": {"kind": "cell", "cell": {"shape": shape}}} if pictures else {}),
        }
        for letter, shape in (("A", "star"), ("B", "cross"), ("C", "circle"))
    ]
    content = EXAMPLE | {"figure": FIGURES[figure], "options": options}
    offered = [Offered(number, option["label"]) for number, option in enumerate(options, 1)]
    shown = shown_question(content, offered, "en", position=25, control="answer")
    return PUZZLE | {
        "questions": [shown | {"is_replaceable": pictures}],
        "is_replaceable": pictures,
    }


LOCKED = PUZZLE | {"questions": [question(25, "answer", locked=True)], "is_locked": True}
RESULT = COMMON | {
    "page": "result",
    "headline": mark_safe("Asha, you enjoy <b>machines and computers</b>"),
    "leaning_fields": "",
    "finished_on": datetime(2026, 11, 21, 10, tzinfo=UTC),
    "keep": {
        "visible_until": datetime(2026, 11, 29, 10, tzinfo=UTC),
        "link_until": None,
        "link_url": "/p/assessment/result/link",
        "forget_url": "/p/assessment/forget",
    },
    "interests": [
        {"code": str(n), "label": f"Kind {n}", "percent": 10 * n, "mean": 1 + n / 2, "text": "what"}
        for n in range(6)
    ],
    "highest": [{"label": "Kind 5", "text": "more of kind 5"}],
    "flat": False,
    "reasoning": {"band": "like most", "low": 40, "high": 70},
    "comparison": "",
    "compared_with_students": False,
    "preferences": [
        {"left": "alone", "right": "others", "label": "none", "percent": 50, "advice": ""},
        {"left": "plan", "right": "day", "label": "a plan", "percent": 10, "advice": "Leave gaps."},
    ],
    "leanings": [{"label": "You lean towards a plan.", "advice": "Leave gaps."}],
    "advice": ["Ask yourself questions.", "Come back after some days."],
    "return_url": "https://college.example/portal",
    "fields_note": "The fields named at the top are those that you like more.",
    "groups": [
        {
            "title": "Best matches",
            "courses": [
                {
                    "code": "PHY",
                    "name": "B.Sc. Physics",
                    "about": "Motion, light and matter, in lectures and in the laboratory.",
                    "leads_to": "Laboratory assistant · Teacher · Data analyst",
                    "url": "https://college.example/physics",
                    "apply_url": "https://college.example/apply",
                    "reasons": ["You liked finding out.", "It uses numbers a lot."],
                    "counterpoint": "It has little to do with people.",
                    "note": "It fits about as well as the course above it.",
                    "facts": ["You can start it after class 12."],
                },
            ],
        },
        {
            "title": "Also worth a look",
            "courses": [
                {
                    "code": "HIS",
                    "name": "B.A. History",
                    "about": "",
                    "leads_to": "",
                    "url": "",
                    "apply_url": "",
                    "reasons": ["One."],
                    "counterpoint": "",
                    "note": "",
                    "facts": [],
                },
            ],
        },
    ],
    "dismissed": [],
    "can_compare": True,
    "errors": [],
    "ticked": [],
    "compare_url": "/p/assessment/result/compare",
    "action": "/p/assessment/result",
    "assessment_id": "asm_1",
    "retake_note": "About three would be the same.",
    "confidence_note": "",
}
COMPARED = COMMON | {
    "page": "compare",
    "courses": [course for group in RESULT["groups"] for course in group["courses"]],
    "rows": [
        {"title": "Leads to", "texts": ["Teacher", ""]},
        {"title": "To think about", "texts": ["It has little to do with people.", "Much to read."]},
    ],
    "back": "/p/assessment/result#courses",
}
PRIVATE_RESULT = RESULT | {
    "page": "private-result",
    "given_name": "Asha",
    "until": datetime(2027, 2, 21, 10, tzinfo=UTC),
    "with_puzzles": False,
}
PRIVATE_LINK = COMMON | {
    "page": "private-link",
    "errors": [],
    "action": "/p/assessment/result/link",
    "assessment_id": "asm_1",
    "seen": "",
    "link": None,
    "has_ended": False,
    "days": 90,
    "visible_until": datetime(2026, 11, 29, 10, tzinfo=UTC),
    "back": "/p/assessment/result",
}
HAS_LINK = PRIVATE_LINK | {
    "seen": "2026-11-23T04:00:00+00:00",
    "link": {"expires_at": datetime(2027, 2, 21, 10, tzinfo=UTC), "with_puzzles": True},
}
LINK_MADE = COMMON | {
    "page": "private-link",
    "address": "https://assess.example/p/result?key=k",
    "until": datetime(2027, 2, 21, 10, tzinfo=UTC),
    "with_puzzles": True,
    "whatsapp_url": "https://wa.me/?text=t",
    "mail_url": "mailto:?subject=s&body=b",
    "back": "/p/assessment/result",
}
FORGET = COMMON | {
    "page": "forget",
    "action": "/p/assessment/forget",
    "assessment_id": "asm_1",
    "has_link": False,
    "link_url": "/p/assessment/result/link",
    "back": "/p/assessment/result",
}
ERROR = COMMON | {
    "page": "error-403",
    "project_name": "",
    "title": "Please press once more",
    "paragraphs": ["The page was open for long.", "Nothing is lost."],
    "retry": {"action": "/p/assessment/7", "fields": [("answer", "3")], "button": "Continue"},
    "home_url": "/p/assessment",
    "home_label": "Go on",
}
STATES: dict[str, tuple[str, Context]] = {
    "landing": ("student/landing.html", LANDING),
    "landing, no consent": ("student/landing.html", refused(CONSENT_MISSING)),
    "landing, open attempt": ("student/landing.html", LANDING | {"open_attempt": OPEN}),
    "landing, open elsewhere": (
        "student/landing.html",
        LANDING | {"open_attempt": OPEN | {"is_held": False}},
    ),
    "landing, nothing to continue": (
        "student/landing.html",
        refused(START_REFUSED, consent="yes"),
    ),
    "landing, age": ("student/landing.html", LANDING | {"asks_age": True}),
    "landing, age and open attempt": (
        "student/landing.html",
        LANDING | {"asks_age": True, "open_attempt": OPEN},
    ),
    "landing, no age": (
        "student/landing.html",
        refused({"age": "Say it."}, consent="yes") | {"asks_age": True},
    ),
    "landing, no guardian": (
        "student/landing.html",
        refused(NO_GUARDIAN, consent="yes", age="minor", guardian_name="", guardian_contact="9")
        | {"asks_age": True},
    ),
    "landing, done before": ("student/landing.html", LANDING | {"completed_before": True}),
    "section": ("student/section.html", SECTION),
    "section after the interests": (
        "student/section.html",
        SECTION | {"enjoyed": "machines, computers and maths"},
    ),
    "section with examples": (
        "student/section.html",
        SECTION
        | {
            "examples": [
                shown_example(EXAMPLE | {"figure": figure}, "en") for figure in FIGURES.values()
            ]
        },
    ),
    "first section": ("student/section.html", SECTION | part(1)),
    "subjects": ("student/subjects.html", SUBJECTS),
    "subjects without answer": ("student/subjects.html", NO_SUBJECTS),
    "statements": ("student/question.html", STATEMENTS),
    "statements with gaps": ("student/question.html", GAPS),
    "statements with several gaps": ("student/question.html", SEVERAL_GAPS),
    "last page": ("student/question.html", STATEMENTS | {"last": 44}),
    "puzzle": ("student/question.html", PUZZLE),
    "puzzle without answer": ("student/question.html", PUZZLE_GAP),
    "puzzle about a table": ("student/question.html", drawn("table")),
    "puzzle about a chart": ("student/question.html", drawn("bars")),
    "puzzle of pictures": ("student/question.html", drawn("matrix", pictures=True)),
    "locked puzzle": ("student/question.html", LOCKED),
    "leave": (
        "student/leave.html",
        COMMON | {"page": "leave", "action": "/l", "assessment_id": "asm_1", "back": "/p"},
    ),
    "left": ("student/left.html", COMMON | {"page": "left"}),
    "result": ("student/result.html", RESULT),
    "flat result": (
        "student/result.html",
        RESULT
        | {
            "flat": True,
            "headline": "Asha, here is your result",
            "leaning_fields": "machines",
            "leanings": [],
            "highest": [],
            "confidence_note": "Note.",
            "retake_note": "",
        },
    ),
    "result beside students": ("student/result.html", RESULT | {"compared_with_students": True}),
    "result with a facet that differs": (
        "student/result.html",
        RESULT | {"comparison": "You did clearly better with the number puzzles."},
    ),
    "result with removed courses": (
        "student/result.html",
        RESULT | {"dismissed": [{"code": "ZOO", "name": "B.Sc. Zoology"}]},
    ),
    "result with every course removed": (
        "student/result.html",
        RESULT
        | {"groups": [], "dismissed": [{"code": "ZOO", "name": "B.Sc. Zoology"}]}
        | {"can_compare": False},
    ),
    "result with nothing to compare": (
        "student/result.html",
        RESULT
        | {
            "errors": [{"field": "compare-ticked", "text": "Tick two."}],
            "ticked": ["PHY"],
        },
    ),
    "compare": ("student/compare.html", COMPARED),
    "result without courses": ("student/result.html", RESULT | {"groups": []}),
    "result with courses that need other subjects": (
        "student/result.html",
        RESULT
        | {
            "other_subjects": [{"name": "B.Sc. Botany", "subjects": "Requires biology."}],
            "few_open": "Only two courses are open with your subjects.",
        },
    ),
    "result with a private link": (
        "student/result.html",
        RESULT | {"keep": RESULT["keep"] | {"link_until": datetime(2027, 2, 21, 10, tzinfo=UTC)}},
    ),
    "private result": ("student/private_result.html", PRIVATE_RESULT),
    "private result with puzzles": (
        "student/private_result.html",
        PRIVATE_RESULT | {"with_puzzles": True},
    ),
    "private link": ("student/private_link.html", PRIVATE_LINK),
    "private link there": ("student/private_link.html", HAS_LINK),
    "private link ended": ("student/private_link.html", PRIVATE_LINK | {"has_ended": True}),
    "private link changed": (
        "student/private_link.html",
        HAS_LINK | {"errors": [{"field": "make", "text": "It has changed."}]},
    ),
    "private link made": ("student/private_link_made.html", LINK_MADE),
    "forget": ("student/forget.html", FORGET),
    "forget with a private link": ("student/forget.html", FORGET | {"has_link": True}),
    "forgotten": ("student/forgotten.html", COMMON | {"page": "forgotten", "project_name": ""}),
    "error": ("error.html", ERROR),
} | {
    reason: (
        "student/link_unavailable.html",
        COMMON | {"page": "link-unavailable", "reason": reason},
    )
    for reason in ("in-use", "finished", "ended", "cancelled", "expired", "closed")
}
